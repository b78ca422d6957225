/** The picture of the experiment that moved most. */

import { useMemo } from "preact/hooks";
import { fetchBest, type ExperimentReport, type ExperimentSummary } from "../api";
import { Figure } from "../charts/figure";
import { picturesOf } from "../charts/pictures";
import { captionOf, paleSentence, select, type Selection } from "../charts/selection";
import { count } from "../format";
import { pathOf } from "../routes";
import { DEFAULT_VIEW } from "../url";
import { unplayedWords } from "./chart";
import { Section, Words } from "./elements";
import { CurveNames } from "./legend";
import { Fetch } from "./loaded";
import { Panels, PictureFrame } from "./picture";

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
  return (
    <Section
      id="moved"
      kind="picture"
      title={
        <a href={pathOf(summary.is_tune ? "tune" : "experiment", summary.id)}>
          <Words of={summary.question || summary.name} />
        </a>
      }
    >
      <Fetch load={fetchBest} args={[summary.id, LINES]} what="experiment">
        {(report) => <Pictures report={report} />}
      </Fetch>
    </Section>
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
      <Panels>
        {pictures.map((picture) => (
          <PictureFrame
            key={picture.key}
            picture={{ ...picture, title: picture.words }}
            name={`${report.summary.name}, ${picture.words}`}
            title={`${selection.unit.axis}, ${picture.words}`}
            paper={() => <Figure report={report} view={VIEW} only={picture.key} />}
            caption={captionOf(report, picture.words)}
            unplayed={unplayedWords(report.summary)}
          />
        ))}
      </Panels>
      <p class="meaning">
        Win rate in per cent by board size. Dark bars: {Math.round(100 * report.confidence)}&nbsp;% intervals. Light bars hold at any time.
        {paleSentence(selection, VIEW.chart)}
        {partWords(selection, report.summary)}
      </p>
    </>
  );
}
