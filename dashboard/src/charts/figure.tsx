/** The picture alone, with its words around it: what is downloaded, printed and kept with results. */

import type { ExperimentReport } from "../api";
import { count } from "../format";
import type { View } from "../url";
import { MarkerShape } from "./marker";
import { PAPER } from "./palette";
import { panelTitle } from "./panels";
import { intervalMethod, intervalSentence, select } from "./selection";
import { REFERENCE_SCALE, WinRate } from "./winrate";
import { layoutWinRates } from "./winrate-layout";
import type { Reference } from "./winrate-layout";

export interface FigureProps {
  report: ExperimentReport;
  view: Pick<View, "hidden" | "panel" | "axis">;
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
  const panelHeight = PANEL_TITLE + PANEL_HEIGHT;
  const legend = references.length > 0 ? LINE + 8 : 0;
  const height = head + panelHeight * visible.length + legend + 14 + LINE * notes.length;
  const { font, ink, muted, surface } = PAPER;
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title.join(" ")}>
      <rect width={width} height={height} fill={surface} />
      {title.map((text, i) => (
        <text key={text} x="14" y={28 + 21 * i} font-family={font} font-size="17" font-weight="600" fill={ink}>
          {text}
        </text>
      ))}
      {visible.map((panel, i) => (
        <g key={panel.key} transform={`translate(0 ${head + panelHeight * i})`}>
          <text x="14" y="14" font-family={font} font-size="13" fill={muted}>
            {capital(panelTitle(panel, panels))}
          </text>
          <g transform={`translate(0 ${PANEL_TITLE})`}>
            <WinRate
              theme={PAPER}
              layout={layoutWinRates({
                lines: panel.lines,
                sizes: report.sizes,
                width,
                height: PANEL_HEIGHT,
                domain,
                endLabels: true,
                references,
              })}
            />
          </g>
        </g>
      ))}
      {legend > 0 && (
        <g transform={`translate(20 ${head + panelHeight * visible.length + 12})`}>
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
