//! The files of the thesis' figures against the published points and the flags of the published program.

use engine::gtp::{NoFiles, Session};
use engine::havannah::Params;
use engine::params::ParamValue;
use protocol::experiment::{Experiment, PlannedCell};
use protocol::lease::{Budget, ParamSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const POINTS: &str = include_str!("../../docs/results/thesis-figures.csv");

/// A baseline of the thesis in the published program's flags.
const B_RAVE: &str =
    "-e 0 -f 500 -d 0 -t 1 -o 0 -E 1 -F -1 -k 1 -m 2 -u 1 -x 1 -s 0 -l 0 -y 0 -c 0 -b 0 -p 0 -h 0 -g 0 -w 0";
const B_UCT: &str =
    "-e 0.9 -f 0 -d 0 -t 1 -o 0 -E 1 -F -1 -k 1 -m 2 -u 1 -x 1 -s 0 -l 0 -y 0 -c 0 -b 0 -p 0 -h 0 -g 0 -w 0";
/// The combination of all features.
const ALL: &str = "-a 1 -b 100 -c 20 -y 3 -l 5 -D 2 -S 2 -O 5 -w 3 -W -1 -R -0.7 -G 3";

/// The flags of a series, besides those of its baseline. `#` stands for the name of the series.
fn flags(figure: &str, series: &str) -> String {
    let all = |without: &str| format!("{ALL} {without}");
    let template = match (figure, series) {
        ("ravegraph" | "raverave", _) => "-e 0 -d 0 -f #".into(),
        ("keeptree", "Disabled") => "-k 0".into(),
        ("proofbackups", "Vs 1-ply lookahead" | "Vs No lookahead") => "-m 2".into(),
        ("proofbackups", "One ply") => "-m 1".into(),
        ("proofbackups", "Disabled") => "-m 0".into(),
        ("multirollouts", _) => "-O #".into(),
        ("maintainvc", _) => "-a 1 -b #".into(),
        ("localityany" | "localitysides", _) => "-a 1 -y #".into(),
        ("localreply", _) => "-a 1 -l #".into(),
        ("connectivity", _) => "-a 1 -c #".into(),
        ("groupsize", _) => "-a 1 -S #".into(),
        ("distancetogether" | "distancesides", _) => "-a 1 -D #".into(),
        ("mateinone" | "mateinone30", "size") => "-w 3 -W -1".into(),
        ("mateinone" | "mateinone30", "size*2") => "-w 3 -W -2".into(),
        ("mateinone", "all") => "-w 3 -W 1000".into(),
        ("mateinone" | "mateinone30", _) => "-w 3 -W #".into(),
        ("maintainvcrollout", "Maintain VC") => "-p 1".into(),
        ("lgr", "LGR") => "-g 1".into(),
        ("lgr", "LGRF") => "-g 2".into(),
        ("ringignore", _) => "-C #".into(),
        ("ringdepth", _) => "-R -#".into(),
        ("ringsize", _) => "-z -#".into(),
        ("ringperm", _) => "-G #".into(),
        ("comborollout" | "comboknow", "All") => all(""),
        ("comborollout", "Multi Rollout") => all("-O 1"),
        ("comborollout", "Mate-in-One") => all("-w 0"),
        ("comborollout", "Ring Depth") => all("-R 1000"),
        ("comborollout", "Ring Perm") => all("-G 0"),
        ("comboknow", "Maintain VC") => all("-b 0"),
        ("comboknow", "Connectivity") => all("-c 0"),
        ("comboknow", "Distance") => all("-D 0"),
        ("comboknow", "Group Size") => all("-S 0"),
        ("comboknow", "Locality") => all("-y 0"),
        ("comboknow", "Local Reply") => all("-l 0"),
        unknown => panic!("{unknown:?}"),
    };
    template.replace('#', series)
}

/// The player that the published program's flags describe.
fn player(figure: &str, flags: &str) -> Params {
    let mut session = Session::new(1, Box::new(NoFiles));
    let answer = session.answer(&format!("player_params {flags}")).expect("an answer");
    assert!(answer.is_success(), "{flags}: {}", answer.text);
    let shown = session.answer("params").expect("an answer").text;
    let mut params = Params::default();
    for line in shown.trim_start_matches("= ").lines().filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(' ').expect("a name and a value");
        let value: ParamValue = value.parse().expect("infallible");
        // Two flags meant something else in older versions, which is a parameter of its own here.
        let name = match (figure, name) {
            ("localityany", "locality") => "locality_any",
            ("localityany", "locality_any") => "locality",
            ("distancetogether", "distance") => "distance_both",
            ("distancetogether", "distance_both") => "distance",
            _ => name,
        };
        params.set(name, &value).expect("within range");
    }
    params
}

/// The published series by figure, with whether the thesis prints them, and the sizes.
type Series = BTreeMap<String, (bool, BTreeSet<u8>)>;

fn published() -> BTreeMap<String, Series> {
    let mut figures: BTreeMap<String, Series> = BTreeMap::new();
    for line in POINTS.lines().skip(1) {
        let [figure, series, size, _, hidden] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let figure = figures.entry(figure.trim_start_matches("fig:").to_owned()).or_default();
        let series = figure.entry(series.to_owned()).or_insert((hidden == "0", BTreeSet::new()));
        assert_eq!(series.0, hidden == "0", "{line}");
        assert!(series.1.insert(size.parse().expect("a size")), "{line}");
    }
    figures
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/thesis")
}

fn parse(text: &str) -> Experiment {
    Experiment::parse("figure.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

/// A figure's file as it is, and with everything that it switches off.
fn file(figure: &str) -> (Experiment, Experiment) {
    let path = folder().join(format!("{figure}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (parse(&text), parse(&text.replace("weight = 0", "weight = 1")))
}

/// Whether a cell is of the variant with the defect of the published program.
fn is_2011(cell: &PlannedCell) -> bool {
    [&cell.spec.case, &cell.spec.baseline].iter().any(|player| player.0.contains_key("rave_compat"))
}

/// A player without the switches that repeat the published program.
fn repaired(params: &ParamSet) -> ParamSet {
    let mut params = params.resolve().expect("known");
    let default = Params::default();
    for info in Params::TABLE.iter().filter(|info| info.group == "compatibility") {
        params.set(info.name, &default.get(info.name).expect("listed")).expect("within range");
    }
    ParamSet::from(&params)
}

#[test]
fn every_figure_has_a_file_and_every_file_a_figure() {
    let figures: BTreeSet<String> = published().into_keys().collect();
    let files = std::fs::read_dir(folder()).expect("a folder").map(|entry| {
        let path = entry.expect("an entry").path();
        path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned()
    });
    // Another budget than the figure's, with results in docs/results.
    let files: BTreeSet<String> = files.filter(|name| name != "rave-vs-uct").collect();
    assert_eq!(files, figures);
    for figure in figures {
        let (experiment, _) = file(&figure);
        assert_eq!(experiment.name, format!("thesis/{figure}"));
    }
}

#[test]
fn every_published_point_is_played_by_both_variants_under_its_label() {
    for (figure, series) in published() {
        let (_, whole) = file(&figure);
        for (label, (_, sizes)) in &series {
            for variant in [false, true] {
                let of: BTreeSet<u8> = whole
                    .cells
                    .iter()
                    .filter(|cell| cell.case.label == *label && is_2011(cell) == variant)
                    .map(|cell| cell.spec.size.get())
                    .collect();
                assert_eq!(of, *sizes, "{figure} `{label}`, 2011: {variant}");
            }
        }
        let labels: BTreeSet<&String> = whole.cells.iter().map(|cell| &cell.case.label).collect();
        assert_eq!(labels, series.keys().collect(), "{figure}");
    }
}

#[test]
fn what_the_thesis_does_not_print_is_switched_off() {
    for (figure, series) in published() {
        let (played, _) = file(&figure);
        let played: BTreeSet<&String> = played.cells.iter().map(|cell| &cell.case.label).collect();
        let printed: BTreeSet<&String> =
            series.iter().filter(|(_, (printed, _))| *printed).map(|(label, _)| label).collect();
        match figure.as_str() {
            // No series of these is printed. A file plays something.
            "raverave" => assert_eq!(
                played.iter().map(|s| s.as_str()).collect::<Vec<_>>(),
                ["100", "1000", "200", "500"]
            ),
            "keeptree" => assert_eq!(played.len(), 1),
            _ => assert_eq!(played, printed, "{figure}"),
        }
    }
}

#[test]
fn players_are_those_of_the_published_flags() {
    for figure in published().into_keys() {
        let (_, whole) = file(&figure);
        let baseline = if figure == "ravegraph" { B_UCT } else { B_RAVE };
        for cell in &whole.cells {
            let (label, variant) = (&cell.case.label, is_2011(cell));
            let opponent = match label.as_str() {
                "Vs 1-ply lookahead" => format!("{baseline} -m 1"),
                "Vs No lookahead" => format!("{baseline} -m 0"),
                _ => baseline.to_owned(),
            };
            let expected = |flags: &str| ParamSet::from(&player(&figure, flags));
            let case = expected(&format!("{baseline} {}", flags(&figure, label)));
            assert_eq!(repaired(&cell.spec.case), case, "{figure} `{label}`");
            assert_eq!(repaired(&cell.spec.baseline), expected(&opponent), "{figure} `{label}`");
            if !variant {
                assert_eq!(
                    (&cell.spec.case, &cell.spec.baseline),
                    (&case, &expected(&opponent)),
                    "{figure} `{label}`"
                );
            }
        }
    }
}

#[test]
fn no_case_is_its_baseline_but_the_one_of_the_thesis() {
    let mut alike = BTreeSet::new();
    for figure in published().into_keys() {
        let (_, whole) = file(&figure);
        for cell in whole.cells.iter().filter(|cell| cell.spec.case == cell.spec.baseline) {
            alike.insert(format!("{figure} {}", cell.case.label));
        }
    }
    assert_eq!(alike, ["raverave 500".to_owned()].into());
}

#[test]
fn budgets_are_those_of_the_figures() {
    for figure in published().into_keys() {
        let (played, _) = file(&figure);
        let seconds = if figure == "mateinone30" { 30.0 } else { 5.0 };
        // Small effects get more games.
        let pairs = match figure.as_str() {
            "keeptree" => 300,
            "maintainvc" => 1500,
            "mateinone" | "raverave" => 200,
            _ => 150,
        };
        for cell in &played.cells {
            assert_eq!(cell.spec.budget, Budget::ReferenceSeconds(seconds), "{figure}");
            assert_eq!((cell.spec.opening_plies, cell.pairs), (0, pairs), "{figure}");
        }
    }
}
