/** What a study recommended over the games. */

import type { PastRecommendation, TuneKnown, TuneRecommendation } from "../../api";
import { count, inPercent, valueText } from "../../format";
import type { Study } from "../../study";
import { gamesAxis, rateAxis, type ParameterAxis } from "../axis";
import type { Picture } from "../picture";
import { plotPicture, type PlotMark } from "../plot";

/** The looks back at a recommendation, and what is recommended now. */
export function courseOf({ course, games, results_seen: trials }: Pick<Study, "course" | "games" | "results_seen">, recommended: TuneRecommendation): PastRecommendation[] {
  const { point, parameters, overall, size } = recommended;
  const past = course.filter((one) => (one.size ?? null) === size && one.games < games);
  return [...past, { trials, games, point, parameters, ...(overall !== null && { rate: overall }), ...(size !== null && { size }) }];
}

/** The values that the model cannot tell from the best, in words. */
export function alikeWords(values: TuneKnown["values"]): string {
  const [low, high] = values;
  const isRange = values.length === 2 && typeof low === "number" && typeof high === "number";
  return isRange ? `${low} to ${high}` : values.map(String).join(", ");
}

const alikeOf = ({ parameters }: PastRecommendation, name: string) => parameters.find((one) => one.name === name)?.values ?? [];

/** The marks of the recommended value of a parameter, with what was not told apart from it. Settings that do not use it have no mark. */
export function courseMarks(course: readonly PastRecommendation[], axis: ParameterAxis): PlotMark[] {
  const x = gamesAxis(course.at(-1)?.games ?? 0);
  return course.filter(({ point }) => axis.isUsed(point)).map((one) => {
    const value = one.point[axis.name]!;
    const alike = alikeOf(one, axis.name);
    const ends = [value, ...alike].map(axis.place);
    const words = `After ${count(one.games)} games: ${axis.name}=${valueText(value)}${alike.length > 1 ? `, not told apart from ${alikeWords(alike)}` : ""}`;
    return { x: x.place(one.games), y: axis.place(value), bands: [[Math.min(...ends), Math.max(...ends)]], words };
  });
}

export function coursePicture(course: readonly PastRecommendation[], axis: ParameterAxis): Picture {
  const { name } = axis;
  const title = `Recommended ${name}`;
  return plotPicture({
    title,
    plot: { x: gamesAxis(course.at(-1)?.games ?? 0), y: axis, lines: [{ name: title, look: 2, dots: "each", marks: courseMarks(course, axis) }] },
    table: () => ({ columns: ["games", name, "not_told_apart"], rows: course.map((one) => [one.games, axis.isUsed(one.point) ? String(one.point[name]) : null, alikeWords(alikeOf(one, name))]) }),
  });
}

/** The win rate that the model expected of what was recommended; none before there is one. */
export function expectedPicture(course: readonly PastRecommendation[]): Picture | undefined {
  const rated = course.flatMap(({ games, rate }) => (rate === undefined ? [] : [{ games, ...rate }]));
  if (rated.length === 0) return undefined;
  const x = gamesAxis(course.at(-1)?.games ?? 0);
  const y = rateAxis(rated.flatMap(({ low, high }) => [low, high]));
  const title = "Win rate that the model expected";
  const mark = ({ games, rate, low, high }: (typeof rated)[number]): PlotMark => ({
    x: x.place(games),
    y: y.place(rate),
    bands: [[y.place(low), y.place(high)]],
    words: `After ${count(games)} games: the model expected ${inPercent(rate)}`,
  });
  return plotPicture({
    title,
    plot: { x, y, levels: [{ at: y.place(0.5), text: "50" }], lines: [{ name: title, look: 6, dots: "each", marks: rated.map(mark) }] },
    table: () => ({ columns: ["games", "rate", "low", "high"], rows: rated.map(({ games, rate, low, high }) => [games, rate, low, high]) }),
  });
}
