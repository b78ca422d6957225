/** A report as the coordinator sends it, small enough to follow by eye: rates are wins over games. */

import type { Budget, ExperimentReport, Point, Series } from "../src/api";

/** A cell with this many wins of so many games and an interval of so many hundredths to either side. */
export function point(size: number, wins: number, games: number, reach: number): Point {
  const rate = games === 0 ? null : wins / games;
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
    pairs: games / 2,
    pair_counts: [0, 0, 0, 0, 0, 0],
    rate,
    low: rate === null ? null : Math.max(0, rate - reach / 100),
    high: rate === null ? null : Math.min(1, rate + reach / 100),
    cs_low: rate === null ? null : Math.max(0, rate - (1.7 * reach) / 100),
    cs_high: rate === null ? null : Math.min(1, rate + (1.7 * reach) / 100),
    verdict: "open",
    words: rate === null ? null : "The true rate is somewhere.",
    e_value: null,
    elo: null,
    elo_low: null,
    elo_high: null,
    cs_elo_low: null,
    cs_elo_high: null,
    normalised_elo: null,
    normalised_elo_error: null,
    draw_rate: rate === null ? null : 0,
    effective_games: null,
    design_effect: null,
    first_move_rate: null,
    win_kinds: [0, 0, 0],
    mean_plies: null,
  };
}

export function series(label: string, points: Point[], more: Partial<Series> = {}): Series {
  const budget: Budget = { sims: 1000 };
  return { label, name: label, group: "rave", case: {}, swept: {}, baseline_label: "uct", baseline: {}, budget, points, ...more };
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
      cells: 9,
      games_planned: 1800,
      games_done: 1800,
      pairs_in_flight: 0,
      pairs_aside: 0,
      core_seconds: 3600,
      games_per_minute: 0,
      seconds_left: null,
      created_ms: 1_700_000_000_000,
    },
    sizes,
    series: all,
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
