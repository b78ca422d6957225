//! The reference of experiment files against the parser: the same keys, ranges, defaults and examples. Files on other pages
//! parse, too.

use protocol::experiment::{Experiment, ExperimentFileError, REFERENCE};
use protocol::lease::ParamSet;
use std::collections::BTreeSet;

const TUTORIAL: &str = include_str!("../../docs/tutorial/first-sweep.md");

/// A small file, line by line. A line of the page takes the place of the line with the same key.
const FILE: [(&str, &[&str]); 9] = [
    ("[experiment]", &["name = \"x\"", "question = \"Why?\""]),
    ("[[baseline]]", &["id = \"uct\"", "preset = \"uct\""]),
    ("[[test]]", &["id = \"rave\"", "set = { exploration = 0 }", "sweep = { rave_k = [30, 300] }"]),
    ("[[player]]", &["id = \"all\"", "preset = \"thesis-all\""]),
    ("[sizes]", &["4 = 1", "6 = 1"]),
    ("[[budget]]", &["id = \"quick\"", "sims = 2000"]),
    ("[play]", &["games_per_cell = 100"]),
    ("[stop]", &["rule = \"sprt\""]),
    ("[allocation]", &[]),
];

/// The section of a tune, which takes the place of these others and of a key of another section.
const TUNE: (&str, &[&str]) = ("[tune]", &["games = 100", "parameters = { rave_k = { range = [10, 100] } }"]);
const NOT_BESIDE_A_TUNE: [&str; 4] = ["[[test]]", "[[player]]", "[stop]", "[allocation]"];

/// The lines of the small file, of which the page describes the section `section`.
fn small(section: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    if section != TUNE.0 {
        return FILE.iter().map(|(title, lines)| (*title, lines.to_vec())).collect();
    }
    let beside = FILE.iter().filter(|(title, _)| !NOT_BESIDE_A_TUNE.contains(title)).map(|(title, lines)| {
        (*title, lines.iter().copied().filter(|line| key_of(line) != "games_per_cell").collect())
    });
    beside.chain([(TUNE.0, TUNE.1.to_vec())]).collect()
}

/// Keys of `[stop]` that belong to another rule than the one above.
const OF_HALF_WIDTH: [&str; 3] = ["half_width", "interval", "confidence"];

/// A range of `exploration`, which the page describes in a section of its own.
const RANGE: (&str, &[&str]) = ("Ranges", &["from = 0.1", "to = 0.9", "steps = 3"]);

/// Keys of which a section has one only.
const EITHER: [[&str; 2]; 3] = [["sims", "reference_seconds"], ["steps", "step"], ["preset", "baseline"]];

/// A row of a table on the page.
#[derive(Debug)]
struct Row {
    section: &'static str,
    keys: Vec<&'static str>,
    value: String,
    default: &'static str,
    example: &'static str,
}

/// Every row of the page.
fn rows() -> Vec<Row> {
    let mut section = "";
    let mut rows = Vec::new();
    for line in REFERENCE.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            section = heading.trim_start_matches('#').trim().trim_matches('`');
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", keys, value, default, example, ""] = cells[..]
            && keys.starts_with('`')
        {
            let keys = keys.split(", ").map(|key| key.trim_matches('`')).collect();
            let value = value.split(';').next().unwrap_or_default().to_owned();
            rows.push(Row { section, keys, value, default, example: example.trim_matches('`') });
        }
    }
    assert!(rows.len() > 20, "the tables of the page are not understood: {rows:?}");
    rows
}

/// The key of a line `key = value`.
fn key_of(line: &str) -> &str {
    line.split(" = ").next().unwrap_or_default()
}

/// The small file with other lines for one key of a section: none, or one.
fn file(section: &str, key: &str, line: Option<&str>) -> String {
    let replaced = |other: &str| {
        other == key
            || line.is_some() && EITHER.iter().any(|pair| pair.contains(&key) && pair.contains(&other))
    };
    let changed = |title: &str, lines: &[&str]| -> Vec<String> {
        let kept = lines.iter().filter(|line| title != section || !replaced(key_of(line)));
        let added = line.filter(|_| title == section);
        kept.copied().chain(added).map(str::to_owned).collect()
    };
    let range = format!("sweep = {{ exploration = {{ {} }} }}", changed(RANGE.0, RANGE.1).join(", "));
    let with_range = ["id = \"rave\"", &range];
    let sections = small(section).into_iter().map(|(title, lines)| {
        let lines = if section == RANGE.0 && title == "[[test]]" { &with_range[..] } else { &lines };
        format!("{title}\n{}\n", changed(title, lines).join("\n"))
    });
    let file: String = sections.collect();
    if OF_HALF_WIDTH.contains(&key) { file.replace("rule = \"sprt\"", "rule = \"half_width\"") } else { file }
}

/// Reads a file where `best` is a named baseline.
fn parse(text: &str) -> Result<Experiment, ExperimentFileError> {
    let best = ParamSet([("rave_k".to_owned(), "77".parse().expect("a value"))].into());
    Experiment::parse_with("x.toml", text, Some(&[("best".to_owned(), best)].into()))
}

fn told(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

/// The keys that the parser knows where this text has the key `qqqqqq`, as its message lists them.
fn listed(text: &str) -> BTreeSet<String> {
    let error = told(text);
    let (_, list) = error.split_once("`qqqqqq`; there are `").expect("every key that is known");
    let list = list.lines().next().unwrap_or_default().trim_end_matches('`');
    list.split("`, `").map(str::to_owned).collect()
}

fn known_keys(section: &str) -> BTreeSet<String> {
    if section == "[sizes]" {
        let with = |size: &str| file(section, size, Some(&format!("{size} = 1")));
        let sizes = (0..100).map(|size: u8| size.to_string());
        return sizes.filter(|size| parse(&with(size)).is_ok()).collect();
    }
    listed(&file(section, "qqqqqq", Some("qqqqqq = 1")))
}

#[test]
fn the_page_has_every_key_of_the_parser_and_no_other() {
    let rows = rows();
    for section in FILE.iter().map(|(title, _)| *title).chain([RANGE.0, TUNE.0]) {
        let of_section = rows.iter().filter(|row| row.section == section);
        let mut on_page: Vec<&str> = of_section.flat_map(|row| row.keys.iter().copied()).collect();
        on_page.sort_unstable();
        let known = known_keys(section);
        let mut known: Vec<&str> = known.iter().map(String::as_str).collect();
        known.sort_unstable();
        assert_eq!(on_page, known, "{section}: the page, and the parser");
    }
}

#[test]
fn the_page_has_every_section_of_the_parser_and_no_other() {
    let headings = REFERENCE.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`'));
    let on_page: BTreeSet<String> = headings.map(|title| title.trim_matches(['[', ']']).to_owned()).collect();
    assert_eq!(on_page, listed(&format!("qqqqqq = 1\n{}", file("", "", None))));
}

#[test]
fn the_page_gives_the_ranges_of_the_parser() {
    for row in rows() {
        for key in &row.keys {
            let told: Vec<String> = ["1979-05-27", "\"\"", "1e99"]
                .map(|wrong| format!("{key} = {wrong}"))
                .iter()
                .filter_map(|line| parse(&file(row.section, key, Some(line))).err())
                .map(|error| error.to_string())
                .collect();
            let named = told.iter().any(|error| error.contains(&row.value));
            assert!(named, "{} `{key}`: the page says `{}`, the parser {told:?}", row.section, row.value);
        }
    }
}

#[test]
fn the_page_gives_the_defaults_of_the_parser() {
    for row in rows() {
        for key in &row.keys {
            let without = file(row.section, key, None);
            if row.default == "required" {
                assert!(told(&without).contains(&format!("needs `{key}`")), "{row:?}");
            } else if row.default == "one of two" {
                let error = told(
                    &["sims = 2000\n", ", steps = 3", "preset = \"uct\"\n", "preset = \"thesis-all\"\n"]
                        .iter()
                        .fold(without, |text, line| text.replace(line, "")),
                );
                assert!(error.contains("either") && error.contains(&format!("`{key}`")), "{row:?}: {error}");
            } else if row.default.starts_with('`') {
                let default = format!("{key} = {}", row.default.trim_matches('`'));
                let with = parse(&file(row.section, key, Some(&default)));
                let id = |parsed: Result<Experiment, _>| parsed.map(|experiment| experiment.id());
                assert_eq!(id(with), id(parse(&without)), "{row:?}");
            } else {
                parse(&without).unwrap_or_else(|error| panic!("{row:?}: {error}"));
            }
        }
    }
}

#[test]
fn every_example_of_the_tables_parses() {
    for row in rows() {
        let key = key_of(row.example);
        assert!(row.keys.contains(&key), "{row:?}: an example of another key");
        let text = file(row.section, key, Some(row.example));
        parse(&text).unwrap_or_else(|error| panic!("{row:?}: {error}"));
    }
}

/// The TOML blocks of a page.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_block_of_the_pages_parses() {
    let control = include_str!("../../docs/how-to/run-a-control.md");
    for page in [REFERENCE, TUTORIAL, control] {
        assert!(!blocks(page).is_empty());
        for block in blocks(page) {
            let rest = small(if block.contains(TUNE.0) { TUNE.0 } else { "" });
            let rest = rest.iter().filter(|(title, _)| !block.contains(title));
            let rest: String =
                rest.map(|(title, lines)| format!("{title}\n{}\n", lines.join("\n"))).collect();
            let text = format!("{block}\n{rest}");
            parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }
}

#[test]
fn the_tutorial_plays_what_init_writes() {
    let parse = |text| parse(text).expect("correct");
    let written = parse(include_str!("../../configs/quickstart.toml"));
    assert_eq!(parse(blocks(TUTORIAL)[0]).cells, written.cells);
}
