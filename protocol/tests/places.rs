//! The places that name an endpoint or a statistic of a cell are those that CONTRIBUTING.md lists.

use protocol::endpoints::ALL;
use std::path::{Path, PathBuf};

/// The parts of the repository that may name endpoints and statistics. What is generated is not among them.
const PARTS: [&str; 6] =
    ["protocol/src", "coordinator/src", "coordinator/stats/src", "worker/src", "src", "dashboard/src"];
const GENERATED: [&str; 2] = ["dashboard/src/api-types.ts", "dashboard/src/columns.ts"];

const DECLARATIONS: &str = "protocol/src/endpoints.rs";
const ROUTES: &str = "coordinator/src/http/api/routes.rs";

/// The code of every source file by its path: without comments and tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut waiting: Vec<PathBuf> = PARTS.iter().map(|part| root.join(part)).collect();
    let mut sources = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                waiting.push(path);
            } else if path
                .extension()
                .is_some_and(|kind| ["rs", "ts", "tsx"].iter().any(|known| kind == *known))
            {
                let text = std::fs::read_to_string(&path).expect("a source file");
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = code.lines().filter(|line| {
                    let line = line.trim_start();
                    !line.starts_with("//") && !line.starts_with("/*") && !line.starts_with('*')
                });
                sources.push((name, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    sources.retain(|(name, _)| !GENERATED.contains(&name.as_str()) && !name.contains("tests"));
    sources
}

/// Whether code has a name as a whole word.
fn names(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        !code[..at].chars().next_back().is_some_and(is_word)
            && !code[at + name.len()..].chars().next().is_some_and(is_word)
    })
}

#[test]
fn a_statistic_is_computed_in_one_file_and_a_column_in_another() {
    let sources = sources();
    let found = sources.iter().filter(|(_, code)| names(code, "normalised_elo_error"));
    let mut found: Vec<&str> = found.map(|(file, _)| file.as_str()).collect();
    found.sort_unstable();
    // `gauntlet stats` prints the numbers of a cell in an order of its own.
    let printed = ["src/commands/stats.rs", "src/commands/stats/text.rs"];
    let needed = ["coordinator/stats/src/summary.rs", "protocol/src/table/cells.rs"];
    assert_eq!(found, [needed, printed].concat());
}

#[test]
fn an_endpoint_is_its_declaration_its_route_and_who_shows_it() {
    let sources = sources();
    let of = |name: &str| -> Vec<&str> {
        let call = format!("Api.{}{}", name[..1].to_lowercase(), &name[1..]);
        let mut found: Vec<&str> = sources
            .iter()
            .filter(|(_, code)| names(code, name) || names(code, &call))
            .map(|(file, _)| file.as_str())
            .collect();
        found.sort_unstable();
        found
    };
    for endpoint in ALL {
        let found = of(endpoint.name);
        assert!(found.contains(&DECLARATIONS) && found.contains(&ROUTES), "{}: {found:?}", endpoint.name);
    }
    assert_eq!(of("GetStudyPlayed"), [ROUTES, "dashboard/src/api.ts", DECLARATIONS]);
    assert_eq!(of("Explain"), [ROUTES, DECLARATIONS, "src/commands/why.rs"]);
}

#[test]
fn no_path_of_the_api_is_written_twice() {
    let sources = sources();
    let with_path = sources.iter().filter(|(_, code)| code.contains("\"/api/v1"));
    let found: Vec<_> = with_path.map(|(name, _)| name.as_str()).collect();
    assert_eq!(found, ["protocol/src/endpoint.rs"]);
}
