//! Draws points where the model has weight.

use crate::features::Row;
use crate::fit::Fit;
use crate::rng::Rng;
use crate::space::{Coordinates, Space};

/// How often each coordinate moves.
const SWEEPS: usize = 2;

/// A place drawn with a density in proportion to the fit's weight.
///
/// The chain begins at the point of a trial, drawn by its weight, so it begins near its equilibrium. It moves by slice
/// sampling along coordinates and along differences of two such points, which follow narrow valleys. Flags and words are drawn
/// by their weights given all else.
///
/// Source: Neal, "Slice sampling", Annals of Statistics 31 (2003).
pub(crate) fn sample(space: &Space, fit: &Fit, rng: &mut Rng) -> Coordinates {
    let (points, cumulative) = fit.weighted();
    let Some(&total) = cumulative.last() else { return space.draw(rng) };
    let drawn = |rng: &mut Rng| {
        let at = rng.uniform() * total;
        &points[cumulative.partition_point(|sum| *sum < at).min(points.len() - 1)].place
    };
    let mut place = drawn(rng).clone();
    let mut row = Row::default();
    let numbers: Vec<usize> =
        (0..place.len()).filter(|&i| space.parameters()[i].kind.choices().is_none()).collect();
    for _ in 0..SWEEPS {
        for (i, parameter) in space.parameters().iter().enumerate() {
            match parameter.kind.choices() {
                Some(values) => {
                    let mut chance = |value: usize| {
                        place[i] = value as f64;
                        fit.log_weight(&place, &mut row).exp()
                    };
                    let chances: Vec<f64> = (0..values).map(&mut chance).collect();
                    place[i] = rng.weighted(&chances) as f64;
                }
                None => {
                    let mut direction = vec![0.0; place.len()];
                    direction[i] = 1.0;
                    slice(fit, &mut place, &direction, rng, &mut row);
                }
            }
            let (a, b) = (drawn(rng), drawn(rng));
            let mut direction = vec![0.0; place.len()];
            numbers.iter().for_each(|&i| direction[i] = a[i] - b[i]);
            if direction.iter().any(|d| *d != 0.0) {
                slice(fit, &mut place, &direction, rng, &mut row);
            }
        }
    }
    space.settle(&mut place);
    place
}

/// One step of slice sampling along a direction, inside the unit cube.
fn slice(fit: &Fit, place: &mut Coordinates, direction: &[f64], rng: &mut Rng, row: &mut Row) {
    let (mut low, mut high) = (f64::MIN, f64::MAX);
    for (t, d) in place.iter().zip(direction).filter(|(_, d)| **d != 0.0) {
        let (a, b) = (-t / d, (1.0 - t) / d);
        (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
    }
    let level = fit.log_weight(place, row) + rng.uniform().ln();
    let begin = place.clone();
    // The interval halves or so at each step; far below the width of the slice the point stays where it is.
    for _ in 0..60 {
        let step = low + rng.uniform() * (high - low);
        for ((t, from), d) in place.iter_mut().zip(&begin).zip(direction).filter(|(_, d)| **d != 0.0) {
            *t = (from + step * d).clamp(0.0, 1.0);
        }
        if fit.log_weight(place, row) >= level {
            return;
        }
        if step < 0.0 { low = step } else { high = step }
    }
    *place = begin;
}
