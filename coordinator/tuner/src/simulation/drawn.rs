//! Landscapes drawn at random: those on which the constants of strategies are chosen.

use super::Landscape;
use super::landscapes::{bowl, real, space, whole, word};
use crate::objective::Objective;
use crate::rng::Rng;
use crate::space::Space;

/// A landscape of this number. Two to nine numbers, some of them whole and some without effect, are each a bowl, a parabola or
/// a slope to a cliff; some interact; up to three words have effects of their own. Every third landscape is an oblique ridge.
#[must_use]
pub fn drawn(number: u64) -> Landscape {
    let mut rng = Rng::stream(0x64_7261_776e, number);
    let numbers = 2 + rng.below(8);
    let words = rng.below(4);
    let ridge = number % 3 == 2;
    let mut parameters = Vec::new();
    let mut optimum = Vec::new();
    for i in 0..numbers {
        let start = rng.uniform();
        let best = 0.1 + 0.8 * rng.uniform();
        if rng.below(3) == 0 {
            let steps = [4, 10, 25, 100][rng.below(4)];
            parameters.push(whole(&format!("x{i}"), 0, steps, (start * steps as f64).round() as i64));
            optimum.push((best * steps as f64).round() / steps as f64);
        } else {
            parameters.push(real(&format!("x{i}"), start));
            optimum.push(best);
        }
    }
    let mut effects: Vec<Vec<f64>> = Vec::new();
    for i in 0..words {
        let values = 2 + rng.below(3);
        let best = rng.below(values);
        parameters.push(word(&format!("w{i}"), values));
        optimum.push(best as f64);
        let mut loss = |value: usize| if value == best { 0.0 } else { -(0.03 + 0.25 * rng.uniform()) };
        effects.push((0..values).map(&mut loss).collect());
    }
    // Logits lost at a distance of half the range.
    let weights: Vec<f64> = (0..numbers)
        .map(|_| if rng.below(5) == 0 { 0.0 } else { 4.0 * (0.05_f64).powf(rng.uniform()) })
        .collect();
    let shapes: Vec<usize> = (0..numbers).map(|_| rng.below(3)).collect();
    // Correlations of neighbours, and of a ridge the direction and the steepness across it.
    let correlations: Vec<f64> = (0..numbers).map(|_| 1.2 * (rng.uniform() - 0.5)).collect();
    let across: Vec<f64> = (0..numbers).map(|_| rng.uniform() - 0.5).collect();
    let steep = if ridge { 5.0 * 20_f64.powf(rng.uniform()) } else { 0.0 };
    let at = optimum.clone();
    let strength = move |t: &[f64], _: u8| {
        let e: Vec<f64> = (0..numbers).map(|i| t[i] - at[i]).collect();
        let mut logit = 0.1 + 0.1 * numbers as f64;
        for i in 0..numbers {
            logit -= weights[i]
                * match shapes[i] {
                    0 => bowl(e[i]),
                    1 => 0.6 * e[i] * e[i],
                    // A gamma density's logarithm, with its cliff at 0.
                    _ => {
                        let scale = at[i].max(0.05);
                        let x = (t[i] + 0.02) / (scale + 0.02);
                        0.5 * scale * (x - 1.0 - x.ln())
                    }
                };
            if i > 0 {
                let size = (weights[i] * weights[i - 1]).sqrt();
                logit -= correlations[i]
                    * size
                    * (bowl(e[i]) * bowl(e[i - 1])).sqrt()
                    * (e[i] * e[i - 1]).signum();
            }
        }
        for (i, effects) in effects.iter().enumerate() {
            logit += effects[t[numbers + i] as usize];
        }
        let off: f64 = e.iter().zip(&across).map(|(e, a)| e * a).sum();
        (logit - steep * off * off).max(-30.0)
    };
    Landscape {
        name: format!("drawn{number}"),
        about: "drawn at random",
        space: space(parameters),
        objective: Objective::on(8),
        strength: Box::new(strength),
        first_move: [0.0, 0.3, 1.0][rng.below(3)],
        draws: 0.0,
        optimum: vec![optimum],
    }
}

/// The most logits that a number costs at a distance of half its range, and a flag or word with a wrong value. Settings of the engine
/// have such effects.
const MOST_LOST: f64 = 1.5;

/// A landscape over this space, drawn at random: each number a bowl of its own, and an effect of each value of a flag or word. Most
/// parameters have small effects. All sizes are alike.
#[must_use]
pub fn over(space: &Space, objective: &Objective, number: u64) -> Landscape {
    let mut rng = Rng::stream(0x6f76_6572, number);
    let mut optimum = space.draw(&mut rng);
    space.settle(&mut optimum);
    let weights: Vec<f64> = optimum.iter().map(|_| MOST_LOST * 0.05_f64.powf(rng.uniform())).collect();
    let is_number: Vec<bool> = space.parameters().iter().map(|one| one.kind.choices().is_none()).collect();
    let best = 0.2 + 0.3 * rng.uniform();
    let (at, of_space) = (optimum.clone(), space.clone());
    let strength = move |t: &[f64], _: u8| {
        let lost = |i: usize| match is_number[i] {
            _ if !of_space.is_active(i, t) => 0.0,
            true => weights[i] * 4.0 * bowl(t[i] - at[i]),
            false if t[i] == at[i] => 0.0,
            false => weights[i] / 3.0,
        };
        best - (0..t.len()).map(lost).sum::<f64>()
    };
    Landscape {
        name: format!("over{number}"),
        about: "drawn at random over a space",
        space: space.clone(),
        objective: objective.clone(),
        strength: Box::new(strength),
        first_move: 0.3,
        draws: 0.0,
        optimum: vec![optimum; objective.targets().len()],
    }
}
