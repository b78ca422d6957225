/** A picture by move number as a file: its title, its legend and the picture on paper. */

import { MarkerShape } from "./marker";
import { Moves } from "./moves";
import { layoutMoves } from "./moves-layout";
import type { MovesInput } from "./moves-layout";
import { PAPER, lookOf } from "./palette";

interface MovesFigureProps extends Omit<MovesInput, "width" | "height"> {
  title: string;
  /** Moves of the opening. */
  opening?: number;
}

const WIDTH = 640;
const HEIGHT = 300;
/** Title and legend above the picture. */
const HEAD = 48;
/** What a letter of a legend takes, about. */
const LETTER = 6.6;

export function MovesFigure({ title, opening, ...input }: MovesFigureProps) {
  const layout = layoutMoves({ ...input, width: WIDTH, height: HEIGHT });
  const { series, surface, font, ink } = PAPER;
  let x = 16;
  const legend = input.lines.map(({ name, look, isSecond = false }) => {
    const place = x;
    x += 34 + LETTER * name.length;
    return { name, look, isSecond, place };
  });
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={WIDTH} height={HEIGHT + HEAD} viewBox={`0 0 ${WIDTH} ${HEIGHT + HEAD}`} font-family={font}>
      <rect width={WIDTH} height={HEIGHT + HEAD} fill={surface} />
      <text x="10" y="20" font-size="14" font-weight="600" fill={ink}>
        {title}
      </text>
      {legend.map(({ name, look, isSecond, place }) => (
        <g key={name} font-size="12" fill={ink}>
          <MarkerShape marker={lookOf(look).marker} colour={series[look]!} surface={surface} x={place} y={36} scale={0.8} hollow={isSecond} />
          <text x={place + 10} y={40}>
            {name}
          </text>
        </g>
      ))}
      <g transform={`translate(0 ${HEAD})`}>
        <Moves layout={layout} theme={PAPER} {...(opening !== undefined && { opening })} />
      </g>
    </svg>
  );
}
