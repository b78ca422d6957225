/** The parts of a picture as a LaTeX figure: pgfplots with error bars. */

import type { Point } from "../api";
import { RATE, type Unit } from "../charts/unit";
import { counted } from "../format";
import { escapeLatex } from "./latex";

/** Markers of pgfplots in the order of the page's. */
export const MARKS = ["*", "square*", "triangle*", "diamond*", "pentagon*", "o", "square", "x"];

/** A measure for the axis: win rates in per cent. */
export function axisValue(value: number, unit: Unit): string {
  return (unit === RATE ? 100 * value : value).toFixed(unit === RATE ? 2 : 1);
}

/** That points are missing in a figure, if some are. */
export function leftOut(points: readonly Point[], unit: Unit): string {
  const infinite = points.filter((point) => Math.abs(unit.of(point)?.value ?? 0) === Infinity).length;
  return infinite === 0 ? "" : ` ${counted(infinite, "point")} ${infinite === 1 ? "is" : "are"} infinite and left out.`;
}

/** A coordinate with its error bars; none for what is infinite, which no axis has. */
export function coordinate(along: number, point: Point, unit: Unit, axis: "x" | "y"): string | undefined {
  const ends = unit.of(point);
  if (ends === undefined || !Number.isFinite(ends.value)) return undefined;
  const { value, low, high } = ends;
  const pair = (along: string, value: string) => (axis === "y" ? `(${along}, ${value})` : `(${value}, ${along})`);
  // What no number bounds reaches to the edge of the whole axis.
  const length = (end: number) => (Number.isFinite(end) ? Math.abs(end - value) : Math.max(0, Math.sign(end) * (unit.full[end > 0 ? 1 : 0] - value)));
  const reach = (end: number) => pair("0", axisValue(length(end), unit));
  return `      ${pair(String(along), axisValue(value, unit))} += ${reach(high)} -= ${reach(low)}\n`;
}

export function figure(options: readonly string[], plots: readonly string[], caption: string): string {
  return (
    `% \\usepackage[T1]{fontenc} \\usepackage{pgfplots} \\pgfplotsset{compat=1.17}\n\\begin{figure}\n  \\centering\n  \\begin{tikzpicture}\n` +
    `    \\begin{axis}[\n${options.map((option) => `      ${option},\n`).join("")}    ]\n${plots.join("")}    \\end{axis}\n` +
    `  \\end{tikzpicture}\n  \\caption{${escapeLatex(caption)}}\n\\end{figure}\n`
  );
}
