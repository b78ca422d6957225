/** Which part of an experiment a view shows. */

import type { ExperimentReport } from "../api";
import type { View } from "../url";
import { arrange } from "./panels";
import type { Arrangement, Panel } from "./panels";
import { fittedDomain } from "./winrate-layout";

export interface Selection extends Arrangement {
  /** The panels shown. */
  shown: Panel[];
  /** The same panels without the series switched off. */
  visible: Panel[];
  /** One vertical axis for all of them. */
  domain: readonly [number, number];
}

export function select(report: ExperimentReport, view: Pick<View, "hidden" | "panel" | "axis">): Selection {
  const arrangement = arrange(report);
  const chosen = arrangement.panels.filter(({ key }) => key === view.panel);
  const shown = chosen.length > 0 ? chosen : arrangement.panels;
  const visible = shown.map((panel) => ({
    ...panel,
    lines: panel.lines.filter(({ case: { key } }) => !view.hidden.includes(key)),
  }));
  const domain = view.axis === "fit" ? fittedDomain(visible.flatMap(({ lines }) => lines)) : ([0, 1] as const);
  return { ...arrangement, shown, visible, domain };
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
