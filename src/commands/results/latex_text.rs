//! Texts in LaTeX. `dashboard/src/export/latex.ts` does the same for the page, and both are tested by the same texts.

/// Characters that LaTeX prints otherwise, or that are commands, with what prints them.
const PRINTED: [(char, &str); 29] = [
    ('\\', "\\textbackslash{}"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    ('<', "\\textless{}"),
    ('>', "\\textgreater{}"),
    ('|', "\\textbar{}"),
    ('`', "\\textasciigrave{}"),
    // Some languages of babel make a command of it, and the newer programs a closing quote. Its name is not in every older
    // encoding.
    ('"', "{\\ifdefined\\Umathcode\\textquotedbl\\else\\char34 \\fi}"),
    // After the end of a row these would be its options.
    ('*', "{*}"),
    ('[', "{[}"),
    (']', "{]}"),
    ('{', "\\{"),
    ('}', "\\}"),
    ('$', "\\$"),
    ('&', "\\&"),
    ('#', "\\#"),
    ('_', "\\_"),
    ('%', "\\%"),
    ('\u{a0}', "~"),
    ('\u{ad}', "\\-"),
    ('\u{202f}', "\\,"),
    ('–', "--"),
    ('—', "---"),
    ('…', "\\ldots{}"),
    ('−', "$-$"),
    ('∞', "$\\infty$"),
    ('≈', "$\\approx$"),
    ('≤', "$\\leq$"),
    ('≥', "$\\geq$"),
];

/// Characters that form a ligature when doubled: `--` a dash, the others quotes.
const LIGATURES: [char; 5] = ['-', '\'', ',', '<', '>'];

/// The text that prevents the ligature. An empty group does not, in LuaLaTeX.
const APART: &str = "\\kern0pt ";

/// Whether pdfLaTeX with the encoding T1 prints a character.
fn is_known(c: char) -> bool {
    matches!(c, ' '..='~' | '¡'..='ÿ' | 'Ā'..='ž' | '‘' | '’' | '“' | '”' | '„' | '€' | '™')
        && !matches!(c, 'ĸ' | 'ŉ' | 'Ħ' | 'ħ' | 'Ŧ' | 'ŧ' | 'Ŀ' | 'ŀ')
}

/// A text that LaTeX prints as it is.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut before = None;
    let mut unknown = String::new();
    for c in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        let printed = PRINTED.iter().find(|(known, _)| *known == c).map(|(_, printed)| *printed);
        if printed.is_none() && !is_known(c) {
            unknown.push(c);
            before = None;
            continue;
        }
        flush(&mut unknown, &mut out);
        if before == Some(c) && LIGATURES.contains(&c) {
            out += APART;
        }
        match printed {
            Some(printed) => out += printed,
            None => out.push(c),
        }
        before = Some(c);
    }
    flush(&mut unknown, &mut out);
    out
}

/// Writes letters that only the newer programs print, for the others as their numbers.
fn flush(unknown: &mut String, out: &mut String) {
    if !unknown.is_empty() {
        let numbers: Vec<String> = unknown.chars().map(|c| format!("U+{:04X}", u32::from(c))).collect();
        *out += &format!("{{\\ifdefined\\Umathcode {unknown}\\else {}\\fi}}", numbers.join(" "));
        unknown.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    /// Pairs of a text and what LaTeX is given.
    const TEXTS: &str = include_str!("../../../dashboard/test/data/latex.json");

    #[test]
    fn every_text_is_printed_as_it_is() {
        let texts: Vec<[String; 2]> = serde_json::from_str(TEXTS).expect("pairs");
        assert!(texts.len() > 15);
        for [text, printed] in texts {
            assert_eq!(escaped(&text), printed, "{text}");
        }
    }

    #[test]
    fn no_text_leaves_a_command_a_brace_or_an_end_of_row() {
        for c in (0..=0x2fff).filter_map(char::from_u32) {
            let printed = escaped(&format!("{c}{c}"));
            let opened = printed.matches('{').count() - printed.matches("\\{").count();
            let closed = printed.matches('}').count() - printed.matches("\\}").count();
            assert_eq!(opened, closed, "{c:?}: {printed}");
            assert!(!printed.contains("\\\\") && !printed.contains('\n'), "{c:?}: {printed}");
            for special in ['~', '^', '&', '#', '_', '%'] {
                let free =
                    printed.matches(special).count() - printed.matches(&format!("\\{special}")).count();
                assert!(free == 0 || (special == '~' && c == '\u{a0}'), "{c:?}: {printed}");
            }
        }
    }
}
