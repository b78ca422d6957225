/** Which part of an experiment a view shows. */

import type { ExperimentReport } from "../api";
import type { View } from "../url";
import { drawn } from "./choice";
import { arrange } from "./panels";
import type { Arrangement, Case, Line, Panel } from "./panels";
import { fittedDomain } from "./winrate-layout";

/** A panel of which some lines are drawn. */
export interface ShownPanel extends Panel {
  /** The lines that are not drawn, for comparison. */
  others: Line[];
}

export interface Selection extends Arrangement {
  /** The panels shown. */
  shown: Panel[];
  /** The same panels with the lines drawn. */
  visible: ShownPanel[];
  /** The cases drawn, by key. */
  drawn: Map<string, Case>;
  /** One vertical axis for all of them. */
  domain: readonly [number, number];
}

/** What of a view decides what a picture shows. */
export type Shown = Pick<View, "hidden" | "only" | "pick" | "find" | "panel" | "axis">;

export function select(report: ExperimentReport, view: Shown): Selection {
  const arrangement = arrange(report);
  const chosen = arrangement.panels.filter(({ key }) => key === view.panel);
  const shown = chosen.length > 0 ? chosen : arrangement.panels;
  const cases = drawn(arrangement.cases, shown, view);
  const visible = shown.map((panel) => ({
    ...panel,
    lines: panel.lines.flatMap((line) => {
      const owner = cases.get(line.case.key);
      return owner === undefined ? [] : [{ ...line, case: owner }];
    }),
    others: panel.lines.filter((line) => !cases.has(line.case.key) && !view.hidden.includes(line.case.key)),
  }));
  const domain = view.axis === "fit" ? fittedDomain(visible.flatMap(({ lines }) => lines)) : ([0, 1] as const);
  return { ...arrangement, shown, visible, drawn: cases, domain };
}

/** What the two kinds of bars say, and when a case may be called better or worse. */
export function intervalSentence(report: ExperimentReport): string {
  const level = `${+(100 * report.confidence).toFixed(2)} %`;
  const dark = `Each dark bar is the ${level} interval of a win rate for a number of games that was fixed beforehand`;
  // A report of an older coordinator has no light bars.
  if (!report.guarantee) {
    return `${dark}: of 100 such bars about ${Math.round(100 * report.confidence)} contain the true rate, so among many bars some miss it by chance.`;
  }
  return `${dark}. Each light bar holds at any time: it contains the true rate. ${report.guarantee} Call a case better or worse than its baseline only where the light bar leaves the 50 % line.`;
}

/** How the bars are made, in the coordinator's words. */
export function intervalMethod(report: ExperimentReport): string {
  const methods = [report.interval_method, report.sequence_method].filter((method) => method);
  return `Method: ${methods.map((method) => method.replace(/\.$/, "")).join("; ")}.`;
}
