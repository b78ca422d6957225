//! Strategies against values that other programs computed.

#[path = "../src/halton.rs"]
mod halton;

use halton::halton;
use serde_json::Value as Json;
use tuner::{
    Kind, Objective, Opponent, Outcome, Parameter, Point, Proposal, Scale, Space, StrategyName, Trial, Tune,
    Value,
};

fn reference(key: &str) -> Json {
    let text = include_str!("../../stats/tests/data/stats_reference.json");
    let all: Json = serde_json::from_str(text).expect("the reference values are JSON");
    all[key].clone()
}

fn number(value: &Json) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Numbers from -1 to 1 that start at 0.
fn cube<'a>(names: impl IntoIterator<Item = &'a str>) -> Space {
    let parameter = |name: &str| Parameter {
        name: name.to_owned(),
        kind: Kind::Real { low: -1.0, high: 1.0, scale: Scale::Linear },
        start: Value::Real(0.0),
        only_if: None,
    };
    Space::new(names.into_iter().map(parameter).collect()).expect("a space")
}

fn real(point: &Point, name: &str) -> f64 {
    match point[name] {
        Value::Real(value) => value,
        ref other => panic!("{other:?} is no real number"),
    }
}

/// The steps and gains of the reference begin with other constants: their course is the same.
#[test]
fn the_steps_and_moves_of_spsa_follow_fishtests_schedule() {
    let known = reference("spsa_fishtest_trajectory");
    let names = ["explore", "rave"];
    let pairs = known["num_iter_pairs"].as_u64().expect("a number");
    let mut tune = Tune::new(cube(names), Objective::on(8), StrategyName::Spsa, 2 * pairs, 1);
    let steps: Vec<&Json> = known["steps"].as_array().expect("steps").iter().collect();
    let (mut found, mut centres) = (Vec::new(), Vec::new());
    for iteration in 0..=steps.iter().filter_map(|step| step["iter"].as_u64()).max().expect("steps") {
        let (trial, proposal) = tune.ask();
        let Opponent::Point(opponent) = &proposal.opponent else { panic!("a point plays a point") };
        let ends = names.map(|name| (real(&proposal.point, name), real(opponent, name)));
        centres.push(ends.map(|(one, other)| f64::midpoint(one, other)));
        found.push(ends.map(|(one, other)| (one - other) / 2.0));
        let wanted = steps.iter().find(|step| step["iter"].as_u64() == Some(iteration));
        // Kiiski's rule moves by the games won more than lost: two here, where the reference tells nothing.
        let won = wanted.map_or(2, |step| step["wins_minus_losses"].as_i64().expect("a number"));
        let (wins, losses) = if won > 0 { (won, 0) } else { (0, -won) };
        let draws = 2 - wins - losses;
        let count = |games: i64| u32::try_from(games).expect("a count");
        let outcome = Outcome { wins: count(wins), draws: count(draws), losses: count(losses) };
        tune.tell(trial, outcome).expect("a result");
    }
    let best = tune.best().remove(0);
    centres.push(names.map(|name| real(&best, name)));
    for (parameter, _) in names.iter().enumerate() {
        let first = &steps[0]["params"][parameter];
        for step in &steps {
            let iteration = step["iter"].as_u64().expect("a number") as usize;
            let of = |key: &str| number(&step["params"][parameter][key]) / number(&first[key]);
            let reach = found[iteration][parameter].abs();
            let ratio = reach / found[0][parameter].abs();
            // Points have five digits, and a move is a small difference of them.
            assert!((ratio / of("c") - 1.0).abs() < 1e-4, "{ratio} instead of {}: {step}", of("c"));
            let moved = |at: usize| centres[at + 1][parameter] - centres[at][parameter];
            let won = number(&step["wins_minus_losses"]);
            if won == 0.0 {
                assert!(moved(iteration).abs() < 1e-4, "{step}");
                continue;
            }
            // The move is R · c · (wins - losses), towards the winner.
            let gain = |at: usize, won: f64| moved(at) / (found[at][parameter] * won);
            let ratio = gain(iteration, won) / gain(0, number(&steps[0]["wins_minus_losses"]));
            assert!((ratio / of("R") - 1.0).abs() < 5e-3, "{ratio} instead of {}: {step}", of("R"));
        }
    }
}

/// Coulom's program recommends the weighted mean of the points. Here the weights rise with the model, so the recommendation is between
/// that mean and the maximum of his model.
#[test]
fn clop_recommends_a_point_between_the_mean_and_the_maximum_of_couloms_model() {
    let known = reference("clop_fixed_data");
    let mut tune = Tune::new(cube(["x0", "x1"]), Objective::on(8), StrategyName::Clop, 1000, 1);
    let outcomes = known["outcomes"].as_str().expect("a text");
    for (i, won) in (1..).zip(outcomes.chars().map(|c| c == '1')) {
        let place = [2, 3].map(|base| 2.0 * halton(i, base) - 1.0);
        let (a, b) = (place[0] + 0.3, place[1] - 0.4);
        let logit = 0.5 - 2.0 * a * a - 1.5 * b * b - 0.8 * a * b;
        assert_eq!(halton(i, 5) < 1.0 / (1.0 + (-logit).exp()), won, "the {i}th game is the reference's");
        let point = [("x0", place[0]), ("x1", place[1])];
        let point = point.map(|(name, value)| (name.to_owned(), Value::Real(value))).into();
        let outcome = Outcome { wins: u32::from(won), draws: 0, losses: u32::from(!won) };
        let proposal = Proposal { point, opponent: Opponent::Baseline, size: 8 };
        tune.add(Trial { proposal, outcome: Some(outcome) }).expect("a trial");
    }
    let best = tune.best().remove(0);
    for (place, name) in ["x0", "x1"].into_iter().enumerate() {
        let of = |key: &str| number(&known["coulom_core"][key][place]);
        let (mean, most, found) = (of("weighted_mean"), of("max"), real(&best, name));
        let between = mean.min(most)..=mean.max(most);
        assert!(between.contains(&found), "{name} is {found}, and not between {mean} and {most}");
    }
}

/// A tune that wants 10 Elo with a chance of 95 % has this gain at its end. Its draws count as none. Its quantile of the chi-square
/// distribution is an approximation, which is 2.5 % off for one parameter. Nothing uses the design's number of games.
#[test]
fn the_gain_of_spsa_is_that_of_van_den_berghs_design() {
    let (pairs, wait) = (100.0_f64, 10.0);
    for row in reference("spsa_design_vdbergh").as_array().expect("rows") {
        let parameters = row["params"].as_u64().expect("a number");
        let names: Vec<String> = (0..parameters).map(|i| format!("x{i}")).collect();
        let space = cube(names.iter().map(String::as_str));
        let mut tune = Tune::new(space, Objective::on(8), StrategyName::Spsa, 200, 1);
        let (trial, proposal) = tune.ask();
        let Opponent::Point(opponent) = &proposal.opponent else { panic!("a point plays a point") };
        let reach = (real(&proposal.point, "x0") - real(opponent, "x0")) / 2.0;
        tune.tell(trial, Outcome { wins: 2, draws: 0, losses: 0 }).expect("a result");
        // The first gain falls as fishtest's does, and the step by its own power: see the schedule above.
        let gain = real(&tune.best()[0], "x0") / (2.0 * reach);
        let last = gain / ((wait + pairs) / (wait + 1.0)).powf(0.602) * pairs.powf(0.101).powi(2);
        let wanted =
            10.0 / number(&row["precision_elo"]) * number(&row["r"]) * (1.0 - number(&row["draw_ratio"]));
        let allowed = if parameters == 1 { 0.026 } else { 0.01 };
        assert!((last / wanted - 1.0).abs() < allowed, "{last} instead of {wanted}: {row}");
    }
}
