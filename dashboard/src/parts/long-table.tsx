/** A row for each cell with everything that was counted. */

import type { Stopping } from "../api";
import type { Panel } from "../charts/panels";
import { ELO } from "../charts/unit";
import { count, counted, interval, percent, sequence } from "../format";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { correctedWords, llrWords } from "./ended";
import { useMore } from "./more";

/** Rows at the beginning. */
const FIRST = 200;

const COLUMNS = [
  "Case",
  "Size",
  "Rate",
  "Interval",
  "At any look",
  "Elo",
  "Elo interval",
  "Wins",
  "Draws",
  "Losses",
  "Games",
  "In play",
  "Verdict",
  "Stopping rule",
];

export function LongTable({ panel, title }: { panel: Panel; title: string }) {
  const label = `Every cell ${title}`;
  const cells = panel.lines.flatMap(({ case: owner, series }) => series.points.map((point) => ({ owner, point })));
  const [first, more] = useMore(cells.length, FIRST, "cells", `cells ${title}`);
  return (
    <>
      <DataTable kind="list" label={label} columns={COLUMNS} tall captioned>
        {cells.slice(0, first).map(({ owner, point }) => (
          <tr key={`${owner.key} ${point.size}`}>
            <th scope="row">{owner.short}</th>
            <td>
              <a href={pathOf("cell", point.cell)}>{point.size}</a>
            </td>
            <td>
              <b>{percent(point.rate)}</b>
            </td>
            <td>{interval(point.low, point.high)}</td>
            <td>{sequence(point.cs_low, point.cs_high)}</td>
            <td>{ELO.brief(point)}</td>
            <td>{ELO.words(point)[1]}</td>
            <td>{count(point.wins)}</td>
            <td>{count(point.draws)}</td>
            <td>{count(point.losses)}</td>
            <td>
              {count(point.games)} / {count(point.games_planned)}
            </td>
            <td>{counted(point.pairs_in_flight, "pair")}</td>
            <td class={point.verdict}>{point.verdict.replace("_", " ")}</td>
            <td title={point.stopping?.words}>
              {point.stopping === undefined ? "–" : ruleWords(point.stopping)}
            </td>
          </tr>
        ))}
      </DataTable>
      {more}
    </>
  );
}

/** What a stopping rule has found, and after how many pairs. */
function ruleWords(stopping: Stopping): string {
  const found = `${stopping.found} after ${counted(stopping.pairs, "pair")}`;
  return [found, llrWords(stopping), correctedWords(stopping)].filter((words) => words !== undefined).join(", ");
}
