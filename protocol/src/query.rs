//! Whole numbers of query strings, each with its limits; `5.0` is whole, as in bodies and files.

use engine::numbers;
use serde::de::{Deserialize, Deserializer, Error};

/// Reads a whole number from `MIN` to `MAX`.
///
/// # Errors
/// Says the limits.
pub fn whole<'de, D: Deserializer<'de>, N: TryFrom<i64>, const MIN: i64, const MAX: i64>(
    deserializer: D,
) -> Result<N, D::Error> {
    let text = String::deserialize(deserializer)?;
    numbers::whole::<i64>(&text)
        .filter(|number| (MIN..=MAX).contains(number))
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| Error::custom(format!("give a whole number from {MIN} to {MAX}")))
}

/// The most entries of a page, of whatever list.
pub const LARGEST_PAGE: u32 = 1_000;

/// Reads the number of entries that a page may have.
///
/// # Errors
/// Says the limits.
pub fn page<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    whole::<D, u32, 1, { LARGEST_PAGE as i64 }>(deserializer)
}

/// Reads a whole number from `MIN` to `MAX` that may be absent.
///
/// # Errors
/// Says the limits.
pub fn maybe_whole<'de, D: Deserializer<'de>, N: TryFrom<i64>, const MIN: i64, const MAX: i64>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    whole::<D, N, MIN, MAX>(deserializer).map(Some)
}

/// Up to this number, 2⁵³, whole numbers are exact in JavaScript.
pub const LARGEST_EXACT: i64 = 1 << 53;

/// Reads a number of entries that a page leaves out.
///
/// # Errors
/// Says the limits.
pub fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    whole::<D, u32, 0, { u32::MAX as i64 }>(deserializer)
}

/// Reads a number up to [`LARGEST_EXACT`].
///
/// # Errors
/// Says the limits.
pub fn exact<'de, D: Deserializer<'de>, N: TryFrom<i64>>(deserializer: D) -> Result<N, D::Error> {
    whole::<D, N, 0, LARGEST_EXACT>(deserializer)
}

/// As [`exact`], where it may be absent.
///
/// # Errors
/// Says the limits.
pub fn maybe_exact<'de, D: Deserializer<'de>, N: TryFrom<i64>>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    exact(deserializer).map(Some)
}

/// Reads a time in milliseconds since 1970, which may be absent.
///
/// # Errors
/// Says the limits.
pub fn maybe_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    maybe_whole::<D, i64, { -LARGEST_EXACT }, LARGEST_EXACT>(deserializer)
}

#[cfg(test)]
mod tests {
    use super::{maybe_whole, whole};
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn a_number_outside_its_limits_is_answered_with_them() {
        let read = |text: &'static str| {
            let text: StrDeserializer<'_, Error> = text.into_deserializer();
            whole::<_, u32, 0, 100>(text).map_err(|error| error.to_string())
        };
        assert_eq!(["7", "5.0", "1e2"].map(read), [Ok(7), Ok(5), Ok(100)]);
        for text in ["", "-1", "101", "5.5", "ten", "99999999999999999999"] {
            assert_eq!(read(text), Err("give a whole number from 0 to 100".to_owned()), "{text}");
        }
    }

    #[test]
    fn an_absent_number_is_none() {
        #[derive(Deserialize)]
        struct Query {
            #[serde(default, deserialize_with = "maybe_whole::<_, _, 0, 100>")]
            number: Option<u8>,
        }
        let read = |json: &str| serde_json::from_str::<Query>(json).map(|query| query.number).ok();
        assert_eq!(
            [read("{}"), read("{\"number\":\"5.0\"}"), read("{\"number\":\"101\"}")],
            [Some(None), Some(Some(5)), None]
        );
    }
}
