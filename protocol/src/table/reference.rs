//! The lists of columns that follow from the definitions: `docs/reference/columns.md` for people, `dashboard/src/columns.ts` for
//! the page.

use super::{Definition, cells, games};
use std::fs;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../dashboard/src/columns.ts");
const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/columns.md");

const WRITE: &str = "GAUNTLET_WRITE";

const HEAD: &str = "\
# Columns of exported tables

Written by `GAUNTLET_WRITE=1 cargo test -p protocol columns` from `protocol/src/table`. [Export results](../how-to/export.md) has
the commands. CSV and Parquet have the same columns. A fraction is from 0 to 1. Rates and Elo are from the case's point of view. A gap is an
empty field.
";

fn table<R>(columns: &[Definition<R>]) -> String {
    let rows =
        columns.iter().map(|(name, of, meaning)| format!("| `{name}` | {} | {meaning} |\n", of.unit()));
    format!("| column | kind | meaning |\n| --- | --- | --- |\n{}", rows.collect::<String>())
}

fn reference() -> String {
    format!(
        "{HEAD}\n## Cells\n\n{}| one for each parameter, such as `rave_k` | | the value of the case |\n| `baseline_` and each \
         parameter, such as `baseline_rave_k` | | the value of the baseline |\n\nA parameter has columns if any player of the \
         experiment sets it; a player that does not set it has the engine's default.\n\n## Games\n\n{}",
        table(&cells::cell_columns()),
        table(&games::columns())
    )
}

fn page() -> String {
    let rows = cells::cell_columns();
    let rows = rows.iter().map(|(name, of, meaning)| {
        let meaning = serde_json::to_string(meaning).expect("a text");
        format!("  {{ name: \"{name}\", unit: \"{}\", meaning: {meaning} }},\n", of.unit())
    });
    format!(
        "// Written by `{WRITE}=1 cargo test -p protocol columns` from `protocol/src/table/cells.rs`.\n\n/** The numbers of a cell. \
         */\nexport const COLUMNS = [\n{}] as const;\n",
        rows.collect::<String>()
    )
}

#[test]
fn the_lists_of_columns_are_those_of_the_tables() {
    for (file, text) in [(PAGE, page()), (REFERENCE, reference())] {
        if std::env::var_os(WRITE).is_some() {
            fs::write(file, &text).expect("a file of the tree");
        }
        let committed = fs::read_to_string(file).unwrap_or_default();
        assert!(committed == text, "{file} is stale: {WRITE}=1 cargo test -p protocol columns");
    }
}
