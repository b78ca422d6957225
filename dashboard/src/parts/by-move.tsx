/** What the games of a search have in common, by the number of the move. */

import type { ByMoveNumber, MoveNumber, MovesOf } from "../api";
import type { MoveLine, MovePoint } from "../charts/moves-layout";
import type { Table } from "../export/table";
import { brief, count, counted, percent, shortPercent } from "../format";
import { timeUnit } from "../charts/time-unit";
import { DataTable } from "./data-table";
import { Fold } from "./fold";
import { MoveChart } from "./move-chart";
import { BASELINE, CASE, LinesLegend } from "./players-legend";

type Measure = "sims" | "nodes" | "seconds" | "value" | "result";

/** Means of fewer games say little: the lines end before. */
const LEAST_GAMES = 30;

/** The moves before which at least so many games were left. Of a search with fewer games, all of them. */
export function wellPlayed(numbers: readonly MoveNumber[], games: number): readonly MoveNumber[] {
  const left = ({ case: of, baseline }: MoveNumber) => (of?.moves ?? 0) + (baseline?.moves ?? 0);
  const end = games < LEAST_GAMES ? -1 : numbers.findIndex((number) => left(number) < LEAST_GAMES);
  return end < 0 ? numbers : numbers.slice(0, end);
}

/**
 * The lines of both players: one for each colour. White has the odd moves and Black the even ones, and White's first move is an advantage: in
 * one line for both colours every second move would be higher.
 */
export function colourLines(numbers: readonly MoveNumber[], point: (moves: MovesOf) => Omit<MovePoint, "move">): MoveLine[] {
  return (["case", "baseline"] as const).flatMap((player) =>
    [1, 0].map((parity): MoveLine => {
      const own = numbers.filter(({ ply }) => ply % 2 === parity);
      const points = own.flatMap(({ ply, [player]: moves }) => (moves === undefined ? [] : [{ move: ply, ...point(moves) }]));
      return { name: `${player}, ${parity === 1 ? "White" : "Black"}`, look: player === "case" ? CASE : BASELINE, isSecond: parity === 0, points };
    }),
  );
}

/** The lines of a measure. */
const linesOf = (numbers: readonly MoveNumber[], measure: Measure) =>
  colourLines(numbers, ({ [measure]: { mean, low, high } }) => ({ value: mean, low, high }));

/** Place in the palette of drawn games. */
const DRAWN = 4;

const RATE = [0, 1] as const;

export function ByMove({ sums }: { sums: ByMoveNumber }) {
  const { numbers, games, without_moves: dropped, is_all: all } = sums;
  if (games === 0) {
    return (
      <p class="lead" data-testid="no-games">
        {dropped > 0
          ? `The moves of the ${counted(dropped, "game")} found were deleted to make room; only their results are kept.`
          : "No game that counts fits this search."}
      </p>
    );
  }
  const told = wellPlayed(numbers, games);
  const last = numbers.at(-1)!.ply;
  const end = told.at(-1)?.ply ?? 1;
  const going: MoveLine[] = [{ name: "going", look: 2, points: numbers.map(({ ply, going: value }) => ({ move: ply, value })) }];
  const ended: MoveLine[] = (["won by the case", "drawn", "lost by the case"] as const).flatMap((name, i) => {
    const points = numbers.map(({ ply, ended: counts }) => ({ move: ply, value: counts[i]! }));
    return points.some(({ value }) => value > 0) ? [{ name, look: [CASE, DRAWN, BASELINE][i]!, points }] : [];
  });
  const seconds = linesOf(told, "seconds");
  const unit = timeUnit(seconds);
  return (
    <section class="by-move" aria-label="By move number">
      <p class="meaning">
        {all ? `All ${counted(games, "game")} of this search.` : `The first ${counted(games, "game")} of this search, in its order.`}
        {dropped > 0 && ` The moves of ${counted(dropped, "game")} more were deleted to make room.`} Lines are means, bands their
        95&nbsp;% intervals at each move by itself. Late moves are of long games only.
        {end < last && ` After move ${end} fewer than ${LEAST_GAMES} games are left, and the lines of means end there.`}
      </p>
      <LinesLegend lines={seconds.map(({ look, name, isSecond = false }) => [look, name, isSecond] as const)} />
      <div class="panels many">
        <MoveChart title="Simulations of a move" lines={linesOf(told, "sims")} last={end} write={brief} />
        <MoveChart title="Nodes in the tree after a move" lines={linesOf(told, "nodes")} last={end} write={brief} />
        <MoveChart title={`CPU time of a move, in ${unit.name}`} lines={unit.scaled(seconds)} last={end} write={brief} />
        <MoveChart title="Result that the mover expects, in %" lines={linesOf(told, "value")} last={end} domain={RATE} write={shortPercent} />
        <MoveChart title="Result that the mover got in the end, in %" lines={linesOf(told, "result")} last={end} domain={RATE} write={shortPercent} />
        <MoveChart title="Moves that proved how the game ends, in %" lines={colourLines(told, ({ solved }) => ({ value: solved }))} last={end} domain={RATE} write={shortPercent} />
        <MoveChart title="Games still going, in %" lines={going} last={last} domain={RATE} write={shortPercent} />
        <MoveChart title="Games that ended" lines={ended} last={last} write={brief}>
          <LinesLegend lines={ended.map(({ look, name }) => [look, name] as const)} />
        </MoveChart>
      </div>
      <Fold name="numbers" summary="The numbers">
        <Numbers numbers={numbers} />
      </Fold>
    </section>
  );
}

function numbersTable(numbers: readonly MoveNumber[]): Table {
  const measures = ["sims", "nodes", "seconds", "value", "result"] as const;
  const own = (moves: MovesOf | undefined) => (moves === undefined ? [null, ...measures.map(() => null)] : [moves.moves, ...measures.map((measure) => moves[measure].mean)]);
  return {
    columns: ["move", "going", ...["case", "baseline"].flatMap((who) => ["moves", ...measures].map((name) => `${who}_${name}`))],
    rows: numbers.map(({ ply, going, case: of, baseline }) => [ply, going, ...own(of), ...own(baseline)]),
  };
}

function Numbers({ numbers }: { numbers: readonly MoveNumber[] }) {
  const cells = (moves: MovesOf | undefined) =>
    moves === undefined
      ? ["–", "–", "–", "–", "–", "–"]
      : [
          count(moves.moves),
          brief(moves.sims.mean),
          brief(moves.nodes.mean),
          brief(moves.seconds.mean),
          percent(moves.value.mean),
          percent(moves.result.mean),
        ];
  const names = ["moves", "sims", "nodes", "seconds", "expects %", "gets %"];
  const columns = ["Move", "Going %", ...["Case", "Baseline"].flatMap((who) => names.map((name) => `${who} ${name}`))];
  return (
    <DataTable kind="games" label="Numbers by move" columns={columns} files={{ name: "by move number", table: () => numbersTable(numbers) }}>
      {numbers.map(({ ply, going, case: of, baseline }) => (
        <tr key={ply}>
          <th scope="row">{ply}</th>
          <td class="number">{percent(going)}</td>
          {[...cells(of), ...cells(baseline)].map((text, i) => (
            <td key={i} class="number">
              {text}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}
