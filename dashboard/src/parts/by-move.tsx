/** What the games of a search have in common, by the number of the move. */

import { useMemo } from "preact/hooks";
import type { ByMoveNumber, MoveNumber, MovesOf } from "../api";
import { inTimeUnit, movesPicture, type MoveLine, type MovePoint } from "../charts/moves";
import { tableOf } from "../export/table";
import { brief, count, counted, percent, shortPercent } from "../format";
import { DataTable } from "./data-table";
import { Fold } from "./fold";
import { LinesLegend } from "./legend";
import { Panels, PictureFrame } from "./picture";

const MEASURES = ["sims", "nodes", "seconds", "value", "result"] as const;
type Measure = (typeof MEASURES)[number];

/** Places of the players in the palette, and of drawn games. */
export const CASE = 0;
export const BASELINE = 1;
const DRAWN = 4;

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

const RATE = { domain: [0, 1], write: shortPercent } as const;

/** The pictures, and whether each shows the lines of both players. */
function picturesOf({ numbers, games }: ByMoveNumber) {
  const played = wellPlayed(numbers, games);
  const [end, last] = [played.at(-1)?.ply ?? 1, numbers.at(-1)?.ply ?? 1];
  const means = (measure: Measure) => colourLines(played, ({ [measure]: { mean, low, high } }) => ({ value: mean, low, high }));
  const seconds = inTimeUnit(means("seconds"));
  const ended = (["won by the case", "drawn", "lost by the case"] as const).flatMap((name, i): MoveLine[] => {
    const points = numbers.map(({ ply, ended: counts }) => ({ move: ply, value: counts[i]! }));
    return points.some(({ value }) => value > 0) ? [{ name, look: [CASE, DRAWN, BASELINE][i]!, points }] : [];
  });
  const going: MoveLine = { name: "going", look: 2, points: numbers.map(({ ply, going: value }) => ({ move: ply, value })) };
  const ofPlayers = [
    { title: "Simulations of a move", lines: means("sims") },
    { title: "Nodes in the tree after a move", lines: means("nodes") },
    { title: `CPU time of a move, in ${seconds.unit}`, lines: seconds.lines },
    { title: "Result that the mover expects, in %", lines: means("value"), ...RATE },
    { title: "Result that the mover got in the end, in %", lines: means("result"), ...RATE },
    { title: "Moves that proved how the game ends, in %", lines: colourLines(played, ({ solved }) => ({ value: solved })), ...RATE },
  ];
  return {
    players: ofPlayers.map((own) => movesPicture({ ...own, last: end })),
    games: [movesPicture({ title: "Games still going, in %", lines: [going], last, ...RATE }), movesPicture({ title: "Games that ended", lines: ended, last })],
    end,
    last,
  };
}

export function ByMove({ sums }: { sums: ByMoveNumber }) {
  const { numbers, games, without_moves: dropped, is_all: all } = sums;
  const { players, games: ofGames, end, last } = useMemo(() => picturesOf(sums), [sums]);
  if (games === 0) {
    return (
      <p class="lead" data-testid="no-games">
        {dropped > 0
          ? `The moves of the ${counted(dropped, "game")} found were deleted to make room; only their results are kept.`
          : "No game that counts fits this search."}
      </p>
    );
  }
  return (
    <section class="by-move" aria-label="By move number">
      <p class="meaning">
        {all ? `All ${counted(games, "game")} of this search.` : `The first ${counted(games, "game")} of this search, in its order.`}
        {dropped > 0 && ` The moves of ${counted(dropped, "game")} more were deleted to make room.`} Lines are means, bands their
        95&nbsp;% intervals at each move by itself. Late moves are of long games only.
        {end < last && ` After move ${end} fewer than ${LEAST_GAMES} games are left, and the lines of means end there.`}
      </p>
      <LinesLegend lines={players[0]!.legend!} />
      <Panels>
        {[
          ...players.map((picture) => <PictureFrame key={picture.title} picture={picture} name={picture.title} isLegendShared />),
          ...ofGames.map((picture) => <PictureFrame key={picture.title} picture={picture} name={picture.title} />),
        ]}
      </Panels>
      <Fold name="numbers" summary="The numbers">
        <Numbers numbers={numbers} />
      </Fold>
    </section>
  );
}

const PLAYERS = [
  ["Case", "case"],
  ["Baseline", "baseline"],
] as const;

/** The numbers of a player's moves, with their headings. */
const NUMBERS: readonly (readonly [heading: string, write: (moves: MovesOf) => string])[] = [
  ["moves", ({ moves }) => count(moves)],
  ["sims", ({ sims }) => brief(sims.mean)],
  ["nodes", ({ nodes }) => brief(nodes.mean)],
  ["seconds", ({ seconds }) => brief(seconds.mean)],
  ["expects %", ({ value }) => percent(value.mean)],
  ["gets %", ({ result }) => percent(result.mean)],
];

function Numbers({ numbers }: { numbers: readonly MoveNumber[] }) {
  const orNone = (moves: MovesOf | undefined, write: (moves: MovesOf) => string) => (moves === undefined ? "–" : write(moves));
  return (
    <DataTable
      kind="games"
      label="Numbers by move"
      rows={numbers}
      columns={[
        ["Move", ({ ply }) => ply],
        ["Going %", ({ going }) => percent(going), "number"],
        ...PLAYERS.flatMap(([name, player]) => NUMBERS.map(([heading, write]) => [`${name} ${heading}`, (own: MoveNumber) => orNone(own[player], write), "number"] as const)),
      ]}
      files={{
        name: "by move number",
        table: () =>
          tableOf(numbers, [
            ["move", ({ ply }) => ply],
            "going",
            ...PLAYERS.flatMap(([, player]) => [
              [`${player}_moves`, (own: MoveNumber) => own[player]?.moves] as const,
              ...MEASURES.map((measure) => [`${player}_${measure}`, (own: MoveNumber) => own[player]?.[measure].mean] as const),
            ]),
          ]),
      }}
    />
  );
}
