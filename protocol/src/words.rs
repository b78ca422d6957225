//! Words of messages: numbers with their nouns, and words of commands.

/// `1 game`, `2 games`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A word as a shell reads it.
#[must_use]
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.=/".contains(c);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::{counted, quoted};

    #[test]
    fn names_are_quoted_for_a_shell_where_they_must_be() {
        assert_eq!(quoted("my-tune"), "my-tune");
        assert_eq!(quoted("rave_k=5 keep_tree=true"), "'rave_k=5 keep_tree=true'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }

    #[test]
    fn one_of_a_kind_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "game")), ["0 games", "1 game", "2 games"]);
    }
}
