//! The places that name a tunable are those that CONTRIBUTING.md lists. Whoever adds one touches no others.

use engine::havannah::Params;
use std::collections::BTreeSet;
use std::path::Path;

/// Files that name many tunables by their nature: players with names, what has no effect in which company, another
/// program's flags, and searches with several tunables at once.
const OF_MANY: [&str; 4] =
    ["havannah/params/presets.rs", "havannah/identity.rs", "gtp/castro_flags.rs", "bench/signature.rs"];

/// The code of every source file of the engine by its path: without comments and tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut waiting, mut sources) = (vec![root.clone()], Vec::new());
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/");
                let text = std::fs::read_to_string(&path).expect("a source file");
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
                sources.push((name, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    sources.retain(|(name, _)| !name.contains("tests") && !OF_MANY.contains(&name.as_str()));
    sources
}

/// Whether code names a tunable: as a field of parameters, as a string, or by a row of a table.
fn names(code: &str, tunable: &str) -> bool {
    let field = code.match_indices(&format!("params.{tunable}")).any(|(at, found)| {
        code[at + found.len()..].chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_')
    });
    let row = code
        .lines()
        .any(|line| line.contains("Domain::") && line.trim().starts_with(&format!("{tunable}: ")));
    field || row || code.contains(&format!("\"{tunable}\""))
}

#[test]
fn a_tunable_is_named_in_its_table_and_where_it_is_used_and_nowhere_else() {
    let sources = sources();
    for info in Params::TABLE {
        let found: BTreeSet<&str> = sources
            .iter()
            .filter(|(_, code)| names(code, info.name))
            .map(|(name, _)| name.as_str())
            .collect();
        let table = if info.group == "tree" || info.name == "rave_compat" {
            "search/params.rs"
        } else {
            "havannah/params.rs"
        };
        assert!(found.contains(table), "{} has no row in {table}: {found:?}", info.name);
        let used: Vec<_> = found.iter().filter(|name| **name != table).collect();
        match info.group {
            "knowledge" => assert_eq!(used, [&"havannah/knowledge.rs"], "{}", info.name),
            "playouts" => assert!(
                matches!(used[..], [file] if file.starts_with("havannah/playouts/")),
                "{}: {used:?}",
                info.name
            ),
            _ => {}
        }
    }
}

#[test]
fn a_heuristic_and_a_playout_policy_are_a_file_and_a_line_of_their_list() {
    let sources = sources();
    for (folder, shared) in [("knowledge", ["scene"].as_slice()), ("playouts", &["policy", "ring_rules"])] {
        let list = format!("havannah/{folder}.rs");
        let (_, code) = sources.iter().find(|(name, _)| *name == list).expect("a list");
        for (name, _) in sources.iter().filter(|(name, _)| name.starts_with(&format!("havannah/{folder}/"))) {
            let module = name.rsplit('/').next().and_then(|file| file.strip_suffix(".rs")).expect("a module");
            assert!(code.contains(&format!("mod {module};")), "{list} declares no {module}");
            if shared.contains(&module) {
                continue;
            }
            assert!(code.contains(&format!("{module}::")), "{list} lists no {module}");
            let path = format!("{module}::");
            let others: Vec<_> = sources
                .iter()
                .filter(|(other, code)| *other != list && other != name && code.contains(&path))
                .map(|(other, _)| other)
                .collect();
            assert!(others.is_empty(), "{others:?} know {module}");
        }
    }
}
