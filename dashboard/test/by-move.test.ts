import { expect, test } from "vitest";
import type { MoveNumber, MovesOf } from "../src/api";
import { colourLines, wellPlayed } from "../src/parts/by-move";

const mean = (value: number) => ({ mean: value, low: value, high: value });

const moves = (games: number, value: number): MovesOf => ({ moves: games, sims: mean(value), nodes: mean(value), seconds: mean(value), value: mean(value), result: mean(value), solved: 0 });

/** Both players had each move in as many games; White's odd moves are worth more. */
const number = (ply: number, games: number): MoveNumber => {
  const own = moves(games / 2, ply % 2 === 1 ? 0.6 : 0.4);
  return { ply, going: games / 100, ended: [0, 0, 0], case: own, baseline: own };
};

test("each player has a line for each colour, without the steps between White's moves and Black's", () => {
  const lines = colourLines([3, 4, 5, 6].map((ply) => number(ply, 100)), ({ value }) => ({ value: value.mean }));
  expect(lines.map(({ name, points }) => [name, points.map(({ move, value }) => [move, value])])).toEqual([
    ["case, White", [[3, 0.6], [5, 0.6]]],
    ["case, Black", [[4, 0.4], [6, 0.4]]],
    ["baseline, White", [[3, 0.6], [5, 0.6]]],
    ["baseline, Black", [[4, 0.4], [6, 0.4]]],
  ]);
  expect(lines.map(({ isSecond }) => isSecond)).toEqual([false, true, false, true]);
});

test("lines end where fewer than 30 games are left, unless there were never so many", () => {
  const all = [100, 100, 60, 30, 28, 4].map((games, i) => number(3 + i, games));
  expect(wellPlayed(all, 100).map(({ ply }) => ply)).toEqual([3, 4, 5, 6]);
  const few = [20, 20, 4].map((games, i) => number(3 + i, games));
  expect(wellPlayed(few, 20)).toBe(few);
});
