/** What both players' searches did and expected, by the number of the move: as pictures and as a table. */

import { useMemo } from "preact/hooks";
import type { ViewedMove } from "../api";
import { cellName } from "../charts/board-layout";
import type { Numbering } from "../charts/board-layout";
import type { MoveLine } from "../charts/moves-layout";
import { brief, count, percent, shortPercent } from "../format";
import { timeUnit } from "../charts/time-unit";
import { DataTable } from "./data-table";
import { Fold } from "./fold";
import { MoveChart } from "./move-chart";
import { BASELINE, CASE, PlayersLegend } from "./players-legend";
import { claimWords, movesTable, moverOf } from "./viewer";
import type { Viewed } from "./viewer";

interface GamePlotsProps {
  view: Viewed;
  moves: readonly ViewedMove[];
  move: number;
  numbering: Numbering;
  onMove: (move: number) => void;
}

const RATE = [0, 1] as const;

/** Both players' lines for a measure. */
function linesOf(view: Viewed, moves: readonly ViewedMove[], measure: (move: ViewedMove) => number): MoveLine[] {
  const points = (isCase: boolean) =>
    moves.flatMap((played, i) => {
      const move = view.opening.length + i + 1;
      return moverOf(view, move).isCase === isCase ? [{ move, value: measure(played) }] : [];
    });
  return [
    { name: "case", look: CASE, points: points(true) },
    { name: "baseline", look: BASELINE, points: points(false) },
  ];
}

export function GamePlots({ view, moves, move, numbering, onMove }: GamePlotsProps) {
  const lines = useMemo(
    () => ({
      value: linesOf(view, moves, ({ case_value: value }) => value),
      sims: linesOf(view, moves, ({ sims }) => sims),
      nodes: linesOf(view, moves, ({ nodes }) => nodes),
      seconds: linesOf(view, moves, ({ cpu_us: time }) => time / 1e6),
    }),
    [view, moves],
  );
  const opening = view.opening.length;
  const unit = timeUnit(lines.seconds);
  const common = { last: opening + moves.length, opening, cursor: move, onMove };
  return (
    <section class="by-move" aria-label="By move number">
      <PlayersLegend names={[view.case, view.baseline]} />
      <div class="panels many">
        <MoveChart title="Result that each expects for the case, in %" lines={lines.value} domain={RATE} write={shortPercent} {...common} />
        <MoveChart title="Simulations" lines={lines.sims} write={brief} {...common} />
        <MoveChart title="Nodes in the tree" lines={lines.nodes} write={brief} {...common} />
        <MoveChart title={`CPU time, in ${unit.name}`} lines={unit.scaled(lines.seconds)} write={brief} {...common} />
      </div>
      <Fold name="moves" summary="All moves">
        <DataTable kind="games moves" label="All moves" columns={["Move", "Side", "Player", "Cell", "Expects %", "Proven", "Simulations", "Nodes", "CPU s"]} files={{ name: `${view.case} against ${view.baseline}, size ${view.size}, all moves`, table: () => movesTable(view, numbering) }}>
          {view.opening.map((cell, i) => (
            <Row key={i} view={view} number={i + 1} cell={cell} move={move} numbering={numbering} onMove={onMove} />
          ))}
          {moves.map((played, i) => (
            <Row key={opening + i} view={view} number={opening + i + 1} cell={played.cell} played={played} move={move} numbering={numbering} onMove={onMove} />
          ))}
        </DataTable>
      </Fold>
    </section>
  );
}

interface RowProps {
  view: Viewed;
  number: number;
  cell: string;
  played?: ViewedMove;
  move: number;
  numbering: Numbering;
  onMove: (move: number) => void;
}

function Row({ view, number, cell, played, move, numbering, onMove }: RowProps) {
  const { side, name } = moverOf(view, number);
  return (
    <tr aria-current={number === move ? "step" : undefined}>
      <th scope="row">
        <button type="button" class="plain" aria-label={`Show move ${number}`} onClick={() => onMove(number)}>
          {number}
        </button>
      </th>
      <td>{side}</td>
      <td class="name">{played === undefined ? "opening" : name}</td>
      <td>{cellName(view.size, cell, numbering)}</td>
      {played !== undefined && (
        <>
          <td class="number">{percent(played.value)}</td>
          <td>{claimWords(played.claim)}</td>
          <td class="number">{count(played.sims)}</td>
          <td class="number">{count(played.nodes)}</td>
          <td class="number">{(played.cpu_us / 1e6).toFixed(3)}</td>
        </>
      )}
    </tr>
  );
}
