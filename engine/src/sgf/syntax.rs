//! The syntax of SGF files: trees of nodes of properties, without their meaning.

use super::error::{DEEPEST, Place, SgfError, SgfProblem};

/// A property such as `SZ[8]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    name: String,
    values: Vec<String>,
}

impl Property {
    /// A property with one value; `None` unless the name is upper-case letters.
    #[must_use]
    pub fn new(name: &str, value: impl Into<String>) -> Option<Self> {
        let fits = !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase());
        fits.then(|| Self { name: name.to_owned(), values: vec![value.into()] })
    }

    /// The name, upper-case letters.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values, at least one, without escapes.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The first value.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.values[0]
    }

    pub(super) fn with_value(&self, value: String) -> Self {
        Self { name: self.name.clone(), values: vec![value] }
    }

    pub(super) fn write(&self, to: &mut String) {
        to.push_str(&self.name);
        for value in &self.values {
            to.push('[');
            for c in value.chars() {
                if matches!(c, ']' | '\\') {
                    to.push('\\');
                }
                to.push(c);
            }
            to.push(']');
        }
    }
}

/// A property with its places.
#[derive(Debug)]
pub(super) struct PlacedProperty {
    pub(super) property: Property,
    /// The place of the name.
    pub(super) place: Place,
    /// The place of the first value's text.
    pub(super) value_place: Place,
}

/// A node: its properties in order.
#[derive(Debug, Default)]
pub(super) struct RawNode {
    pub(super) properties: Vec<PlacedProperty>,
}

/// A sequence of nodes and the variations that continue it.
#[derive(Debug)]
pub(super) struct RawTree {
    pub(super) place: Place,
    pub(super) nodes: Vec<RawNode>,
    pub(super) variations: Vec<RawTree>,
}

struct Reader<'a> {
    rest: std::str::Chars<'a>,
    place: Place,
}

/// Reads the game trees of a text, at least one. Text before the first of them is skipped.
///
/// A missing `;` is supplied: before the properties that follow a parenthesis, before a move in the first
/// node, and before a second move in any node.
pub(super) fn read(text: &str) -> Result<Vec<RawTree>, SgfError> {
    let mut reader = Reader::at_first_game(text);
    if reader.peek() != Some('(') {
        return Err(reader.unexpected("`(` at the beginning of a game"));
    }
    let mut games = Vec::new();
    while reader.peek() == Some('(') {
        games.push(reader.game()?);
        reader.skip_space();
    }
    match reader.peek() {
        None => Ok(games),
        Some(_) => Err(reader.unexpected("`(` of another game or the end of the file after a game")),
    }
}

/// The first value of a property in the first node of the first game.
pub(super) fn first_value(text: &str, name: &str) -> Option<String> {
    let mut reader = Reader::at_first_game(text);
    reader.next();
    reader.skip_space();
    if reader.peek() == Some(';') {
        reader.next();
    }
    loop {
        reader.skip_space();
        let PlacedProperty { property, .. } = reader.property().ok()?;
        if property.name() == name {
            return Some(property.value().to_owned());
        }
    }
}

/// Whether a text begins with a parenthesis that opens a game, and not a remark.
fn begins_game(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('(').map(str::trim_start) else { return false };
    let after_name = inside.trim_start_matches(|c: char| c.is_ascii_uppercase());
    inside.starts_with(';') || (after_name.len() < inside.len() && after_name.trim_start().starts_with('['))
}

/// Whether a property is a move.
pub(super) fn is_move(property: &Property) -> bool {
    matches!(property.name(), "W" | "B")
}

impl<'a> Reader<'a> {
    /// Skips what is before the first game. What is left begins with a parenthesis unless there is none.
    fn at_first_game(text: &'a str) -> Self {
        let mut reader = Self { rest: text.chars(), place: Place { line: 1, column: 1 } };
        let mut at_brackets = text.match_indices('(').map(|(at, _)| at);
        let first = at_brackets.clone().next();
        let game = at_brackets.find(|&at| begins_game(&text[at..]));
        // Parentheses alone are no remark.
        let is_remark = |at: &usize| text[..*at].contains(|c: char| c != '(' && !c.is_whitespace());
        let at = game.filter(is_remark).or(first).unwrap_or(0);
        while reader.rest.as_str().len() > text.len() - at {
            reader.next();
        }
        reader.skip_space();
        reader
    }

    /// Reads a game tree, whose parenthesis is the next character.
    fn game(&mut self) -> Result<RawTree, SgfError> {
        // Open trees, outermost first.
        let mut unfinished: Vec<RawTree> = Vec::new();
        loop {
            self.skip_space();
            let place = self.place;
            match self.peek() {
                Some('(') => {
                    if unfinished.len() >= DEEPEST {
                        return Err(SgfError { place, problem: SgfProblem::Nesting });
                    }
                    if unfinished.last().is_some_and(|tree| tree.nodes.is_empty()) {
                        return Err(self.unexpected("`;` before the first node"));
                    }
                    self.next();
                    unfinished.push(RawTree { place, nodes: Vec::new(), variations: Vec::new() });
                }
                Some(')') => {
                    if unfinished.last().is_some_and(|tree| tree.nodes.is_empty()) {
                        return Err(self.unexpected("`;` before the first node"));
                    }
                    self.next();
                    let tree = unfinished.pop().expect("the loop ends when the outermost tree does");
                    match unfinished.last_mut() {
                        Some(parent) => parent.variations.push(tree),
                        None => return Ok(tree),
                    }
                }
                Some(c) => {
                    let is_main_line = unfinished.len() == 1;
                    let tree = unfinished.last_mut().expect("a game begins with a parenthesis");
                    if !tree.variations.is_empty() {
                        return Err(self.unexpected("`(` or `)` after a variation"));
                    }
                    if c == ';' {
                        self.next();
                        tree.nodes.push(RawNode::default());
                    } else if c.is_ascii_alphabetic() {
                        let property = self.property()?;
                        if tree.nodes.is_empty() {
                            tree.nodes.push(RawNode::default());
                        }
                        let is_header = is_main_line && tree.nodes.len() == 1;
                        let has_move =
                            |node: &RawNode| node.properties.iter().any(|other| is_move(&other.property));
                        if is_move(&property.property)
                            && (is_header || tree.nodes.last().is_some_and(has_move))
                        {
                            tree.nodes.push(RawNode::default());
                        }
                        tree.nodes.last_mut().expect("just ensured").properties.push(property);
                    } else {
                        return Err(self.unexpected("`;`, a property, `(` or `)`"));
                    }
                }
                None => return Err(self.unexpected("`)` at the end of the game")),
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.place.line = self.place.line.saturating_add(1);
            self.place.column = 1;
        } else {
            self.place.column = self.place.column.saturating_add(1);
        }
        Some(c)
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn unexpected(&self, expected: &'static str) -> SgfError {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        SgfError { place: self.place, problem: SgfProblem::Syntax { expected, found } }
    }

    /// A name and its values. Old files contain lower-case letters in names; they are skipped.
    fn property(&mut self) -> Result<PlacedProperty, SgfError> {
        let place = self.place;
        let mut name = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
            self.next();
            if c.is_ascii_uppercase() {
                name.push(c);
            }
        }
        if name.is_empty() {
            let found = "lower-case letters".to_owned();
            let expected = "the name of a property in upper-case letters";
            return Err(SgfError { place, problem: SgfProblem::Syntax { expected, found } });
        }
        let mut values = Vec::new();
        let mut value_place = place;
        loop {
            self.skip_space();
            if self.peek() != Some('[') {
                if values.is_empty() {
                    return Err(self.unexpected("`[` and the property's value"));
                }
                return Ok(PlacedProperty { property: Property { name, values }, place, value_place });
            }
            self.next();
            if values.is_empty() {
                value_place = self.place;
            }
            values.push(self.value()?);
        }
    }

    /// The rest of a value, including the closing bracket.
    fn value(&mut self) -> Result<String, SgfError> {
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    // An escaped end of line is no part of the value.
                    Some('\n') => {}
                    Some('\r') => {
                        if self.peek() == Some('\n') {
                            self.next();
                        }
                    }
                    Some(c) => value.push(c),
                    None => return Err(self.unexpected("`]` at the end of the value")),
                },
                Some(c) => value.push(c),
                None => return Err(self.unexpected("`]` at the end of the value")),
            }
        }
    }
}
