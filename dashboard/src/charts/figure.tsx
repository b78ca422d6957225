/** The picture alone, with its words around it: what is downloaded, printed and kept with results. */

import type { ExperimentReport } from "../api";
import { count } from "../format";
import type { View } from "../url";
import { MarkerShape } from "./marker";
import { PAPER } from "./palette";
import { panelTitle } from "./panels";
import { Heat, heatHeight } from "./heat";
import { picturesOf } from "./pictures";
import { intervalMethod, intervalSentence, select } from "./selection";
import type { Shown } from "./selection";
import { REFERENCE_SCALE, WinRate } from "./winrate";
import type { Reference } from "./winrate-layout";

export interface FigureProps {
  report: ExperimentReport;
  view: Shown & Pick<View, "chart">;
  width?: number;
  references?: readonly Reference[];
  /** What the hollow markers are. */
  referenceName?: string;
}

const PANEL_HEIGHT = 420;
const PANEL_TITLE = 26;
const LINE = 16;

/** Words in lines of at most `max` characters. */
export function wrap(text: string, max: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= max) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function Figure({ report, view, width = 960, references = [], referenceName }: FigureProps) {
  const { summary } = report;
  const { visible, panels, domain } = select(report, view);
  const title = wrap(summary.question || summary.name, Math.floor(width / 9.2));
  const games = `${summary.name}: ${count(summary.games_done)} of ${count(summary.games_planned)} games.`;
  const notes = wrap(`${games} ${intervalSentence(report)} ${intervalMethod(report)}`, Math.floor(width / 6.1));
  const head = 18 + 21 * title.length;
  const all = visible.flatMap((panel) =>
    picturesOf(panel, report.sizes, view.chart, references).map((picture) => {
      const own = picture.title === "" ? [] : [picture.title];
      const title = [...(panels.length > 1 || own.length === 0 ? [capital(panelTitle(panel, panels))] : []), ...own].join(", ");
      const height = "heat" in picture.shows ? heatHeight(picture.shows.heat) : PANEL_HEIGHT;
      return { ...picture, key: `${panel.key} ${picture.key}`, title, height: PANEL_TITLE + height };
    }),
  );
  const tops = all.map((_, i) => all.slice(0, i).reduce((sum, { height }) => sum + height, 0));
  const drawing = all.reduce((sum, picture) => sum + picture.height, 0);
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
      {all.map(({ key, title: words, shows }, i) => (
        <g key={key} transform={`translate(0 ${head + tops[i]!})`}>
          <text x="14" y="14" font-family={font} font-size="13" fill={muted}>
            {words}
          </text>
          <g transform={`translate(0 ${PANEL_TITLE})`}>
            {"heat" in shows ? (
              <Heat map={shows.heat} width={width} theme={PAPER} />
            ) : (
              <WinRate theme={PAPER} layout={shows.layout({ width, height: PANEL_HEIGHT, domain, endLabels: true })} />
            )}
          </g>
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
