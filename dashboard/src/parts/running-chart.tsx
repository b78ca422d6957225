/** A value by the number of pairs on the page: the picture, what it says where the pointer is, and its files. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Paper, PAPER_WIDTH } from "../charts/paper";
import { PAPER, SCREEN } from "../charts/palette";
import { Running } from "../charts/running";
import { layoutRunning } from "../charts/running-layout";
import type { RunningInput, RunningMark } from "../charts/running-layout";
import type { Table } from "../export/table";
import { count, number } from "../format";
import { DataTable } from "./data-table";
import { Exports } from "./exports";
import { Fold } from "./fold";
import { useWidth } from "./use-width";

const HEIGHT = 300;

interface RunningChartProps extends Omit<RunningInput, "width" | "height"> {
  title: string;
  /** The name of the files. */
  name: string;
  axis: string;
  /** The horizontal axis in words, if it is not the number of pairs, and the place of a mark on it. */
  along?: { axis: string; place: (mark: RunningMark) => string };
  look?: number;
  /** A mark in words, after its number of pairs. */
  say: (mark: RunningMark) => string;
  table: Table;
  children?: ComponentChildren;
}

export function RunningChart({ title, name, axis, along, look = 0, say, table, children, ...input }: RunningChartProps) {
  const [attach, width] = useWidth();
  const [cursor, setCursor] = useState<number>();
  const { marks, last, domain, write, levels, decided, changes, writeColumn, isStepped, isWhole } = input;
  const layout = useMemo(() => layoutRunning({ ...input, width, height: HEIGHT }), [width, marks, last, domain, write, levels, decided, changes, writeColumn, isStepped, isWhole]);
  const shown = marks.find(({ pairs }) => pairs === cursor) ?? marks.at(-1);
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    setCursor(layout.markAt(event.clientX - box.left)?.pairs);
  };
  const words = shown === undefined ? "No complete pair yet" : `${along?.place(shown) ?? `After ${count(shown.pairs)} pairs`}: ${say(shown)}`;
  return (
    <figure class="panel running">
      <figcaption>{title}</figcaption>
      <p class="reading">{words}</p>
      <div class="chart" ref={attach}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="img"
            aria-label={`${title}. ${words}`}
            onPointerMove={follow}
            onPointerDown={follow}
            onPointerLeave={() => setCursor(undefined)}
          >
            <Running layout={layout} theme={SCREEN} axis={axis} along={along?.axis} look={look} cursor={cursor} />
          </svg>
        )}
      </div>
      {children}
      <Exports
        name={name}
        table={() => table}
        drawing={() => (
          <Paper title={name} height={HEIGHT + 100}>
            <Running layout={layoutRunning({ ...input, width: PAPER_WIDTH, height: HEIGHT + 100 })} theme={PAPER} axis={axis} along={along?.axis} look={look} />
          </Paper>
        )}
      />
      <Fold name={`${title}, numbers`} summary="The numbers">
        <DataTable kind="list" label={`${title}, the numbers`} columns={table.columns} tall captioned>
          {table.rows.map((row) => (
            <tr key={row[0]}>
              {row.map((value, i) => (i === 0 ? <th key={i} scope="row">{value}</th> : <td key={i}>{typeof value === "number" ? number(value) : value}</td>))}
            </tr>
          ))}
        </DataTable>
      </Fold>
    </figure>
  );
}
