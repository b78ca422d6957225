/** An experiment's series with the names and looks they keep wherever they are shown, by baseline and budget. */

import type { ExperimentReport, Point, Series, Verdict } from "../api";
import { budget } from "../format";
import { withoutShared } from "./names";
import { lookOf, type Look } from "./palette";

/** A case: the same in every panel. */
export interface Case {
  /** Names it in addresses. */
  key: string;
  /** Names it for people: the label, with its group where labels repeat. */
  name: string;
  /** The name in pictures and tables, without what all cases share. */
  short: string;
  group: string;
  look: Look;
}

/** A case's points against one baseline with one budget. */
export interface Line {
  case: Case;
  series: Series;
}

/** All lines with one baseline and one budget: one picture. */
export interface Panel {
  /** Names it in addresses. */
  key: string;
  baseline: string;
  budget: string;
  lines: Line[];
}

export interface Arrangement {
  cases: Case[];
  /** What the names of all cases share. */
  shared: string[];
  panels: Panel[];
}

/** The label, or the longer name that the coordinator gives where labels repeat; reports saved by older versions have none. */
export const nameOf = (series: Series) => series.name || series.label;

/** The key of a case in links: group and label, unless these repeat. */
const keyOf = (series: Series) => {
  const { group, label } = series;
  const name = nameOf(series);
  return `${group}/${name === `${group} ${label}` ? label : name}`;
};

/** The panel that was chosen by its key, or all. */
export function chosenPanels(panels: Panel[], key: string | undefined): Panel[] {
  const chosen = panels.filter((panel) => panel.key === key);
  return chosen.length > 0 ? chosen : panels;
}

/** Cases and panels in the order of the file. */
export function arrange(report: ExperimentReport): Arrangement {
  const named = new Map(report.series.map((series) => [keyOf(series), nameOf(series)]));
  const { shared, names } = withoutShared([...named.values()]);
  const short = new Map([...named.keys()].map((key, i) => [key, names[i]!]));
  const cases = new Map<string, Case>();
  const panels = new Map<string, Panel>();
  for (const series of report.series) {
    const key = keyOf(series);
    const known = cases.get(key) ?? {
      key,
      name: nameOf(series),
      short: short.get(key)!,
      group: series.group,
      look: lookOf(cases.size),
    };
    cases.set(key, known);
    const words = budget(series.budget);
    const panelKey = `${series.baseline_label}/${"sims" in series.budget ? "sims" : "s"}-${Object.values(series.budget)[0]}`;
    const panel = panels.get(panelKey) ?? { key: panelKey, baseline: series.baseline_label, budget: words, lines: [] };
    panel.lines.push({ case: known, series });
    panels.set(panelKey, panel);
  }
  return { cases: [...cases.values()], shared, panels: [...panels.values()] };
}

/** What tells a panel from the others of its experiment, or everything about it when it is the only one. */
export function panelTitle(panel: Panel, panels: readonly Panel[]): string {
  const against = `against ${panel.baseline}`;
  if (panels.length === 1) return `${against}, ${panel.budget}`;
  const oneBaseline = panels.every(({ baseline }) => baseline === panel.baseline);
  const oneBudget = panels.every(({ budget: other }) => other === panel.budget);
  return oneBaseline ? panel.budget : oneBudget ? against : `${against}, ${panel.budget}`;
}

/** Panels by their budgets, the smallest first. Times and numbers of simulations are not compared with each other. */
export function budgetsOf<T extends Panel>(panels: readonly T[]): T[] {
  const sizeOf = ({ lines: [line] }: T) => (line === undefined ? 0 : Object.values(line.series.budget)[0]!);
  return panels.slice().sort((a, b) => sizeOf(a) - sizeOf(b));
}

/** Of fewer complete pairs a rate says little, as in `gauntlet compare`. */
const LEAST_PAIRS = 10;

/** Whether a point is shown pale, because it has few pairs. */
export const isPale = ({ rate, pairs }: Point): boolean => rate !== undefined && pairs < LEAST_PAIRS;

/** Whether a case is told apart from its baseline, in the coordinator's judgement. */
export const isDifferent = (verdict: Verdict): boolean => verdict === "better" || verdict === "worse";

/** Whether the interval for a fixed number of games holds: the planned games are complete, and no rule looked at them. */
export const isFixed = ({ games, games_planned, stopping }: Point): boolean => games >= games_planned && !stopping;
