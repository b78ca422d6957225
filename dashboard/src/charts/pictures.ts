/** The pictures of a view, and which charts an experiment has. */

import type { Series } from "../api";
import type { CasePicture, ChartKind, Scene } from "./kind";
import { CHARTS } from "./list";
import type { Panel } from "./panels";
import type { Selection } from "./selection";
import { sweepsOf, type Parameter } from "./sweeps";

/** The name of a chart in addresses. */
export type Chart = (typeof CHARTS)[number]["key"];

export const chartOf = (key: Chart): ChartKind<Chart> => CHARTS.find((chart) => chart.key === key)!;

/** The charts that an experiment has. */
export function chartsOf(panels: readonly Panel[], earlier: readonly Series[] = []): Chart[] {
  return CHARTS.filter(({ isOffered }) => isOffered(panels, earlier)).map(({ key }) => key);
}

/**
 * The chart on which an experiment opens. Where all cases belong to sweeps of as many numbers, these are its axes: one number across, or
 * two; flags and words beside them make curves or maps. More numbers have no picture that is read at a glance, so that the cases stand
 * below each other, the best first.
 */
export function bestChart(panels: readonly Panel[]): Chart {
  const lines = panels.flatMap((panel) => panel.lines);
  const sweeps = sweepsOf(lines);
  const isWhole = sweeps.length > 0 && sweeps.reduce((sum, sweep) => sum + sweep.lines.length, 0) === lines.length;
  const isNumeric = ({ values }: Parameter) => values.every((value) => typeof value === "number");
  const numbers = new Set(sweeps.map(({ parameters }) => parameters.filter(isNumeric).length));
  const [number = 0] = numbers;
  if (!isWhole || number === 0 || numbers.size > 1) return "size";
  return number === 1 ? "response" : number === 2 ? "heat" : "cases";
}

/** The chart that a view wants, if the experiment has it. */
export function chosenChart(panels: readonly Panel[], wanted: Chart | undefined, earlier: readonly Series[] = []): Chart {
  const chart = wanted ?? bestChart(panels);
  return chartsOf(panels, earlier).includes(chart) ? chart : "size";
}

type Axes = { chart: Chart } & Pick<Scene, "across" | "upwards">;

export function picturesOf(
  { visible, panels, unit, domain }: Pick<Selection, "visible" | "panels" | "unit" | "domain">,
  sizes: readonly number[],
  { chart, across, upwards }: Axes,
  beside: Pick<Scene, "references" | "analysed" | "earlier"> = {},
): CasePicture[] {
  return chartOf(chart).pictures({ visible, panels, unit, domain, sizes, ...(across !== undefined && { across }), ...(upwards !== undefined && { upwards }), ...beside });
}
