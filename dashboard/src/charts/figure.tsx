/** The picture alone, with its words around it: what is downloaded, printed and kept with results. */

import type { ExperimentReport } from "../api";
import { capital, count, plain } from "../format";
import type { View } from "../url";
import { MarkerShape, PAPER } from "./palette";
import { wrap } from "./paper";
import { picturesOf, type Chart } from "./pictures";
import { edgeSentence, intervalMethod, intervalSentence, paleSentence, select, type Shown } from "./selection";
import { standingIn, type Analysed } from "./standing";
import { REFERENCE_SCALE } from "./winrate";
import type { Reference } from "./winrate-layout";

export interface FigureProps {
  report: ExperimentReport;
  /** The coordinator's analysis, for the order of the cases and for fitted curves. */
  analysed?: Analysed | undefined;
  view: Shown & { chart: Chart } & Pick<View, "across" | "upwards">;
  /** The key of the only picture wanted. */
  only?: string | undefined;
  width?: number;
  references?: readonly Reference[];
  /** What the hollow markers are. */
  referenceName?: string;
}

const PANEL_TITLE = 26;
const LINE = 16;

export function Figure({ report, analysed, view, only, width = 960, references = [], referenceName }: FigureProps) {
  const { summary } = report;
  const selection = select(report, view, standingIn(report, analysed, view.panel));
  const canvas = { width, theme: PAPER, isPaper: true };
  const title = wrap(plain(summary.question || summary.name), Math.floor(width / 9.2));
  const games = `${summary.name}: ${count(summary.games_done)} of ${count(summary.games_planned)} games.`;
  const notes = wrap(`${games} ${intervalSentence(report)}${edgeSentence(selection, view.chart)}${paleSentence(selection, view.chart)} ${intervalMethod(report)}`, Math.floor(width / 6.1));
  const head = 18 + 21 * title.length;
  const all = picturesOf(selection, report.sizes, view, { references, analysed, earlier: report.earlier }).flatMap((picture) => {
    if (only !== undefined && picture.key !== only) return [];
    const words = picture.title === "" ? capital(picture.words) : picture.title;
    return [{ ...picture, title: words, length: PANEL_TITLE + picture.height(canvas) }];
  });
  const tops = all.map((_, i) => all.slice(0, i).reduce((sum, { length }) => sum + length, 0));
  const drawing = all.reduce((sum, picture) => sum + picture.length, 0);
  const legend = references.length > 0 ? LINE + 8 : 0;
  const height = head + drawing + legend + 14 + LINE * notes.length;
  const { font, ink, muted, surface } = PAPER;
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title.join(" ")}>
      <rect width={width} height={height} fill={surface} />
      {title.map((text, i) => (
        <text key={text} x="14" y={28 + 21 * i} font-family={font} font-size="17" font-weight="600" fill={ink}>
          {text}
        </text>
      ))}
      {all.map(({ key, title: words, draw }, i) => (
        <g key={key} transform={`translate(0 ${head + tops[i]!})`}>
          <text x="14" y="14" font-family={font} font-size="13" fill={muted}>{words}</text>
          <g transform={`translate(0 ${PANEL_TITLE})`}>{draw(canvas)}</g>
        </g>
      ))}
      {legend > 0 && (
        <g transform={`translate(20 ${head + drawing + 12})`}>
          <MarkerShape marker="circle" colour={muted} surface={surface} scale={REFERENCE_SCALE} hollow />
          <text x="15" dy="0.34em" font-family={font} font-size="12" fill={muted}>
            {`Hollow markers: ${referenceName ?? "reference values"}`}
          </text>
        </g>
      )}
      {notes.map((note, i) => (
        <text key={note} x="14" y={height - 10 - LINE * (notes.length - 1 - i)} font-family={font} font-size="11.5" fill={muted}>
          {note}
        </text>
      ))}
    </svg>
  );
}
