/** The picture of the experiment that moved most. */

import { useMemo } from "preact/hooks";
import { fetchBest } from "../api";
import type { ExperimentReport, ExperimentSummary } from "../api";
import { Figure } from "../charts/figure";
import { picturesOf } from "../charts/pictures";
import { captionOf, paleSentence, select } from "../charts/selection";
import type { Selection } from "../charts/selection";
import { pictureLatex } from "../export/pgfplots";
import { pictureTable } from "../export/picture-table";
import { count } from "../format";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DEFAULT_VIEW } from "../url";
import { Chart, unplayedWords } from "./chart";
import { Exports } from "./exports";
import { CurveNames } from "./legend";
import { Loaded } from "./loaded";
import { Words } from "./words";

/** All of the few lines that the coordinator sends. */
const VIEW = { ...DEFAULT_VIEW, pick: "all", chart: "size" } as const;

/** Lines that can still be named at their ends. */
const LINES = 6;
/** Pictures of one experiment side by side. */
const PANELS = 4;

/** How much of an experiment is not in its pictures, if anything is. */
export function partWords({ visible }: Selection, { cells }: ExperimentSummary): string {
  const drawn = visible.slice(0, PANELS).reduce((sum, { lines }) => sum + lines.reduce((points, { series }) => points + series.points.length, 0), 0);
  if (drawn >= cells) return "";
  return ` The best lines alone are drawn, ${LINES} in each of at most ${PANELS} pictures: ${count(drawn)} of ${count(cells)} cells.`;
}

export function MovedMost({ summary }: { summary: ExperimentSummary }) {
  const report = useFetched(fetchBest, summary.id, LINES);
  return (
    <section class="picture" aria-labelledby="moved">
      <h2 id="moved">
        <a href={pathOf(summary.is_tune ? "tune" : "experiment", summary.id)}>
          <Words of={summary.question || summary.name} />
        </a>
      </h2>
      <Loaded of={report} what="experiment">
        {(data) => <Pictures report={data} />}
      </Loaded>
    </section>
  );
}

function Pictures({ report }: { report: ExperimentReport }) {
  const selection = useMemo(() => select(report, VIEW), [report]);
  const pictures = useMemo(() => picturesOf(selection, report.sizes, VIEW).slice(0, PANELS), [selection, report]);
  // Each point that a tune meets has a panel of its own.
  const named = new Set(selection.visible.slice(0, PANELS).flatMap(({ lines }) => lines.map(({ case: owner }) => owner.key)));
  return (
    <>
      <CurveNames curves={[...selection.drawn.values()].filter(({ key }) => named.has(key))} />
      <div class={pictures.length > 1 ? "panels many" : "panels"}>
        {pictures.map((picture) => (
          <div class="panel" key={picture.key}>
            <h3>{picture.words}</h3>
            <Chart picture={picture} unit={selection.unit} domain={selection.domain} emphasis={undefined} unplayed={unplayedWords(report.summary)} />
            <Exports
              name={`${report.summary.name}, ${picture.words}`}
              table={() => pictureTable(picture)}
              drawing={() => <Figure report={report} view={VIEW} only={picture.key} />}
              latex={() => pictureLatex(picture, selection.unit, captionOf(report, picture.words))}
            />
          </div>
        ))}
      </div>
      <p class="meaning">
        Win rate in per cent by board size. Dark bars: {Math.round(100 * report.confidence)}&nbsp;% intervals. Light bars hold at any time.
        {paleSentence(selection, VIEW.chart)}
        {partWords(selection, report.summary)}
      </p>
    </>
  );
}
