import { expect, test } from "vitest";
import { placed, ratingWords, savedWords } from "../src/parts/ratings";

const list = { budget: "100 sims", anchor: "uct", sizes: [4, 6], prior_draws: 2, players: [], covariance: [], fit: [] };

test("a rating list says on which sizes, and whether one number for each player is enough", () => {
  expect(ratingWords(list)).toContain("by the average score on size 4, 6, which all pairings played");
  expect(ratingWords(list)).toContain("half the width of the 95\u00a0% interval");
  expect(ratingWords(list)).not.toContain("One number");
  expect(ratingWords({ ...list, fit: [[4, { statistic: 30, degrees: 3, p_value: 0.001 }]] })).toContain("does not explain the results on size 4");
});

test("only players that games link to the anchor have a place", () => {
  const player = (name: string, connected: boolean) => ({ player: name, elo: 10, error: 5, low: 0, high: 20, superiority: 0.9, connected });
  const players = [player("a", true), player("b", false), player("c", true), player("d", true)];
  expect(placed(players).map(({ player: name, place, superiority }) => [name, place, superiority])).toEqual([
    ["a", 1, null],
    ["c", 2, 0.9],
    ["d", 3, null],
    ["b", undefined, null],
  ]);
});

test("common openings save or cost games", () => {
  expect(savedWords(0.31)).toBe("save 31\u00a0% of the games");
  expect(savedWords(-0.1)).toBe("cost 10\u00a0% more games");
  expect(savedWords(null)).toBe("–");
});
