//! Board sizes as people write several: `6`, `5-7` for 5, 6 and 7, or `4,6-8`.

use engine::havannah::BoardSize;
use engine::numbers;
use engine::spelling::excerpt;

/// The size of a text such as `6`.
///
/// # Errors
/// Says what to write instead.
pub fn one(text: &str) -> Result<BoardSize, String> {
    let text = text.trim();
    match (size(text), read(text)) {
        (Some(size), _) => Ok(size),
        (None, Ok(_)) => Err(format!("`{}` is several board sizes; give one", excerpt(text))),
        (None, Err(why)) => Err(why),
    }
}

/// The sizes of a list such as `6`, `5-7` or `4,6-8`.
///
/// # Errors
/// Says what to write instead.
pub fn list(text: &str) -> Result<Vec<BoardSize>, String> {
    let mut sizes = Vec::new();
    for part in text.split(',') {
        for size in read(part.trim())? {
            if sizes.contains(&size) {
                return Err(format!("size {size} is there twice"));
            }
            sizes.push(size);
        }
    }
    Ok(sizes)
}

/// The sizes of a text such as `6` or `5-7`.
///
/// # Errors
/// Says what to write instead.
pub fn read(text: &str) -> Result<Vec<BoardSize>, String> {
    let (min, max) = (BoardSize::MIN, BoardSize::MAX);
    let wrong =
        || format!("`{}` is no board size; there are {min} to {max}, and ranges such as 5-7", excerpt(text));
    if let Some(size) = size(text) {
        return Ok(vec![size]);
    }
    let (first, last) = text.split_once('-').ok_or_else(wrong)?;
    let end = |text: &str| size(text.trim()).ok_or_else(wrong);
    let (first, last) = (end(first)?, end(last)?);
    match BoardSize::all().filter(|size| (first..=last).contains(size)).collect::<Vec<_>>() {
        none if none.is_empty() => Err(format!("`{text}` has no sizes; write {last}-{first}")),
        sizes => Ok(sizes),
    }
}

/// A size as a size is named, or as a float without a fraction: `5.0`, but not `05`.
fn size(text: &str) -> Option<BoardSize> {
    let plain =
        || numbers::whole::<u8>(text).filter(|_| text.starts_with(|first| matches!(first, '1'..='9')));
    text.parse().ok().or_else(|| BoardSize::new(plain()?).ok())
}

#[cfg(test)]
mod tests {
    use super::{list, one, read};

    #[test]
    fn a_range_is_all_sizes_from_one_to_another() {
        let sizes = |text| read(text).map(|sizes| sizes.iter().map(|size| size.get()).collect::<Vec<_>>());
        assert_eq!(sizes("6"), Ok(vec![6]));
        assert_eq!(sizes("5.0"), Ok(vec![5]));
        assert_eq!(sizes("5-7"), Ok(vec![5, 6, 7]));
        assert_eq!(sizes("3 - 10"), Ok((3..=10).collect()));
        assert_eq!(sizes("4-4"), Ok(vec![4]));
        assert_eq!(sizes("7-5"), Err("`7-5` has no sizes; write 5-7".to_owned()));
        for text in ["", "-", "2-5", "5-11", "5-", "-5", "5-6-7", "04-6", "5.5", "+4", "five"] {
            assert!(read(text).is_err_and(|why| why.contains("ranges such as 5-7")), "{text}");
        }
    }

    #[test]
    fn a_list_has_sizes_and_ranges_each_size_once() {
        let sizes = |text| list(text).map(|sizes| sizes.iter().map(|size| size.get()).collect::<Vec<_>>());
        assert_eq!(sizes("4, 6-8"), Ok(vec![4, 6, 7, 8]));
        assert_eq!(sizes("4,4-5"), Err("size 4 is there twice".to_owned()));
        for text in ["", "4,", ",4", "4;5", "4,11"] {
            assert!(list(text).is_err_and(|why| why.contains("ranges such as 5-7")), "{text}");
        }
    }

    #[test]
    fn where_one_size_is_wanted_several_are_refused() {
        assert_eq!(one("5.0").map(|size| size.get()), Ok(5));
        assert_eq!(one("5-7"), Err("`5-7` is several board sizes; give one".to_owned()));
        assert!(one("2").is_err_and(|why| why.contains("3 to 10")));
    }
}
