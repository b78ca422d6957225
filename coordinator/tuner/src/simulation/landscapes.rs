//! The landscapes that strategies are judged on. No constant of a strategy was chosen on them.

use super::Landscape;
use crate::objective::{Aim, Objective, SizeWeight};
use crate::space::{Condition, Kind, Parameter, Scale, Space, Value};

/// All landscapes: the first three are published, with the figures of other tuners.
#[must_use]
pub fn landscapes() -> Vec<Landscape> {
    let mut all = vec![log5(), ill2(), hav10(), dead_zone(), useless(), conditional()];
    all.extend([Aim::Mean, Aim::Each, Aim::Worst].map(sizes));
    all.push(engine());
    all
}

pub(super) fn real(name: &str, start: f64) -> Parameter {
    let kind = Kind::Real { low: 0.0, high: 1.0, scale: Scale::Linear };
    Parameter { name: name.to_owned(), kind, start: Value::Real(start), only_if: None }
}

pub(super) fn whole(name: &str, low: i64, high: i64, start: i64) -> Parameter {
    let kind = Kind::Whole { low, high, scale: Scale::Linear };
    Parameter { name: name.to_owned(), kind, start: Value::Whole(start), only_if: None }
}

pub(super) fn word(name: &str, count: usize) -> Parameter {
    let values: Vec<String> = (0..count).map(|value| value.to_string()).collect();
    let start = Value::Word(values[0].clone());
    Parameter { name: name.to_owned(), kind: Kind::Word { values }, start, only_if: None }
}

pub(super) fn space(parameters: Vec<Parameter>) -> Space {
    Space::new(parameters).expect("a landscape's parameters are a space")
}

/// Coulom's: a slope to a cliff in each of five numbers.
fn log5() -> Landscape {
    Landscape {
        name: "log5".to_owned(),
        about: "5 numbers; a gentle slope that ends in a cliff (Coulom)",
        space: space((0..5).map(|i| real(&format!("x{i}"), 0.5)).collect()),
        objective: Objective::on(8),
        strength: Box::new(|t, _| {
            let r = |t: &f64| {
                let v = 2.0 * t - 1.0;
                2.0 * (4.0 * v + 4.1).ln() - 4.0 * v - 3.0
            };
            t.iter().map(r).sum::<f64>() / 5.0
        }),
        first_move: 0.0,
        draws: 0.0,
        optimum: vec![vec![0.2375; 5]],
    }
}

/// Coulom's: a narrow valley with steep walls, across both axes.
fn ill2() -> Landscape {
    Landscape {
        name: "ill2".to_owned(),
        about: "2 numbers; a narrow ridge with steep walls, oblique to both (Coulom)",
        space: space((0..2).map(|i| real(&format!("x{i}"), 0.5)).collect()),
        objective: Objective::on(8),
        strength: Box::new(|t, _| {
            let (a, b) = (2.0 * t[0] - 1.0, 2.0 * t[1] - 1.0);
            let f = |x: f64| x * x * (x * (1.0 - x) - 1.0);
            (0.2 * (f(10.0 * (a + b + 0.1)) + f(a - b + 0.9)) + 0.1).max(-30.0)
        }),
        first_move: 0.0,
        draws: 0.0,
        optimum: vec![vec![0.25, 0.7]],
    }
}

/// A bowl near its bottom, a cone far away.
pub(super) fn bowl(x: f64) -> f64 {
    const D: f64 = 0.25;
    2.0 * D * D * ((1.0 + (x / D).powi(2)).sqrt() - 1.0)
}

/// Ten parameters like those of the engine.
fn hav10() -> Landscape {
    const OPTIMUM: [f64; 7] = [0.28, 0.35, 0.30, 0.75, 0.40, 3.0 / 19.0, 0.60];
    const WEIGHTS: [f64; 7] = [3.0, 2.4, 0.0, 1.2, 0.5, 0.9, 0.3];
    Landscape {
        name: "hav10".to_owned(),
        about: "7 numbers and 3 words like the engine's; one number does nothing, one word is a decoy, two numbers interact",
        space: space(vec![
            real("explore", 0.5),
            real("ravefactor", 0.7),
            real("decrrave", 0.4),
            whole("bridge", 0, 100, 50),
            whole("locality", 0, 20, 0),
            whole("visitexpand", 1, 20, 1),
            real("dynwiden", 0.0),
            word("shortrave", 2),
            word("lastgoodreply", 3),
            word("instantwin", 3),
        ]),
        objective: Objective::on(8),
        strength: Box::new(|t, _| {
            let shortrave = t[7] >= 0.5;
            let e = |i: usize| t[i] - if i == 1 && shortrave { 0.60 } else { OPTIMUM[i] };
            let bowls: f64 = (0..7).map(|i| WEIGHTS[i] * bowl(e(i))).sum();
            0.55 - bowls
                - 1.5 * e(0) * e(1)
                - if shortrave { 0.10 } else { 0.0 }
                - [0.18, 0.10, 0.0][t[8] as usize]
                - [0.12, 0.0, 0.06][t[9] as usize]
        }),
        first_move: 0.5,
        draws: 0.02,
        optimum: vec![[&OPTIMUM[..], &[0.0, 2.0, 1.0]].concat()],
    }
}

/// A flat top in a wide plain: most points tell nothing about the way.
fn dead_zone() -> Landscape {
    const OPTIMUM: [f64; 4] = [0.7, 0.3, 0.6, 0.45];
    Landscape {
        name: "dead-zone".to_owned(),
        about: "4 numbers; a flat top in a plain without slopes, where the start is",
        space: space((0..4).map(|i| real(&format!("x{i}"), [0.1, 0.9, 0.1, 0.9][i])).collect()),
        objective: Objective::on(8),
        strength: Box::new(|t, _| {
            let loss: f64 =
                t.iter().zip(OPTIMUM).map(|(t, best)| ((t - best).abs() - 0.05).max(0.0).powi(2)).sum();
            (0.6 - 6.0 * loss).max(-0.6)
        }),
        first_move: 0.5,
        draws: 0.02,
        optimum: vec![OPTIMUM.to_vec()],
    }
}

/// Many parameters, most of which do nothing.
fn useless() -> Landscape {
    Landscape {
        name: "useless30".to_owned(),
        about: "30 numbers, of which 20 do nothing",
        space: space((0..30).map(|i| real(&format!("x{i}"), 0.5)).collect()),
        objective: Objective::on(8),
        strength: Box::new(|t, _| {
            // Every third number matters.
            let loss = |i: usize| 0.4 * (1 + i % 5) as f64 * bowl(t[3 * i] - 0.2 - 0.06 * i as f64);
            0.6 - (0..10).map(loss).sum::<f64>()
        }),
        first_move: 0.5,
        draws: 0.02,
        optimum: vec![(0..30).map(|i| if i % 3 == 0 { 0.2 + 0.02 * f64::from(i) } else { 0.5 }).collect()],
    }
}

/// A heuristic that pays only with the right weight.
fn conditional() -> Landscape {
    let flag = Parameter {
        name: "heuristic".to_owned(),
        kind: Kind::Flag {},
        start: Value::Flag(false),
        only_if: None,
    };
    let on = Condition { parameter: flag.name.clone(), values: vec![Value::Flag(true)] };
    let only_if_on = |parameter: Parameter| Parameter { only_if: Some(on.clone()), ..parameter };
    Landscape {
        name: "conditional".to_owned(),
        about: "2 numbers and a flag; where the flag is on, a number and a word more, without which it does harm",
        space: space(vec![
            real("explore", 0.5),
            real("rave", 0.5),
            flag,
            only_if_on(real("weight", 0.1)),
            only_if_on(word("mode", 3)),
        ]),
        objective: Objective::on(8),
        strength: Box::new(|t, _| {
            let basis = 0.1 - 2.0 * bowl(t[0] - 0.3) - 1.5 * bowl(t[1] - 0.65);
            let heuristic = 0.4 - 2.5 * bowl(t[3] - 0.7) - [0.15, 0.0, 0.25][t[4] as usize];
            basis + if t[2] >= 0.5 { heuristic } else { 0.0 }
        }),
        first_move: 0.5,
        draws: 0.02,
        optimum: vec![vec![0.3, 0.65, 1.0, 0.7, 1.0]],
    }
}

/// The optimum moves with the board size.
fn sizes(aim: Aim) -> Landscape {
    let weights = [4, 6, 8, 10].map(|size| SizeWeight { size, weight: 1.0 }).to_vec();
    let (name, about) = match aim {
        Aim::Mean => ("sizes-mean", "4 numbers on 4 sizes with different optima; the best setting for all"),
        Aim::Each => ("sizes-each", "the same; the best setting for each size"),
        Aim::Worst => ("sizes-worst", "the same; the setting that is best on its worst size"),
    };
    let landscape = Landscape {
        name: name.to_owned(),
        about,
        space: space((0..4).map(|i| real(&format!("x{i}"), 0.5)).collect()),
        objective: Objective::new(weights, aim).expect("sizes with weights"),
        strength: Box::new(|t, size| {
            // From 0 on size 4 to 1 on size 10.
            let large = f64::from(size - 4) / 6.0;
            let best = [0.3 + 0.4 * large, 0.6, 0.8 - 0.3 * large, 0.35];
            let loss = |i: usize| [3.0, 2.0, 1.5, 1.0][i] * bowl(t[i] - best[i]);
            0.5 + 0.3 * large - (0..4).map(loss).sum::<f64>()
        }),
        first_move: 0.5,
        draws: 0.0,
        optimum: Vec::new(),
    };
    landscape.with_searched_optimum()
}

/// Effects as measured in sweeps of the engine against `rave` with 2000 simulations, on sizes 5 and 8 (100 games a cell,
/// `docs/results/heuristics/tree.csv` and `knowledge.csv`), as if they added up.
fn engine() -> Landscape {
    /// Logits at 50, 500 and 2000, by size.
    const RAVE_K: [[f64; 3]; 2] = [[-0.58, 0.0, -0.20], [-0.80, 0.0, -0.24]];
    /// Logits at 0, 0.2 and 1.
    const EXPLORATION: [[f64; 3]; 2] = [[0.0, -0.24, -0.71], [0.0, -0.20, -2.31]];
    const EXPAND_VISITS: [[f64; 3]; 2] = [[0.0, -0.28, 0.32], [0.0, -0.16, -0.66]];
    const LOOKAHEAD: [[f64; 3]; 2] = [[-0.62, -0.36, 0.0], [-1.15, -1.45, 0.0]];
    const FINAL_MOVE: [[f64; 3]; 2] = [[0.0, -0.12, -0.24], [0.0, 0.08, -0.08]];
    /// Decreasing RAVE, draw detection, widening, locality, connectivity, group size, distance to win.
    const FLAGS: [[f64; 7]; 2] =
        [[0.49, -0.12, -0.20, -0.24, 0.38, 0.24, 0.53], [-0.28, 0.36, 1.21, 0.80, 0.0, 0.75, 0.0]];
    let flag = |name: &str| Parameter {
        name: name.to_owned(),
        kind: Kind::Flag {},
        start: Value::Flag(false),
        only_if: None,
    };
    let logarithmic = Kind::Real { low: 50.0, high: 2000.0, scale: Scale::Log };
    let words = |name: &str, values: [&str; 3], start: &str| Parameter {
        name: name.to_owned(),
        kind: Kind::Word { values: values.map(str::to_owned).to_vec() },
        start: Value::Word(start.to_owned()),
        only_if: None,
    };
    let mut parameters = vec![
        Parameter { name: "rave_k".to_owned(), kind: logarithmic, start: Value::Real(500.0), only_if: None },
        real("exploration", 0.0),
        whole("expand_visits", 1, 10, 1),
        words("lookahead", ["0", "1", "2"], "2"),
        words("final_move", ["visits", "wins", "value"], "visits"),
    ];
    let flags = ["decreasing", "draws", "widening", "locality", "connectivity", "group_size", "distance"];
    parameters.extend(flags.map(flag));
    let weights = [5, 8].map(|size| SizeWeight { size, weight: 1.0 }).to_vec();
    let landscape = Landscape {
        name: "engine".to_owned(),
        about: "3 numbers, 2 words and 7 flags on 2 sizes; effects as measured in sweeps of the engine",
        space: space(parameters),
        objective: Objective::new(weights, Aim::Mean).expect("sizes with weights"),
        strength: Box::new(|t, size| {
            let size = usize::from(size == 8);
            // Piecewise linear between the measured places.
            let between = |y: [f64; 3], middle: f64, t: f64| {
                if t < middle {
                    y[0] + (y[1] - y[0]) * t / middle
                } else {
                    y[1] + (y[2] - y[1]) * (t - middle) / (1.0 - middle)
                }
            };
            let k = between(RAVE_K[size], 10_f64.ln() / 40_f64.ln(), t[0]);
            let numbers =
                k + between(EXPLORATION[size], 0.2, t[1]) + between(EXPAND_VISITS[size], 2.0 / 9.0, t[2]);
            let words = LOOKAHEAD[size][t[3] as usize] + FINAL_MOVE[size][t[4] as usize];
            let flags: f64 = FLAGS[size].iter().zip(&t[5..]).map(|(effect, on)| effect * on).sum();
            numbers + words + flags
        }),
        first_move: 0.3,
        draws: 0.0,
        optimum: Vec::new(),
    };
    landscape.with_searched_optimum()
}
