//! The lists of columns that follow from the definitions: `docs/reference/columns.md` for people, `dashboard/src/columns.ts` for
//! the page.

use super::{COMMAND, check};
use crate::table::{Definition, cell_columns, game_columns};

const PAGE: &str = "dashboard/src/columns.ts";
const REFERENCE: &str = "docs/reference/columns.md";

const HEAD: &str = "[Export results](../how-to/export.md) has
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
        "# Columns of exported tables\n\nWritten by `{COMMAND}` from `protocol/src/table`. {HEAD}\n## Cells\n\n{}| one for each parameter, such as `rave_k` | | the value of the case |\n| `baseline_` and each \
         parameter, such as `baseline_rave_k` | | the value of the baseline |\n\nA parameter has columns if any player of the \
         experiment sets it; a player that does not set it has the engine's default.\n\n## Games\n\n{}",
        table(&cell_columns()),
        table(&game_columns())
    )
}

fn page() -> String {
    let rows = cell_columns();
    let rows = rows.iter().map(|(name, of, meaning)| {
        let meaning = serde_json::to_string(meaning).expect("a text");
        format!("  {{ name: \"{name}\", unit: \"{}\", meaning: {meaning} }},\n", of.unit())
    });
    format!(
        "// Written by `{COMMAND}` from `protocol/src/table/cells.rs`.\n\n/** The numbers of a cell. \
         */\nexport const COLUMNS = [\n{}] as const;\n",
        rows.collect::<String>()
    )
}

#[test]
fn the_lists_of_columns_are_those_of_the_tables() {
    check(PAGE, &page());
    check(REFERENCE, &reference());
}
