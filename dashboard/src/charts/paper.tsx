/** A picture with its title and legend on paper, for files. */

import { lookOf, MarkerShape, PAPER } from "./palette";
import type { Picture } from "./picture";

const WIDTH = 960;
const LINE = 20;
/** What a letter of a legend takes, about. */
const LETTER = 6.6;

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

export function Paper({ picture: { height, draw, legend = [] }, title, width = WIDTH }: { picture: Picture; title: string; width?: number }) {
  const lines = wrap(title, Math.floor(width / 9));
  const head = 14 + LINE * (lines.length + (legend.length > 0 ? 1 : 0));
  const canvas = { width, theme: PAPER, isPaper: true };
  const whole = head + height(canvas);
  const places = legend.map((_, i) => legend.slice(0, i).reduce((x, { name }) => x + 34 + LETTER * name.length, 20));
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={whole} viewBox={`0 0 ${width} ${whole}`} role="img" aria-label={title}>
      <rect width={width} height={whole} fill={PAPER.surface} />
      <g font-family={PAPER.font} fill={PAPER.ink}>
        {lines.map((line, i) => (
          <text key={i} x="14" y={24 + LINE * i} font-size="15" font-weight="600">{line}</text>
        ))}
        {legend.map(({ name, look, isHollow = false }, i) => (
          <g key={name} font-size="12">
            <MarkerShape marker={lookOf(look).marker} colour={PAPER.series[look]!} surface={PAPER.surface} x={places[i]!} y={head - 10} scale={0.8} hollow={isHollow} />
            <text x={places[i]! + 10} y={head - 6}>{name}</text>
          </g>
        ))}
      </g>
      <g transform={`translate(0 ${head})`}>{draw(canvas)}</g>
    </svg>
  );
}
