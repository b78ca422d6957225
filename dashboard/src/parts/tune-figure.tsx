/** A picture of a tune with its caption and its files. */

import type { VNode } from "preact";
import { Paper, PAPER_WIDTH } from "../charts/paper";
import { PAPER, SCREEN } from "../charts/palette";
import type { Theme } from "../charts/palette";
import type { Table } from "../export/table";
import { StillChart } from "./chart";
import { Exports } from "./exports";

interface TuneFigureProps {
  title: string;
  /** The name of the files. */
  name: string;
  height: number;
  /** Draws the picture: on the page its marks may be links. */
  draw: (width: number, theme: Theme, isPaper: boolean) => VNode;
  table: () => Table;
}

export function TuneFigure({ title, name, height, draw, table }: TuneFigureProps) {
  return (
    <figure class="panel tuned" data-figure={title}>
      <figcaption>{title}</figcaption>
      <StillChart title={title} height={height} draw={(width) => draw(width, SCREEN, false)} />
      <Exports
        name={name}
        table={table}
        drawing={() => (
          <Paper title={name} height={height}>
            {draw(PAPER_WIDTH, PAPER, true)}
          </Paper>
        )}
      />
    </figure>
  );
}
