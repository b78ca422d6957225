/** The points that a study has played: a line for each across an axis for each parameter, ending at its score. */

import type { PlayedPoint } from "../../api";
import { counted, inPercent, valueText } from "../../format";
import { linearAxis, type ParameterAxis, type TunedPoint } from "../axis";
import type { Picture } from "../picture";
import { STRANDS_HEIGHT, StrandsChart, type Strands } from "../strands";

/** A point in words, with the parameters that it uses. */
export function pointWords({ point, opponent, size, outcome, rate }: PlayedPoint, axes: readonly ParameterAxis[]): string {
  const of = (values: TunedPoint) => axes.flatMap((axis) => (axis.isUsed(values) ? [`${axis.name}=${valueText(values[axis.name])}`] : [])).join(", ");
  const games = outcome.wins + outcome.draws + outcome.losses;
  return `${of(point)} against ${opponent === undefined ? "the baseline" : of(opponent)}, size ${size}: ${inPercent(rate)} of ${counted(games, "game")}`;
}

export function pointsPicture(points: readonly PlayedPoint[], axes: readonly ParameterAxis[], recommended: TunedPoint): Picture {
  const placesOf = (point: TunedPoint) => axes.map((axis) => (axis.isUsed(point) ? axis.place(point[axis.name]!) : undefined));
  const score = linearAxis("Score", [0, 1], { write: (rate) => `${100 * rate}\u00a0%` });
  const strands: Strands = {
    axes: axes.map(({ name, ticks }) => ({ name, ticks: ticks(6) })),
    end: { name: score.title, ticks: score.ticks(5) },
    recommended: placesOf(recommended),
    strands: points.map((played) => ({
      key: `${played.number}/${played.size}`,
      places: placesOf(played.point),
      end: played.rate,
      rate: played.rate,
      words: pointWords(played, axes),
      // Points of other programs have no cell.
      cell: played.cell,
    })),
  };
  return {
    title: "Points played, by their score",
    height: () => STRANDS_HEIGHT,
    draw: (canvas) => <StrandsChart strands={strands} canvas={canvas} />,
    table: () => ({
      columns: [...axes.map(({ name }) => name), "size", "wins", "draws", "losses", "rate"],
      rows: points.map(({ point, size, outcome, rate }) => [...axes.map(({ name, isUsed }) => (isUsed(point) ? String(point[name]) : null)), size, outcome.wins, outcome.draws, outcome.losses, rate]),
    }),
  };
}
