/** The picture of the experiment that moved most. */

import { useMemo } from "preact/hooks";
import { fetchBest } from "../api";
import type { ExperimentReport, ExperimentSummary } from "../api";
import { picturesOf } from "../charts/pictures";
import { select } from "../charts/selection";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DEFAULT_VIEW } from "../url";
import { Chart } from "./chart";
import { CurveNames } from "./legend";
import { Loaded } from "./loaded";

/** Lines that can still be named at their ends. */
const LINES = 6;
/** Pictures of one experiment side by side. */
const PANELS = 4;

export function MovedMost({ summary }: { summary: ExperimentSummary }) {
  const report = useFetched(fetchBest, summary.id, LINES);
  return (
    <section class="picture" aria-labelledby="moved">
      <h2 id="moved">
        <a href={pathOf("experiment", summary.id)}>{summary.question || summary.name}</a>
      </h2>
      <Loaded of={report} what="experiment">
        {(data) => <Pictures report={data} />}
      </Loaded>
    </section>
  );
}

function Pictures({ report }: { report: ExperimentReport }) {
  const selection = useMemo(() => select(report, { ...DEFAULT_VIEW, pick: "all" }), [report]);
  const pictures = useMemo(() => picturesOf(selection, report.sizes, "size").slice(0, PANELS), [selection, report]);
  return (
    <>
      <CurveNames curves={[...selection.drawn.values()]} />
      <div class={pictures.length > 1 ? "panels many" : "panels"}>
        {pictures.map((picture) => (
          <div class="panel" key={picture.key}>
            <h3>{picture.words}</h3>
            <Chart picture={picture} unit={selection.unit} domain={selection.domain} emphasis={undefined} />
          </div>
        ))}
      </div>
      <p class="meaning">
        Win rate in per cent by board size. Dark bars: {Math.round(100 * report.confidence)} % intervals. Light bars hold at any time.
      </p>
    </>
  );
}
