//! `gauntlet compare` on real games.

use crate::process::{Process, output};
use crate::published::{FILE, POINTS};
use serde_json::Value;
use std::path::Path;

fn compare(home: &Path, arguments: &[&str]) -> (bool, String, String) {
    let (status, stdout, stderr) = output(home, &[&["compare"], arguments].concat());
    (status.success(), stdout, stderr)
}

#[test]
fn results_are_put_beside_published_points() {
    let home = tempfile::tempdir().expect("a directory");
    let home = home.path();
    std::fs::write(home.join("mine.toml"), FILE).expect("written");
    std::fs::write(home.join("points.csv"), POINTS).expect("written");
    let options = ["--port", "0", "--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"];
    let (status, _, stderr) =
        output(home, &[&["run", "mine.toml", "--exit-when-done"][..], &options].concat());
    assert!(status.success(), "{stderr}");

    let by_name = ["mine/figure", "--with", "points.csv"];
    let (_, json, stderr) = compare(home, &[&by_name[..], &["--json"]].concat());
    let comparison: Value =
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}{stderr}"));
    let figures = comparison["figures"].as_array().expect("a list");
    assert_eq!(figures.len(), 1, "the figure of the experiment's name: {json}");
    let variants = figures[0]["variants"].as_array().expect("a list");
    let names: Vec<_> = variants.iter().filter_map(|variant| variant["name"].as_str()).collect();
    assert_eq!(names, ["repaired, against uct", "old, against uct", "swept, against rave"]);
    for variant in variants {
        let points = variant["points"].as_array().expect("a list");
        let places: Vec<_> =
            points.iter().map(|point| (point["series"].as_str(), point["size"].as_u64())).collect();
        let series = if variant["name"] == "swept, against rave" { "200" } else { "50" };
        assert_eq!(places, [(Some(series), Some(3)), (Some(series), Some(4))]);
        for point in points {
            assert_eq!(point["ours"]["games"], 20);
            let number = |key: &str, of: &str| point[key][of].as_f64().expect("a number");
            let difference = number("ours", "value") - number("published", "value");
            assert!((number("difference", "value") - difference).abs() < 1e-12, "{point}");
            let (low, high) = (number("difference", "low"), number("difference", "high"));
            assert!(low <= difference && difference <= high, "{point}");
            // Twenty games agree with nothing.
            let expected = if low > 0.0 || high < 0.0 { "differs" } else { "too_few_games" };
            assert_eq!(point["verdict"], expected, "{point}");
        }
        let games = [&points[0], &points[1]].map(|point| point["published"]["games"].as_u64());
        assert_eq!(games, [Some(400), Some(300)], "the file's number of games, and the assumed one");
        assert_eq!(variant["tests"]["all_zero"]["degrees_of_freedom"], 2);
    }

    let (ok, table, stderr) =
        compare(home, &[&by_name[..], &["--svg", "picture.svg", "--games", "500"]].concat());
    assert!(ok, "{stderr}");
    for expected in [
        "mine/figure: Do they agree?",
        "fig:figure, old, against uct",
        "undecided: too few games",
        "published, and no case of the experiment: `size2` (nearest: `size*2`).",
        "played, and not published in this figure: `size*2` (nearest: `size2`).",
        "`50`: size 5 published, and not played.",
        "assumed to have 500 independent games",
        "160 of 160 games",
    ] {
        assert!(table.contains(expected), "{expected} is not in\n{table}");
    }
    let picture = std::fs::read_to_string(home.join("picture.svg")).expect("drawn");
    assert!(picture.starts_with("<svg ") && picture.contains(">old, against uct</text>"), "{picture}");
    assert_eq!(picture.matches("<text").count(), picture.matches("</text>").count());

    // A coordinator answers alike.
    let mut server = Process::start(home, &["serve", "--listen", "127.0.0.1:0"]);
    let url = server.url();
    let (ok, remote, stderr) =
        compare(home, &[&by_name[..], &["--games", "500", "--coordinator", &url]].concat());
    assert!(ok, "{stderr}");
    assert_eq!(remote, table);
    assert!(server.stop().success());

    for (arguments, expected) in [
        (&["mine/figure", "--with", "absent.csv"][..], "cannot read absent.csv"),
        (&["mine/figure", "--with", "mine.toml"], "mine.toml has no published points as they are expected"),
        (
            &["mine/figure", "--with", "points.csv", "--figure", "figur"],
            "no figure `figur`; did you mean `figure`?",
        ),
        (&["nobody", "--with", "points.csv"], "no experiment is called `nobody`"),
        (
            &["mine/figure", "--with", "points.csv", "--confidence", "95"],
            "'--confidence <CONFIDENCE>': give a number above 0 and below 1",
        ),
        (&["mine/figure", "--with", "points.csv", "--margin", "0"], "give a number above 0 and below 50"),
    ] {
        let (ok, stdout, stderr) = compare(home, arguments);
        assert!(!ok && stdout.is_empty() && stderr.contains(expected), "{arguments:?}: {stdout}{stderr}");
    }
}
