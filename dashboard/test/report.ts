/** A report as the coordinator sends it, small enough to follow by eye: rates are wins over games. */

import type { Budget, ExperimentAnalysis, ExperimentReport, Field, ParameterCurve, Point, RankedCase, Series } from "../src/api";

/** An estimate with an interval that reaches so far to either side. */
function estimate(rate: number, reach: number) {
  const [low, high] = [Math.max(0, rate - reach), Math.min(1, rate + reach)];
  return {
    confidence: 0.95,
    rate,
    standard_error: reach / 2,
    reach: 0,
    low,
    high,
    cs_low: Math.max(0, rate - 1.7 * reach),
    cs_high: Math.min(1, rate + 1.7 * reach),
    log_e_value: 0,
    e_value: 1,
    draw_rate: 0,
    design_effect: 1,
    effective_games: 100,
    superiority: 0.5,
  };
}

/** A cell with this many wins of so many games and an interval of so many hundredths to either side. */
export function point(size: number, wins: number, games: number, reach: number): Point {
  return {
    cell: `00000000-0000-8000-8000-0000000000${size.toString().padStart(2, "0")}`,
    size,
    games,
    games_planned: 200,
    pairs_in_flight: 1,
    pairs_aside: 0,
    wins,
    draws: 0,
    losses: games - wins,
    void_games: 0,
    pairs: games / 2,
    pair_counts: [0, 0, 0, 0, 0, 0],
    ...(games > 0 && estimate(wins / games, reach / 100)),
    verdict: "open",
    words: games === 0 ? null : "The true rate is somewhere.",
    first_move_rate: null,
    win_kinds: [0, 0, 0],
    mean_plies: null,
  };
}

export function series(label: string, points: Point[], more: Partial<Series> = {}): Series {
  const budget: Budget = { sims: 1000 };
  return { label, name: label, group: "rave", case: {}, swept: {}, logarithmic: [], semantics: 6, baseline_label: "uct", baseline: {}, budget, points, ...more };
}

export function report(all: Series[], sizes: number[] = [4, 6, 8]): ExperimentReport {
  return {
    summary: {
      id: "11111111-1111-8111-8111-111111111111",
      name: "rave-vs-uct",
      question: "Does RAVE beat plain UCT?",
      state: "finished",
      weight: 1,
      revision: 1,
      tags: [],
      is_control: false,
      is_tune: false,
      cells: 9,
      games_planned: 1800,
      games_done: 1800,
      games_not_needed: 0,
      pairs_in_flight: 0,
      pairs_aside: 0,
      core_seconds: 3600,
      games_per_minute: 0,
      seconds_left: null,
      created_ms: 1_700_000_000_000,
    },
    sizes,
    series: all,
    earlier: [],
    confidence: 0.95,
    interval_method: "Wilson, over pairs",
    sequence_method: "confidence sequence",
    guarantee: "However often you look, the chance that this is wrong is at most 5 %.",
    aside: [],
    warnings: [],
    timeline: [],
  };
}

/** Three cases, one of them without a game on the largest board. */
export const SWEEP = report([
  series("rave_k=50", [point(4, 80, 200, 7), point(6, 140, 200, 6), point(8, 180, 200, 4)]),
  series("rave_k=500", [point(4, 150, 200, 6), point(6, 160, 200, 6), point(8, 200, 200, 2)]),
  series("rave_k=1000", [point(4, 100, 200, 7), point(6, 150, 200, 6), point(8, 0, 0, 0)]),
]);

function result(case_: string, rate: number): RankedCase & { shrunken: number } {
  const numbers = { pairs: 100, rate, error: 0.03, low: rate - 0.06, high: rate + 0.06, cs_low: rate - 0.1, cs_high: rate + 0.1, shrunken: 0.5 + 0.9 * (rate - 0.5) };
  return { case: case_, sizes: 1, ...numbers, differs: false, may_be_best: true, log_e_value: 1, p_value: 0.2, adjusted_p_value: 0.5, heterogeneity: null };
}

/** An analysis as the coordinator would send it beside this report, with a case's first rate as its average. */
export function analysis(of: ExperimentReport, more: Partial<Field> = {}): ExperimentAnalysis {
  const names = of.series.map((own) => ({ case: own.name, against: own.baseline_label, budget: JSON.stringify(own.budget) }));
  const fields = [...new Set(names.map(({ against, budget }) => JSON.stringify([against, budget])))].map((key): Field => {
    const [against, budget] = JSON.parse(key) as [string, string];
    const members = of.series.filter((_, i) => names[i]!.against === against && names[i]!.budget === budget);
    const rated = members.flatMap((own) => own.points.filter(({ rate }) => rate !== undefined).map((point) => ({ own, point })));
    return {
      against,
      budget,
      sizes: of.sizes,
      cases: members.map((own) => result(own.name, own.points[0]!.rate ?? 0)).sort((a, b) => b.shrunken - a.shrunken),
      comparable: true,
      mean: 0.5,
      spread: 0.1,
      luck_of_the_best: 0.02,
      cells: rated.map(({ own, point: { size, rate } }) => ({ agreement: 0, ...result(own.name, rate!), size })).sort((a, b) => a.size - b.size || b.rate - a.rate),
      interaction: null,
      difference: null,
      curves: [],
      importance: null,
      ...more,
    };
  });
  const { id, name, question, games_done, games_planned } = of.summary;
  const sweep = { confidence: of.confidence, basis: "complete" as const, fields, ratings: [] };
  return { id, name, question, has_ended: true, is_complete: true, games_done, games_planned, sweep, series: names, comparisons: [] };
}

/** A parabola in the logarithm of a parameter from 10 to 1000, highest at 100. */
export function curve(size: number | null): ParameterCurve {
  const test = { statistic: 9, degrees: 2, p_value: 0.01 };
  return {
    parameter: "rave_k",
    size,
    curve: {
      logarithmic: true,
      values: 3,
      from: 10,
      to: 1000,
      coefficients: [0.4, 0, -0.4],
      line: [10, 31.6, 100, 316, 1000].map((value, i): [number, number] => [value, 0.6 - 0.025 * (i - 2) ** 2]),
      no_effect: test,
      misfit: null,
      optimum: { kind: "inside", at: 100, low: 40, high: 260, rate: 0.6 },
    },
  };
}
