import { expect, test } from "vitest";
import { speedsPicture, type SpeedPoint } from "../src/charts/speeds";
import { onPage } from "./drawn";

const HOUR = 3_600_000;

const drawn = (points: readonly SpeedPoint[], fleet?: number) => onPage(speedsPicture({ title: "Size 4", points, now: 10 * HOUR, fleet }), { width: 420 });

test("a speed over time beside the fleet is the committed picture", async () => {
  const points = [0, 4, 6].map((hour, i) => ({ at_ms: hour * HOUR, relative: [1.5, 0.9, 1.4][i]! }));
  await expect(drawn(points, 1.2)).toMatchFileSnapshot("data/speeds.svg");
});

test("a speed holds until the next one, and the last one until now", () => {
  const svg = drawn([
    { at_ms: 0, relative: 2 },
    { at_ms: 5 * HOUR, relative: 1 },
  ]);
  const places = [.../<path d="([^"]*)" data-line/.exec(svg)![1]!.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  // Half of the time lies in the middle between 62 and 402, and half of the speed half as high.
  expect(places.map(([x]) => x)).toEqual([62, 232, 232, 402, 402]);
  const bottom = 190 - 46;
  expect(bottom - places[0]![1]).toBeCloseTo(2 * (bottom - places.at(-1)![1]), 0);
});

test("one speed, none, and a speed of a moment ago have pictures, too", () => {
  for (const points of [[], [{ at_ms: 10 * HOUR, relative: 1 }], [{ at_ms: 11 * HOUR, relative: 1e6 }]]) expect(drawn(points)).not.toMatch(/NaN|Infinity/);
});
