//! Board sizes as people write several: `6`, or `5-7` for 5, 6 and 7.

use engine::havannah::BoardSize;

/// The sizes of a text such as `6` or `5-7`.
///
/// # Errors
/// Says what to write instead.
pub fn read(text: &str) -> Result<Vec<BoardSize>, String> {
    let (min, max) = (BoardSize::MIN, BoardSize::MAX);
    let wrong = || format!("`{text}` is no board size; there are {min} to {max}, and ranges such as 5-7");
    if let Ok(size) = text.parse() {
        return Ok(vec![size]);
    }
    let (first, last) = text.split_once('-').ok_or_else(wrong)?;
    let end = |text: &str| text.trim().parse::<BoardSize>().map_err(|_| wrong());
    let (first, last) = (end(first)?, end(last)?);
    match BoardSize::all().filter(|size| (first..=last).contains(size)).collect::<Vec<_>>() {
        none if none.is_empty() => Err(format!("`{text}` has no sizes; write {last}-{first}")),
        sizes => Ok(sizes),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_range_is_all_sizes_from_one_to_another() {
        let sizes = |text| read(text).map(|sizes| sizes.iter().map(|size| size.get()).collect::<Vec<_>>());
        assert_eq!(sizes("6"), Ok(vec![6]));
        assert_eq!(sizes("5-7"), Ok(vec![5, 6, 7]));
        assert_eq!(sizes("3 - 10"), Ok((3..=10).collect()));
        assert_eq!(sizes("4-4"), Ok(vec![4]));
        assert_eq!(sizes("7-5"), Err("`7-5` has no sizes; write 5-7".to_owned()));
        for text in ["", "-", "2-5", "5-11", "5-", "-5", "5-6-7", "04-6", "five"] {
            assert!(read(text).is_err_and(|why| why.contains("ranges such as 5-7")), "{text}");
        }
    }
}
