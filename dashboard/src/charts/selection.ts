/** Which part of an experiment a view shows. */

import type { ExperimentReport } from "../api";
import { capital, noBreak, plain } from "../format";
import type { View } from "../url";
import { drawn, pickOf, TOP } from "./choice";
import { arrange, chosenPanels, isPale, type Arrangement, type Case, type Line, type Panel } from "./panels";
import { chartOf, type Chart } from "./pictures";
import { orderOfFile, type Standing } from "./standing";
import { fittedDomain, isBeyond, UNITS, type Unit } from "./unit";

/** A panel of which some lines are drawn. */
export interface ShownPanel extends Panel {
  /** The lines that are not drawn, for comparison. */
  others: Line[];
  /** The group of all its lines, if groups stand apart. */
  group: string | undefined;
  /** How many of the best cases are drawn, if that is how they were chosen. */
  best: number | undefined;
}

export interface Selection extends Arrangement {
  /** The panels shown. */
  shown: Panel[];
  /** The same panels with the lines drawn. */
  visible: ShownPanel[];
  /** The cases drawn, by key. */
  drawn: Map<string, Case>;
  /** One vertical axis for all of them. */
  unit: Unit;
  domain: readonly [number, number];
}

/** What of a view decides what a picture shows. */
export type Shown = Pick<View, "hidden" | "only" | "pick" | "top" | "find" | "panel" | "axis" | "unit" | "groups">;

/** What a view shows of a report, with the cases in this order. */
export function select(report: ExperimentReport, view: Shown, standing: Standing = orderOfFile(report)): Selection {
  const arrangement = arrange(report);
  const shown = chosenPanels(arrangement.panels, view.panel);
  const cases = drawn(arrangement.cases, shown, standing, view);
  const unit = UNITS[view.unit];
  const isTop = view.only.length === 0 && pickOf(view, arrangement.cases.length) === "top" && !report.summary.is_tune;
  const all = shown.map((panel) => ({
    ...panel,
    group: undefined,
    best: isTop ? (view.top ?? TOP) : undefined,
    lines: panel.lines.flatMap((line) => {
      const owner = cases.get(line.case.key);
      return owner === undefined ? [] : [{ ...line, case: owner }];
    }),
    others: panel.lines.filter((line) => !cases.has(line.case.key) && !view.hidden.includes(line.case.key)),
  }));
  const visible = view.groups === "apart" ? all.flatMap(byGroup) : all;
  const points = all.flatMap(({ lines }) => lines.flatMap(({ series }) => series.points));
  const domain = view.axis === "fit" ? fittedDomain(points, unit) : unit.full;
  return { ...arrangement, shown, visible, drawn: cases, unit, domain };
}

/**
 * What shows cases, and what shows none. In a tune many points meet one other point only, so that what shows a single case says little
 * there, too. Where nothing shows more, all of it counts.
 */
export function splitSparse<T>(all: readonly T[], cases: (one: T) => number, isTune: boolean): [splitSparse: T[], others: T[]] {
  const least = isTune && all.some((one) => cases(one) > 1) ? 2 : 1;
  const [most, others] = [true, false].map((says) => all.filter((one) => cases(one) >= least === says)) as [T[], T[]];
  return most.length === 0 ? [others, []] : [most, others];
}

/** A panel for each group of cases that has a line in it. */
function byGroup(panel: ShownPanel): ShownPanel[] {
  const groups = [...new Set(panel.lines.map((line) => line.case.group))];
  const of = (group: string, lines: Line[]) => lines.filter((line) => line.case.group === group);
  return groups.map((group) => ({ ...panel, group, lines: of(group, panel.lines), others: of(group, panel.others) }));
}

/** What the two kinds of bars say, and when a case may be called better or worse. */
export function intervalSentence(report: ExperimentReport): string {
  const level = `${+(100 * report.confidence).toFixed(2)}\u00a0%`;
  const dark = `Each dark bar is the ${level} interval of a win rate for a number of games that was fixed beforehand`;
  return `${dark}. Each light bar holds at any time: it contains the true rate. ${noBreak(report.guarantee)} Call a case better or worse than its baseline only where the light bar leaves the 50\u00a0% line.`;
}

/** The same in a line, for a page that says the rest elsewhere. */
export function barSentence(report: ExperimentReport): string {
  const level = `${+(100 * report.confidence).toFixed(2)}\u00a0%`;
  const light = "Light bars hold at any look: call a case better or worse only where its light bar leaves the 50\u00a0% line.";
  return `Dark bars are ${level} intervals for a number of games that was fixed beforehand. ${light}`;
}

/** What a picture is about, below it in a paper. */
export function captionOf(report: ExperimentReport, words: string): string {
  const { question, name } = report.summary;
  return `${plain(question || name)} ${capital(words)}. ${intervalSentence(report)}`;
}

/** What hollow markers are, if there are any. */
export function edgeSentence({ visible, unit, domain }: Selection, chart: Chart): string {
  if (!chartOf(chart).hasBars) return "";
  const points = visible.flatMap(({ lines }) => lines.flatMap(({ series }) => series.points));
  return points.some((point) => isBeyond(unit.of(point), domain)) ? " Hollow markers at the edge are beyond the axis." : "";
}

/** What pale points are, if there are any. */
export function paleSentence({ visible }: Selection, chart: Chart): string {
  if (!chartOf(chart).hasLines) return "";
  const isAny = visible.some(({ lines }) => lines.some(({ series }) => series.points.some(isPale)));
  return isAny ? " Pale points have fewer than ten pairs; no line joins them." : "";
}

/** How the bars are made, in the coordinator's words. */
export function intervalMethod(report: ExperimentReport): string {
  const methods = [report.interval_method, report.sequence_method];
  return `Method: ${methods.map((method) => method.replace(/\.$/, "")).join("; ")}.`;
}
