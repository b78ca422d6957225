//! Spaces and their points.

use tuner::{Space, SpaceError, StrategyName, Value};

fn space(json: &str) -> Result<Space, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

const SPACE: &str = r#"[
    { "name": "rave_k", "kind": "real", "low": 10, "high": 1000, "scale": "log", "start": 100 },
    { "name": "bridge", "kind": "whole", "low": 0, "high": 20, "start": 5 },
    { "name": "reply", "kind": "flag", "start": false },
    { "name": "mode", "kind": "word", "values": ["a", "b"], "start": "b", "only_if": { "parameter": "reply", "values": [true] } }
]"#;

#[test]
fn a_space_is_read_and_written_alike() {
    let read = space(SPACE).expect("a space");
    let written = serde_json::to_string(&read).expect("JSON");
    assert_eq!(space(&written).expect("a space"), read);
}

#[test]
fn parameters_without_effect_have_their_start() {
    let space = space(SPACE).expect("a space");
    let mut point = space.start();
    point.insert("mode".to_owned(), Value::Word("a".to_owned()));
    assert_eq!(space.canonical(&point), Ok(space.start()));
    point.insert("reply".to_owned(), Value::Flag(true));
    point.insert("rave_k".to_owned(), Value::Real(123.456_789_012));
    assert_eq!(space.canonical(&point), Ok(point));
}

#[test]
fn what_is_wrong_is_named() {
    let valid = space(SPACE).expect("a space");
    let with = |name: &str, value: Value| {
        let mut point = valid.start();
        point.insert(name.to_owned(), value);
        valid.canonical(&point).expect_err("refused").to_string()
    };
    assert_eq!(with("rave", Value::Real(5.0)), "there is no parameter `rave`; did you mean `rave_k`?");
    assert!(with("rave_k", Value::Real(5.0)).contains("from 10 to 1000"));
    assert!(with("rave_k", Value::Real(f64::NAN)).contains("from 10 to 1000"));
    assert!(with("bridge", Value::Real(2.5)).contains("whole number from 0 to 20"));
    assert!(with("mode", Value::Word("c".to_owned())).contains("a, b"));
    let mut short = valid.start();
    short.remove("bridge");
    assert_eq!(valid.canonical(&short), Err(SpaceError::Missing("bridge".to_owned())));
    for (from, to, reason) in [
        ("\"low\": 10,", "\"low\": 0,", "log scale begins above 0"),
        ("\"high\": 20", "\"high\": 0", "has no two values"),
        ("\"high\": 20", "\"high\": -1", "write the lower end first"),
        ("\"start\": 5", "\"start\": 50", "from 0 to 20"),
        ("\"bridge\"", "\"rave_k\"", "two parameters"),
        ("[\"a\", \"b\"]", "[\"b\", \"b\"]", "different words"),
        ("\"parameter\": \"reply\"", "\"parameter\": \"rave_k\"", "stands before"),
        ("[true]", "[1]", "true or false"),
    ] {
        let error = space(&SPACE.replace(from, to)).expect_err(reason);
        assert!(error.contains(reason), "{error}");
    }
    assert!(space("[]").expect_err("empty").contains("no parameter"));
    let unknown = "clip".parse::<StrategyName>().expect_err("unknown").to_string();
    assert!(unknown.contains("clip") && unknown.contains("clop"), "{unknown}");
}

#[test]
fn ranges_that_no_search_can_use_are_refused() {
    for (json, why) in [
        (r#"[{"name":"x","kind":"real","low":1e-300,"high":1e300,"scale":"log","start":1}]"#, "cannot span"),
        (
            r#"[{"name":"x","kind":"whole","low":-9223372036854775808,"high":9223372036854775807,"start":0}]"#,
            "whole numbers go",
        ),
        (r#"[{"name":"x","kind":"flag","strat":true,"start":false}]"#, "unknown field `strat`"),
        (
            r#"[{"name":"x","kind":"flag","start":true},{"name":"y","kind":"flag","start":true,"only_if":{"parameter":"x","values":[]}}]"#,
            "its condition has no value",
        ),
        (
            r#"[{"name":"x","kind":"flag","start":true},{"name":"y","kind":"flag","start":true,"only_if":{"parameter":"x","values":[true],"zzz":1}}]"#,
            "unknown field `zzz`",
        ),
    ] {
        let error = space(json).expect_err(why);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn numbers_of_a_narrow_range_have_enough_digits_to_differ() {
    let json = r#"[{"name":"x","kind":"real","low":1,"high":1.0000001,"start":1}]"#;
    let mut tune = tuner::Tune::new(
        space(json).expect("a space"),
        tuner::Objective::on(5),
        StrategyName::Random,
        100,
        1,
    );
    let values: std::collections::BTreeSet<String> =
        (0..20).map(|_| format!("{:?}", tune.ask().1.point["x"])).collect();
    assert!(values.len() > 1, "{values:?}");
}
