//! Input words in messages: excerpts for quotations, and suggestions for misspelt names.

/// The most characters of a text that a message quotes.
const QUOTED: usize = 80;

/// The part of a text that a message quotes, with a sign where it is cut.
#[must_use]
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The name of `known` that `found`, in any case, probably stands for.
#[must_use]
pub fn closest<'k>(found: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let found = found.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&found, name), name))
        .filter(|(similarity, name)| {
            // In a short name one wrong letter leaves little similarity.
            (*similarity > 0.75 && found.len() > 1) || strsim::osa_distance(&found, name) == 1
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn a_text_that_is_cut_says_so() {
        assert_eq!(excerpt(&"ü".repeat(80)), "ü".repeat(80));
        assert_eq!(excerpt(&"ü".repeat(81)), format!("{}…", "ü".repeat(80)));
    }
}
