/** What both players' searches did and expected, by the number of the move: as pictures and as a table. */

import { useMemo } from "preact/hooks";
import type { ViewedMove } from "../api";
import { cellName, type Numbering } from "../charts/board-layout";
import { inTimeUnit, movesPicture, type MoveLine } from "../charts/moves";
import { count, percent, shortPercent } from "../format";
import { BASELINE, CASE } from "./by-move";
import { DataTable } from "./data-table";
import { Fold } from "./fold";
import { LinesLegend } from "./legend";
import { Panels, PictureFrame } from "./picture";
import { claimWords, moverOf, movesTable, type Viewed } from "./viewer";

interface GamePlotsProps {
  view: Viewed;
  moves: readonly ViewedMove[];
  move: number;
  numbering: Numbering;
  onMove: (move: number) => void;
}

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
  const measured = useMemo(() => {
    const seconds = inTimeUnit(linesOf(view, moves, ({ cpu_us: time }) => time / 1e6));
    return [
      { title: "Result that each expects for the case, in %", lines: linesOf(view, moves, (own) => own.case_value), domain: [0, 1] as const, write: shortPercent },
      { title: "Simulations", lines: linesOf(view, moves, ({ sims }) => sims) },
      { title: "Nodes in the tree", lines: linesOf(view, moves, ({ nodes }) => nodes) },
      { title: `CPU time, in ${seconds.unit}`, lines: seconds.lines },
    ];
  }, [view, moves]);
  const opening = view.opening.length;
  const pictures = measured.map((own) => movesPicture({ ...own, last: opening + moves.length, opening, cursor: move, onMove }));
  const rows = [...view.opening.map((cell) => ({ cell, played: undefined })), ...moves.map((played) => ({ cell: played.cell, played }))].map((row, i) => ({ ...row, number: i + 1 }));
  return (
    <section class="by-move" aria-label="By move number">
      <LinesLegend lines={[{ look: CASE, name: view.case }, { look: BASELINE, name: view.baseline }]} />
      <Panels>
        {pictures.map((picture) => (
          <PictureFrame key={picture.title} picture={picture} name={picture.title} title={`${picture.title}, by move number`} isLegendShared />
        ))}
      </Panels>
      <Fold name="moves" summary="All moves">
        <DataTable
          kind="games moves"
          label="All moves"
          rows={rows}
          rowProps={({ number }) => ({ "aria-current": number === move ? "step" : undefined })}
          columns={[
            ["Move", ({ number }) => <button type="button" class="plain" aria-label={`Show move ${number}`} onClick={() => onMove(number)}>{number}</button>],
            ["Side", ({ number }) => moverOf(view, number).side],
            ["Player", ({ number, played }) => (played === undefined ? "opening" : moverOf(view, number).name), "name"],
            ["Cell", ({ cell }) => cellName(view.size, cell, numbering)],
            ["Expects %", ({ played }) => played && percent(played.value), "number"],
            ["Proven", ({ played }) => played && claimWords(played.claim)],
            ["Simulations", ({ played }) => played && count(played.sims), "number"],
            ["Nodes", ({ played }) => played && count(played.nodes), "number"],
            ["CPU s", ({ played }) => played && (played.cpu_us / 1e6).toFixed(3), "number"],
          ]}
          files={{ name: `${view.case} against ${view.baseline}, size ${view.size}, all moves`, table: () => movesTable(view, numbering) }}
        />
      </Fold>
    </section>
  );
}
