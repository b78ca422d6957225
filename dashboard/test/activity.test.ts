import { expect, test } from "vitest";
import { layoutOf } from "../src/parts/activity";

const HOUR = 3_600_000;
const change = (seq: number, at_ms: number) => ({ seq, at_ms, who: "ada", action: "weight", what: "one", detail: "2" });

test("games over time stand on an axis in a unit that suits its length, with the changes in the order of time", () => {
  const games = [0, 1, 10].map((hour) => ({ at_ms: hour * HOUR, games: 100 * hour }));
  const shown = layoutOf(games, [change(3, 9 * HOUR), change(2, 2 * HOUR), change(1, -HOUR)])!;
  expect([shown.unit, shown.last]).toEqual(["hours", 10]);
  expect(shown.marks.map(({ pairs, value }) => [pairs, value])).toEqual([[0, 0], [1, 100], [10, 1000]]);
  expect(shown.places).toEqual([2, 9]);
  expect(shown.marked.map(({ seq }) => seq)).toEqual([2, 3]);
});

test("a pause at the end is seen: the last sum holds until now, and so do changes in it", () => {
  const games = [0, 1].map((hour) => ({ at_ms: hour * HOUR, games: 100 * hour }));
  const shown = layoutOf(games, [change(1, 2 * HOUR), change(2, 4 * HOUR)], 3 * HOUR)!;
  expect(shown.marks.map(({ pairs, value }) => [pairs, value])).toEqual([[0, 0], [60, 100], [180, 100]].map(([minutes, sum]) => [minutes! / 60, sum]));
  expect(shown.marked.map(({ seq }) => seq)).toEqual([1]);
  // A clock that is behind the coordinator's takes nothing away.
  expect(layoutOf(games, [], HOUR / 2)!.marks).toHaveLength(2);
});

test("without two times there is no picture", () => {
  expect(layoutOf([], [])).toBeUndefined();
  expect(layoutOf([{ at_ms: 5, games: 1 }], [])).toBeUndefined();
});
