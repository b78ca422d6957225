/** How many games had so many moves: a bar for each number, from lost games below to won games on top. */

import type { LengthResults } from "../api";
import { brief } from "../format";
import { niceStep } from "./moves-layout";
import type { Theme } from "./palette";

const MARGIN = { top: 10, right: 16, bottom: 46, left: 56 };

export const LENGTHS_HEIGHT = 230;

/** The parts of a bar from below, with their places in the palette. */
export const ENDS = [
  ["losses", "lost", 1],
  ["draws", "drawn", 4],
  ["wins", "won", 0],
] as const;

export function Lengths({ lengths, width, theme }: { lengths: readonly LengthResults[]; width: number; theme: Theme }) {
  const right = Math.max(MARGIN.left + 40, width - MARGIN.right);
  const bottom = LENGTHS_HEIGHT - MARGIN.bottom;
  const [first, last] = [lengths[0]?.plies ?? 0, lengths.at(-1)?.plies ?? 0];
  const column = (right - MARGIN.left) / (last - first + 1);
  const xOf = (plies: number) => MARGIN.left + (plies - first) * column;
  const most = Math.max(1, ...lengths.map(({ wins, draws, losses }) => wins + draws + losses));
  const step = Math.max(1, niceStep(most, 4));
  const top = Math.ceil(most / step - 1e-9) * step;
  const yOf = (games: number) => bottom - (games / top) * (bottom - MARGIN.top);
  const columnStep = Math.max(1, niceStep(last - first + 1, Math.max(2, Math.floor((right - MARGIN.left) / 48))));
  const columns = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((plies) => plies % columnStep === 0);
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      <g aria-hidden="true">
        {Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step).map((games) => (
          <g key={games}>
            <path d={`M${MARGIN.left} ${yOf(games).toFixed(1)}H${right.toFixed(1)}`} stroke={theme.grid} />
            <text x={MARGIN.left - 8} y={yOf(games).toFixed(1)} dy="0.34em" text-anchor="end">
              {brief(games)}
            </text>
          </g>
        ))}
        {columns.map((plies) => (
          <text key={plies} x={(xOf(plies) + column / 2).toFixed(1)} y={bottom + 18} text-anchor="middle">
            {plies}
          </text>
        ))}
        <text x={((MARGIN.left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
          Moves of a game
        </text>
        <text transform={`translate(14 ${((MARGIN.top + bottom) / 2).toFixed(1)}) rotate(-90)`} text-anchor="middle">
          Games
        </text>
      </g>
      {lengths.map((length) => {
        let below = 0;
        const words = `${length.plies} moves: ${ENDS.map(([part, name]) => `${length[part]} ${name}`).join(", ")}`;
        return (
          <g key={length.plies} data-plies={length.plies}>
            <title>{words}</title>
            {ENDS.map(([part, name, look]) => {
              const from = below;
              below += length[part];
              return (
                length[part] > 0 && (
                  <rect
                    key={name}
                    x={(xOf(length.plies) + 0.08 * column).toFixed(1)}
                    y={yOf(below).toFixed(1)}
                    width={(0.84 * column).toFixed(1)}
                    height={(yOf(from) - yOf(below)).toFixed(1)}
                    fill={theme.series[look]}
                    fill-opacity="0.8"
                  />
                )
              );
            })}
          </g>
        );
      })}
    </g>
  );
}
