//! Tables in the terminal.

/// Rows with columns of equal width, the first `words` of them aligned to the left.
pub fn aligned<R: AsRef<[String]>>(rows: &[R], words: usize) -> String {
    let rows: Vec<&[String]> = rows.iter().map(AsRef::as_ref).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, |row| row.len())).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let fields: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(column, (field, &width))| {
                    if column < words { format!("{field:<width$}") } else { format!("{field:>width$}") }
                },
            )
            .collect();
        out.push_str(fields.join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// A rate in per cent, or a dash if there is none.
pub(crate) fn percent(rate: Option<f64>) -> String {
    rate.map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}
