/** What the pictures of a tune show: its responses, and the course of its recommendation. */

import type { PastRecommendation, TuneKnown, TuneRecommendation, TuneResponse } from "../api";
import { count, inPercent, interval, valueText } from "../format";
import type { Band } from "./tune-band";
import { gamesAxis, rateAxis } from "./tune-axis";
import type { ParameterAxis } from "./tune-axis";
import type { Tuned } from "../tuned";

/** The fitted win rate along a parameter, with all others as recommended. */
export function responseBand({ rates }: TuneResponse, axis: ParameterAxis, recommended: TuneRecommendation): Band {
  const y = rateAxis(rates.flatMap(([, { low, high }]) => [low, high]));
  return {
    x: axis,
    y,
    isApart: axis.isChoice,
    at: axis.place(recommended.point[axis.name]!),
    level: y.place(0.5),
    marks: rates.map(([value, { rate, low, high }]) => ({
      x: axis.place(value),
      y: y.place(rate),
      low: y.place(low),
      high: y.place(high),
      words: `${axis.name}=${valueText(value)}: ${inPercent(rate)}, interval ${interval(low, high)} %`,
    })),
  };
}

/** The looks back at a recommendation, and what is recommended now. */
export function courseOf(tuned: Pick<Tuned, "course" | "games" | "results_seen">, recommended: TuneRecommendation): PastRecommendation[] {
  const past = tuned.course.filter(({ size }) => (size ?? null) === recommended.size);
  const { games } = tuned;
  const { point, parameters, overall, size } = recommended;
  const now = { trials: tuned.results_seen, games, point, parameters, ...(overall !== null && { rate: overall }), ...(size !== null && { size }) };
  return [...past.filter((one) => one.games < games), now];
}

/** The recommended value of a parameter over the games, with what was not told apart from it. Settings that do not use it have no mark. */
export function courseBand(course: readonly PastRecommendation[], axis: ParameterAxis): Band {
  const x = gamesAxis(course.at(-1)?.games ?? 0);
  return {
    x,
    y: axis,
    isApart: false,
    marks: course.filter(({ point }) => axis.isUsed(point)).map(({ games, point, parameters }) => {
      const value = point[axis.name]!;
      const alike = parameters.find(({ name }) => name === axis.name)?.values ?? [];
      const ends = [value, ...alike].map(axis.place);
      return {
        x: x.place(games),
        y: axis.place(value),
        low: Math.min(...ends),
        high: Math.max(...ends),
        words: `After ${count(games)} games: ${axis.name}=${valueText(value)}${alike.length > 1 ? `, not told apart from ${alikeWords(alike)}` : ""}`,
      };
    }),
  };
}

/** The expected win rate of what was recommended, over the games. */
export function expectedBand(course: readonly PastRecommendation[]): Band {
  const rated = course.flatMap(({ games, rate }) => (rate === undefined ? [] : [{ games, ...rate }]));
  const x = gamesAxis(course.at(-1)?.games ?? 0);
  const y = rateAxis(rated.flatMap(({ low, high }) => [low, high]));
  return {
    x,
    y,
    isApart: false,
    level: y.place(0.5),
    marks: rated.map(({ games, rate, low, high }) => ({
      x: x.place(games),
      y: y.place(rate),
      low: y.place(low),
      high: y.place(high),
      words: `After ${count(games)} games: the model expected ${inPercent(rate)}`,
    })),
  };
}

/** The values that the model cannot tell from the best, in words. */
export function alikeWords(values: TuneKnown["values"]): string {
  const [low, high] = values;
  const isRange = values.length === 2 && typeof low === "number" && typeof high === "number";
  return isRange ? `${low} to ${high}` : values.map(String).join(", ");
}
