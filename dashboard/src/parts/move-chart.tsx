/** A picture by move number on the page, at the width there is. */

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Moves } from "../charts/moves";
import { MovesFigure } from "../charts/moves-figure";
import { layoutMoves } from "../charts/moves-layout";
import type { MoveLine } from "../charts/moves-layout";
import { SCREEN } from "../charts/palette";
import type { Table } from "../export/table";
import { Exports } from "./exports";
import { useWidth } from "./use-width";

const HEIGHT = 210;

interface MoveChartProps {
  title: string;
  lines: readonly MoveLine[];
  last: number;
  domain?: readonly [number, number];
  write: (value: number) => string;
  opening?: number;
  cursor?: number;
  /** Shows another move when the picture is clicked. */
  onMove?: (move: number) => void;
  children?: ComponentChildren;
}

export function MoveChart({ title, lines, last, domain, write, opening, cursor, onMove, children }: MoveChartProps) {
  const [attach, width] = useWidth();
  const layout = useMemo(
    () => layoutMoves({ width, height: HEIGHT, lines, last, write, ...(domain && { domain }) }),
    [width, lines, last, domain, write],
  );
  const choose = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    onMove?.(layout.moveAt(event.clientX - box.left));
  };
  return (
    <figure class="panel move-chart">
      <figcaption>{title}</figcaption>
      <div class="chart" ref={attach}>
        {width > 0 && (
          // The table below says the same: the picture adds nothing for those who cannot see it.
          <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`${title}, by move number`} onClick={choose} class={onMove && "chooses"}>
            <Moves layout={layout} theme={SCREEN} {...(opening !== undefined && { opening })} {...(cursor !== undefined && { cursor })} />
          </svg>
        )}
      </div>
      {children}
      <Exports
        name={title}
        table={() => movesTable(lines)}
        drawing={() => (
          <MovesFigure title={title} lines={lines} last={last} write={write} {...(domain && { domain })} {...(opening !== undefined && { opening })} />
        )}
      />
    </figure>
  );
}

function movesTable(lines: readonly MoveLine[]): Table {
  return {
    columns: ["line", "move", "value", "low", "high"],
    rows: lines.flatMap(({ name, points }) => points.map(({ move, value, low, high }) => [name, move, value, low ?? null, high ?? null])),
  };
}
