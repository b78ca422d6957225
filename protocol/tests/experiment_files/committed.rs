//! The files of `configs/`.

use protocol::experiment::Experiment;
use std::path::Path;

#[test]
fn the_players_and_cells_of_the_configurations_keep_their_ids() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let mut ids = String::new();
    for name in [
        "quickstart",
        "baseline-vs-itself",
        "thesis/rave-vs-uct",
        "heuristics/acceptance",
        "heuristics/compatibility",
        "heuristics/equal-time",
        "heuristics/knowledge",
        "heuristics/playouts",
        "heuristics/thesis-all",
        "heuristics/tree",
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).expect("readable");
        for cell in Experiment::parse(name, &text).expect("correct").cells {
            ids += &format!(
                "{} {} {}\n",
                cell.spec.case.player_id(),
                cell.spec.baseline.player_id(),
                cell.spec.id()
            );
        }
    }
    let digest = ids.bytes().fold(0_u64, |digest, byte| engine::rng::mix(digest ^ u64::from(byte)));
    assert_eq!(format!("{digest:016x}"), "7ee4204362cdcdd2");
}

#[test]
fn every_committed_experiment_is_correct_and_begins_with_its_question() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs")];
    let mut names = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                // Books of openings are no experiments.
                if !path.ends_with("books") {
                    folders.push(path);
                }
                continue;
            }
            assert_eq!(path.extension().and_then(|e| e.to_str()), Some("toml"), "{}", path.display());
            let text = std::fs::read_to_string(&path).expect("readable");
            let first = text.lines().next().unwrap_or_default();
            assert!(first.starts_with("# ") && first.contains('?'), "{} begins with {first}", path.display());
            names.push(
                Experiment::parse(&path.display().to_string(), &text)
                    .unwrap_or_else(|error| panic!("{error}"))
                    .name,
            );
        }
    }
    names.sort();
    for known in ["baseline-vs-itself", "quickstart", "thesis/rave-vs-uct"] {
        assert!(names.iter().any(|name| name == known), "{known} is not among {names:?}");
    }
    let unrepeated = names.len();
    names.dedup();
    assert_eq!(names.len(), unrepeated, "two files of one name take each other's place: {names:?}");
}
