import { expect, test } from "vitest";
import { ratingWords, savedWords } from "../src/parts/ratings";

const list = { budget: "100 sims", anchor: "uct", prior_draws: 2, draws: "half", players: [], covariance: [], first_move: [[4, 31.4, 6.2]] as [number, number, number][], fit: [] };

test("a rating list says what the first move is worth and whether one number for each player is enough", () => {
  expect(ratingWords(list)).toContain("The first move is worth +31 ± 6 Elo on size 4.");
  expect(ratingWords(list)).not.toContain("One number");
  expect(ratingWords({ ...list, fit: [[4, { statistic: 30, degrees: 3, p_value: 0.001 }]] })).toContain("does not explain the results on size 4");
});

test("common openings save or cost games", () => {
  expect(savedWords(0.31)).toBe("save 31 % of the games");
  expect(savedWords(-0.1)).toBe("cost 10 % more games");
  expect(savedWords(null)).toBe("–");
});
