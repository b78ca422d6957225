/** A drawing with its title on paper, for files. */

import type { ComponentChildren } from "preact";
import { wrap } from "./figure";
import { PAPER } from "./palette";

export const PAPER_WIDTH = 960;

export function Paper({ title, height, children }: { title: string; height: number; children: ComponentChildren }) {
  const lines = wrap(title, Math.floor(PAPER_WIDTH / 9));
  const head = 14 + 20 * lines.length;
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={PAPER_WIDTH} height={head + height} viewBox={`0 0 ${PAPER_WIDTH} ${head + height}`} role="img" aria-label={title}>
      <rect width={PAPER_WIDTH} height={head + height} fill={PAPER.surface} />
      {lines.map((line, i) => (
        <text key={i} x="14" y={24 + 20 * i} font-family={PAPER.font} font-size="15" font-weight="600" fill={PAPER.ink}>
          {line}
        </text>
      ))}
      <g transform={`translate(0 ${head})`}>{children}</g>
    </svg>
  );
}
