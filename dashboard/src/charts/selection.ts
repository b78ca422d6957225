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

/** What the intervals say, and what may not be concluded while games are still coming in. */
export function intervalSentence(report: ExperimentReport): string {
  const meaning = `Each bar is the ${+(100 * report.confidence).toFixed(2)} % interval of a win rate`;
  return report.summary.state === "active"
    ? `${meaning} as it holds once the planned games are finished: until then a bar that leaves the 50 % line decides nothing, because whoever looks often enough sees that happen by chance.`
    : `${meaning}: of 100 such bars about ${Math.round(100 * report.confidence)} contain the true rate, so among many bars some miss it by chance.`;
}

/** How the intervals are made, in the coordinator's words. */
export function intervalMethod(report: ExperimentReport): string {
  return `Method: ${report.interval_method.replace(/\.$/, "")}.`;
}
