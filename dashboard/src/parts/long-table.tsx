/** A row for each cell with everything that was counted. */

import type { Point, Stopping } from "../api";
import type { Case, Panel } from "../charts/panels";
import { ELO } from "../charts/unit";
import { count, counted, interval, percent, sequence } from "../format";
import { pathOf } from "../routes";
import { DataTable, type Column } from "./data-table";
import { correctedWords, llrWords } from "./ended";
import { useMore } from "./fold";

/** Rows at the beginning. */
const FIRST = 200;

interface Cell {
  owner: Case;
  point: Point;
}

const COLUMNS: readonly Column<Cell>[] = [
  ["Case", ({ owner }) => owner.short],
  ["Size", ({ point }) => <a href={pathOf("cell", point.cell)}>{point.size}</a>],
  ["Rate", ({ point }) => <b>{percent(point.rate)}</b>],
  ["Interval", ({ point }) => interval(point.low, point.high)],
  ["At any look", ({ point }) => sequence(point.cs_low, point.cs_high)],
  ["Elo", ({ point }) => ELO.brief(point)],
  ["Elo interval", ({ point }) => ELO.words(point)[1]],
  ["Wins", ({ point }) => count(point.wins)],
  ["Draws", ({ point }) => count(point.draws)],
  ["Losses", ({ point }) => count(point.losses)],
  ["Games", ({ point }) => `${count(point.games)} / ${count(point.games_planned)}`],
  ["In play", ({ point }) => counted(point.pairs_in_flight, "pair")],
  ["Verdict", ({ point }) => point.verdict.replace("_", " "), ({ point }) => point.verdict],
  ["Stopping rule", ({ point: { stopping } }) => (stopping === undefined ? "–" : <span title={stopping.words}>{ruleWords(stopping)}</span>)],
];

export function LongTable({ panel, title }: { panel: Panel; title: string }) {
  const cells = panel.lines.flatMap(({ case: owner, series }) => series.points.map((point): Cell => ({ owner, point })));
  const [first, more] = useMore(cells.length, FIRST, "cells", `cells ${title}`);
  return (
    <>
      <DataTable kind="list" label={`Every cell ${title}`} rows={cells.slice(0, first)} columns={COLUMNS} tall captioned />
      {more}
    </>
  );
}

/** What a stopping rule has found, and after how many pairs. */
function ruleWords(stopping: Stopping): string {
  const found = `${stopping.found} after ${counted(stopping.pairs, "pair")}`;
  return [found, llrWords(stopping), correctedWords(stopping)].filter((words) => words !== undefined).join(", ");
}
