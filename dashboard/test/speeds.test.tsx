import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { PAPER } from "../src/charts/palette";
import { Speeds } from "../src/charts/speeds";

const HOUR = 3_600_000;
const write = (at: number, span: number) => `${at / HOUR} of ${span / HOUR}`;

function drawn(points: readonly { at_ms: number; relative: number }[], fleet?: number): string {
  const svg = renderToString(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 170">
      <Speeds width={420} height={170} theme={PAPER} points={points} now_ms={10 * HOUR} fleet={fleet} write={write} />
    </svg>,
  );
  return `${svg.replaceAll("><", ">\n<")}\n`;
}

test("a speed over time beside the fleet is the committed picture", async () => {
  const points = [0, 4, 6].map((hour, i) => ({ at_ms: hour * HOUR, relative: [1.5, 0.9, 1.4][i]! }));
  await expect(drawn(points, 1.2)).toMatchFileSnapshot("data/speeds.svg");
});

test("a speed holds until the next one, and the last one until now", () => {
  const svg = drawn([
    { at_ms: 0, relative: 2 },
    { at_ms: 5 * HOUR, relative: 1 },
  ]);
  // Half of the time lies in the middle between 40 and 408, and half of the speed half as high.
  const [, high, middle, low, end] = /d="M40\.0 ([\d.]+)H([\d.]+)V([\d.]+)H(\d+)" fill="none"/.exec(svg)!.map(Number);
  expect([middle, end]).toEqual([224, 408]);
  const bottom = 144;
  expect(bottom - high!).toBeCloseTo(2 * (bottom - low!), 0);
});

test("one speed, none, and a speed of a moment ago have pictures, too", () => {
  for (const points of [[], [{ at_ms: 10 * HOUR, relative: 1 }], [{ at_ms: 11 * HOUR, relative: 1e6 }]]) expect(drawn(points)).not.toMatch(/NaN|Infinity/);
});
