/** A position as SVG: the board, its stones, the last move and the winning shape. */

import { hexagon, type BoardLayout } from "./board-layout";
import { PAPER, SCREEN, type Theme } from "./palette";

/** The colours of a board on light and on dark pages. */
const COLOURS = {
  cell: ["#f2ead9", "#3b3a36"],
  won: ["#ffd27a", "#8a6212"],
  edge: ["#b9ac92", "#5c5a52"],
  white: ["#ffffff", "#ffffff"],
  black: ["#15181c", "#15181c"],
  rim: ["#1c2127", "#c3ced9"],
  mark: ["#d33a00", "#d33a00"],
} as const;

export type BoardTheme = Record<keyof typeof COLOURS, string> & Pick<Theme, "muted" | "font">;

const themeOf = ({ muted, font }: Theme, colour: (light: string, dark: string) => string): BoardTheme => ({
  ...(Object.fromEntries(Object.entries(COLOURS).map(([name, [light, dark]]) => [name, colour(light, dark)])) as Record<keyof typeof COLOURS, string>),
  muted,
  font,
});

export const BOARD_ON_SCREEN = themeOf(SCREEN, (light, dark) => (light === dark ? light : `light-dark(${light}, ${dark})`));
export const BOARD_ON_PAPER = themeOf(PAPER, (light) => light);

interface BoardProps {
  layout: BoardLayout;
  theme: BoardTheme;
  /** The moves made, by their names in the API, White first. */
  moves: readonly string[];
  /** The stones of the winning shape; none while it is incomplete. */
  winning: readonly string[];
  /** Moves of the opening: their numbers are written in italics. */
  opening: number;
  /** Whether stones bear the number of their move. */
  numbers: boolean;
}

export function Board({ layout, theme, moves, winning, opening, numbers }: BoardProps) {
  const { cells, labels, radius } = layout;
  const stones = new Map(moves.map((key, i) => [key, i]));
  const shape = hexagon(radius);
  return (
    <g font-family={theme.font}>
      {labels.map(({ text, x, y }) => (
        <text key={`${text} ${x.toFixed(0)}`} x={x.toFixed(1)} y={y.toFixed(1)} dy="0.34em" text-anchor="middle" font-size={radius * 0.62} fill={theme.muted}>
          {text}
        </text>
      ))}
      {cells.map(({ key, name, x, y }) => {
        const move = stones.get(key);
        const white = move !== undefined && move % 2 === 0;
        const won = winning.includes(key);
        const last = move !== undefined && move === moves.length - 1;
        const ink = white ? theme.black : theme.white;
        return (
          <g key={key} transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`} data-cell={key} data-stone={move === undefined ? undefined : white ? "white" : "black"} data-won={won || undefined} data-last={last || undefined}>
            <title>{move === undefined ? name : `${name}: move ${move + 1}, ${white ? "White" : "Black"}`}</title>
            <polygon points={shape} fill={won ? theme.won : theme.cell} stroke={theme.edge} />
            {move !== undefined && (
              <circle r={radius * 0.68} fill={white ? theme.white : theme.black} stroke={won ? theme.mark : theme.rim} stroke-width={won ? 2.6 : 1.1} />
            )}
            {last && <circle r={radius * 0.8} fill="none" stroke={theme.mark} stroke-width="1.6" stroke-dasharray="3 2.4" />}
            {move !== undefined && numbers ? (
              <text dy="0.35em" text-anchor="middle" font-size={radius * 0.56} font-style={move < opening ? "italic" : undefined} fill={ink}>
                {move + 1}
              </text>
            ) : (
              last && <circle r={radius * 0.2} fill={theme.mark} />
            )}
          </g>
        );
      })}
    </g>
  );
}
