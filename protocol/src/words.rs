//! Numbers with their nouns, for messages.

/// `1 game`, `2 games`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_of_a_kind_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "game")), ["0 games", "1 game", "2 games"]);
    }
}
