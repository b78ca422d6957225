//! The table of calls in docs/reference/protocol.md.

use super::check;
use crate::endpoint::Declaration;
use crate::endpoints::ALL;

const PAGE: &str = "docs/reference/protocol.md";

/// The lines around the table.
const BEGIN: &str = "<!-- The table is written from `protocol/src/endpoints.rs`. -->\n";
const END: &str = "<!-- The end of the table. -->\n";

fn row(call: &Declaration) -> String {
    let scope = call.scope.map_or_else(|| "anybody".to_owned(), |scope| format!("`{scope}`"));
    let path = call.path.replace("{key}", "{id or name}");
    format!("| `{} {path}` | {scope} | {} |\n", call.method.name(), call.summary.trim().replace('|', "\\|"))
}

#[test]
fn the_page_has_a_row_for_every_endpoint() {
    let page = include_str!("../../../docs/reference/protocol.md");
    let (before, rest) = page.split_once(BEGIN).expect("the beginning of the table");
    let (_, after) = rest.split_once(END).expect("the end of the table");
    let rows: String = ALL.iter().map(row).collect();
    check(
        PAGE,
        &format!(
            "{before}{BEGIN}\n| call | scope | what it does |\n| --- | --- | --- |\n{rows}\n{END}{after}"
        ),
    );
}
