//! Words of messages: numbers with their nouns, and words of commands.

/// `1 game`, `2 games`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Whether a character shows nothing and may change how its neighbours are shown (control characters, and Unicode's categories Cf, Zl
/// and Zp): with such characters two names can look alike, or a line can read otherwise than it is.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The first invisible character of a text and its place, in words.
#[must_use]
pub fn invisible(text: &str) -> Option<String> {
    let (before, found) = text.chars().enumerate().find(|(_, c)| is_invisible(*c))?;
    Some(format!("character {} is U+{:04X}, which is invisible", before + 1, u32::from(found)))
}

/// A word as a shell reads it.
#[must_use]
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.=/".contains(c);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::{counted, invisible, quoted};

    #[test]
    fn an_invisible_character_is_found_at_its_place() {
        assert_eq!(invisible("größe 5–6"), None);
        let found = invisible("a\u{fc}b\u{200b}c\u{202e}").expect("two");
        assert_eq!(found, "character 4 is U+200B, which is invisible");
    }

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
