/** Control cells below each other, by board size: their win rates with both bars around the line at 50 %. */

import { group } from "d3-array";
import type { ControlCell } from "../api";
import type { Table } from "../export/table";
import { budget, count, inPercent, interval, number } from "../format";
import { linearAxis } from "./axis";
import type { Picture } from "./picture";
import { RowsChart, rowsHeight, type RowMark } from "./rows";
import { fittedDomain, RATE } from "./unit";

/** The cells by size, the smallest first. */
export function bySize(cells: readonly ControlCell[]): { size: number; cells: ControlCell[] }[] {
  return [...group(cells, ({ point }) => point.size)].sort(([a], [b]) => a - b).map(([size, own]) => ({ size, cells: own }));
}

/** The experiments of a cell in few words. */
export function experimentsOf({ experiments: [first, ...others] }: ControlCell): string {
  return first === undefined ? "" : `${first.name}${others.length > 0 ? ` and ${count(others.length)} more` : ""}`;
}

/** The names of cells of a size: the player with its experiment, and the budget where it alone tells cells apart. */
function namesOf(cells: readonly ControlCell[]): string[] {
  const names = cells.map((cell) => [cell.label, experimentsOf(cell)].filter((part) => part !== "").join(" in "));
  const spent = ({ budget: own }: ControlCell) => ("sims" in own ? `${count(own.sims)} sims` : `${number(own.reference_seconds)} s`);
  return names.map((name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}, ${spent(cells[i]!)}`));
}

function rowOf(cell: ControlCell, name: string): RowMark {
  const { label, point } = cell;
  const of = experimentsOf(cell);
  return {
    key: point.cell,
    name,
    words: `${label}${of === "" ? "" : ` in ${of}`}, board size ${point.size}, ${budget(cell.budget)}: ${inPercent(point.rate)}, interval ${interval(point.low, point.high)} %`,
    ends: RATE.of(point),
    // Outside 50 % at any look: the colour says no more than the filled marker.
    colour: point.verdict === "open" ? 0 : 1,
    isHollow: point.verdict === "open",
    cell: point.cell,
  };
}

/** Cells that have a rate, in order. The axis reaches as far as the bars, the same on both sides of 50 %. */
export function controlPicture(cells: readonly ControlCell[], table: () => Table): Picture {
  const [low, high] = fittedDomain(cells.map(({ point }) => point), RATE);
  const reach = Math.max(0.05, 0.5 - low, high - 0.5);
  const groups = bySize(cells).map(({ size, cells: own }) => {
    const names = namesOf(own);
    return { heading: `Size ${size}`, rows: own.map((cell, i) => rowOf(cell, names[i]!)) };
  });
  const rows = { axis: linearAxis(RATE.axis, [0.5 - reach, 0.5 + reach], { write: RATE.mark }), equal: 0.5, write: RATE.mark, groups };
  return {
    title: "Win rate of players against themselves, by board size",
    height: () => rowsHeight(rows),
    draw: (canvas) => <RowsChart rows={rows} canvas={canvas} />,
    table,
  };
}
