/** Cases below each other, a picture for each size. */

import type { Point } from "../../api";
import { escapeLatex } from "../../export/latex";
import { axisValue, coordinate, figure, leftOut } from "../../export/pgfplots";
import { count } from "../../format";
import { linearAxis } from "../axis";
import { ofPanels, type ChartKind, type Scene } from "../kind";
import type { Case, Line } from "../panels";
import { pointsTable } from "../points-table";
import { RowsChart, rowsHeight, type RowMark } from "../rows";
import type { ShownPanel } from "../selection";
import type { Analysed } from "../standing";
import { BEYOND, isBeyond, RATE } from "../unit";

export interface Forest {
  size: number;
  /** The best on this size first, where that is known. `shrunken` is the rate, shrunken towards the mean of all cases; absent until the planned games are complete. */
  rows: { case: Case; point: Point; shrunken: number | undefined }[];
  /** Cases after the last row. */
  left_out: number;
}

/** A picture with more rows is too tall to be read, and for some programs to be drawn. */
const MOST_ROWS = 200;

/** A forest for each size with points: its cases in the order of their shrunken rates on this size. With `best`, so many of all cases. */
export function forestsOf(panel: ShownPanel, sizes: readonly number[], analysed: Analysed | undefined, best?: number): Forest[] {
  const cells = analysed?.field(panel)?.cells ?? [];
  // The coordinator lists the best cell of a size first.
  const ranked = new Map(cells.map((cell, place) => [`${cell.size} ${cell.case}`, { place, shrunken: cell.shrunken ?? undefined }]));
  // The best on a size need not be among the best over all sizes. Before there is an analysis, no case is the best.
  const lines: readonly Line[] = best === undefined ? panel.lines : analysed === undefined ? [] : [...panel.lines, ...panel.others];
  const most = Math.min(MOST_ROWS, best ?? MOST_ROWS);
  return sizes.flatMap((size) => {
    const rows = lines.flatMap((line) => {
      const point = line.series.points.find((candidate) => candidate.size === size);
      const own = ranked.get(`${size} ${analysed?.name(line)}`);
      return point === undefined ? [] : [{ case: line.case, point, shrunken: own?.shrunken, place: own?.place ?? Infinity }];
    });
    if (analysed !== undefined) rows.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place));
    const first = rows.slice(0, most).map(({ case: owner, point, shrunken }) => ({ case: owner, point, shrunken }));
    return rows.length === 0 ? [] : [{ size, rows: first, left_out: Math.max(0, rows.length - most) }];
  });
}

function rowsOf({ rows, size }: Forest, { unit, domain }: Pick<Scene, "unit" | "domain">): RowMark[] {
  return rows.map(({ case: owner, point, shrunken }) => {
    const ends = unit.of(point);
    const beyond = isBeyond(ends, domain);
    const [value, range] = unit.words(point);
    return {
      key: owner.key,
      name: owner.short,
      words: `${owner.name}, board size ${size}: ${value}${beyond ? BEYOND : ""}, interval ${range}${point.words === null ? "" : `. ${point.words}`}`,
      ends,
      colour: owner.look.colour,
      marker: owner.look.marker,
      isHollow: beyond,
      across: unit === RATE ? shrunken : undefined,
      cell: point.cell,
    };
  });
}

function forestLatex({ rows }: Forest, { unit }: Pick<Scene, "unit">, caption: string): string {
  const points = rows.map(({ point }, i) => coordinate(i, point, unit, "x") ?? "").join("");
  const options = [
    `xlabel={${escapeLatex(unit.axis)}}`,
    "y dir=reverse",
    `ytick={${rows.map((_, i) => i).join(",")}}`,
    `yticklabels={${rows.map(({ case: { name } }) => `{${escapeLatex(name)}}`).join(",")}}`,
    `extra x ticks={${axisValue(unit.equal, unit)}}`,
    "extra x tick style={grid=major}",
  ];
  const plot = `    \\addplot+[only marks, mark=*, error bars/.cd, x dir=both, x explicit] coordinates {\n${points}    };\n`;
  return figure(options, [plot], caption + leftOut(rows.map(({ point }) => point), unit));
}

export const CASES: ChartKind<"cases"> = {
  key: "cases",
  name: "Case",
  hasBars: true,
  isOffered: () => true,
  pictures: (scene) => {
    const { unit, domain } = scene;
    return ofPanels(scene, (panel) =>
      forestsOf(panel, scene.sizes, scene.analysed, panel.best).map((forest) => {
        const rows = { axis: linearAxis(unit.axis, domain, { write: unit.mark }), equal: unit.equal, write: unit.mark, groups: [{ rows: rowsOf(forest, scene) }] };
        const left = `The first ${forest.rows.length} cases; ${count(forest.left_out)} more are in the numbers below. Words in the search field choose among them.`;
        return {
          key: String(forest.size),
          title: `size ${forest.size}`,
          cases: forest.rows.length,
          isUnplayed: forest.rows.every(({ point }) => point.rate === undefined),
          notes: forest.left_out > 0 && panel.best === undefined ? [left] : [],
          height: () => rowsHeight(rows),
          draw: (canvas) => <RowsChart rows={rows} canvas={canvas} />,
          table: () => pointsTable(["case", "shrunken"], forest.rows.map(({ case: owner, shrunken, point }) => [[owner.name, shrunken ?? null], point])),
          latex: (caption) => forestLatex(forest, scene, caption),
        };
      }),
    );
  },
};
