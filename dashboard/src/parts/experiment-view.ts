/** What the parts of an experiment's page show. */

import type { ExperimentReport } from "../api";
import type { Chart } from "../charts/pictures";
import type { Selection } from "../charts/selection";
import type { Analysed, Standing } from "../charts/standing";
import type { View } from "../url";

export interface ExperimentView {
  report: ExperimentReport;
  analysed: Analysed | undefined;
  /** What is said of cases that are not ranked yet. */
  unranked: string;
  selection: Selection;
  standing: Standing;
  view: View;
  chart: Chart;
  /** Whether the reader may confirm and promote cases. */
  mayChange: boolean;
  /** Shows another view; `typed` during typing, which is no step to come back from. */
  go: (view: View, typed?: boolean) => void;
}
