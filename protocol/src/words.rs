//! Words of messages: numbers with their nouns, and words of commands.

pub use stats::{count, counted, number};

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
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@,+%=#".contains(c);
    // At the beginning of a word some of these mean something else.
    if !text.is_empty() && !text.starts_with(['=', '#']) && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// The words at the end of a command, behind all options. After `--` a word that begins with a hyphen is no option.
#[must_use]
pub fn operands(words: &[&str]) -> String {
    let end = words.iter().any(|word| word.starts_with('-')).then(|| "--".to_owned());
    end.into_iter().chain(words.iter().map(|word| quoted(word))).collect::<Vec<_>>().join(" ")
}

/// A command with operands and options, in this order unless an operand begins with a hyphen.
#[must_use]
pub fn command(begin: &str, words: &[&str], options: &str) -> String {
    let words_last = words.iter().any(|word| word.starts_with('-'));
    let words = operands(words);
    if words_last { format!("{begin}{options} {words}") } else { format!("{begin} {words}{options}") }
}

/// An option of a command with its value, after a blank: ` --database games.db`.
#[must_use]
pub fn option(name: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!(" {name}{between}{}", quoted(value))
}

#[cfg(test)]
mod tests {
    use super::{command, invisible, operands, option, quoted};

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
        assert_eq!(quoted("K7F3-9QXM-2TBD@host:8437"), "K7F3-9QXM-2TBD@host:8437");
        for strange in
            ["", "a b", "[::1]", "~", "$HOME", "`id`", "a;b", "a\nb", "=ls", "größe", "a\\b", "!!", "#1", "*"]
        {
            assert_eq!(quoted(strange), format!("'{strange}'"));
        }
    }

    /// What a shell makes of the words, one a line.
    fn as_a_shell_reads(words: &str) -> String {
        let output =
            std::process::Command::new("sh").args(["-c", &format!("printf '<%s>' {words}")]).output();
        String::from_utf8(output.expect("a shell").stdout).expect("text")
    }

    #[test]
    fn a_shell_gives_back_the_words_that_were_quoted() {
        for word in [
            "plain",
            "",
            "two  blanks",
            "it's",
            "$HOME `id` \"x\" \\",
            "a\nb",
            "*",
            "~",
            "[::1]:1",
            "größe",
            "-",
        ] {
            assert_eq!(as_a_shell_reads(&quoted(word)), format!("<{word}>"));
        }
        assert_eq!(as_a_shell_reads(&operands(&["a b", "-x"])), "<--><a b><-x>");
        assert_eq!(operands(&["a", "b c"]), "a 'b c'");
        assert_eq!(as_a_shell_reads(&option("--database", "-my games.db")), "<--database=-my games.db>");
        assert_eq!(option("--database", "my games.db"), " --database 'my games.db'");
        let retry = |name| command("gauntlet retry", &[name], &option("--database", "my.db"));
        assert_eq!(retry("my sweep"), "gauntlet retry 'my sweep' --database my.db");
        assert_eq!(retry("-sweep"), "gauntlet retry --database my.db -- -sweep");
    }
}
