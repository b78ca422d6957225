import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Moves } from "../src/charts/moves";
import { MovesFigure } from "../src/charts/moves-figure";
import { layoutMoves, niceStep } from "../src/charts/moves-layout";
import { PAPER } from "../src/charts/palette";
import { brief } from "../src/format";

const LINES = [
  { name: "case", look: 0, points: [3, 5, 7].map((move, i) => ({ move, value: 1000 * (i + 1), low: 900 * (i + 1), high: 1100 * (i + 1) })) },
  { name: "baseline", look: 1, points: [4, 6].map((move) => ({ move, value: 500 })) },
];

test("lines, bands, the opening and the cursor are the committed ones", async () => {
  const layout = layoutMoves({ width: 420, height: 210, lines: LINES, last: 7, write: brief });
  const svg = renderToString(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 210">
      <Moves layout={layout} theme={PAPER} opening={2} cursor={5} />
    </svg>,
  );
  await expect(`${svg.replaceAll("><", ">\n<")}\n`).toMatchFileSnapshot("data/moves.svg");
});

test("a picture for a file has a title, a legend and colours for paper", async () => {
  const svg = renderToString(<MovesFigure title="Simulations <of> a move" lines={LINES} last={7} write={brief} opening={2} />);
  expect(svg).toContain("Simulations &lt;of> a move");
  await expect(`${svg.replaceAll("><", ">\n<")}\n`).toMatchFileSnapshot("data/moves-figure.svg");
});

test("the axis begins at 0 and reaches over the largest value and its interval", () => {
  const { ticks, bottom, top, lines } = layoutMoves({ width: 420, height: 210, lines: LINES, last: 7, write: brief });
  expect(ticks[0]).toEqual({ y: bottom, text: "0" });
  expect(ticks.at(-1)!.text).toBe("4k");
  for (const { dots } of lines) for (const { y } of dots) expect(y >= top && y <= bottom).toBe(true);
});

test("a place in the picture names the nearest move", () => {
  const { xOf, moveAt, left, right } = layoutMoves({ width: 420, height: 210, lines: LINES, last: 40, write: brief });
  for (let move = 1; move <= 40; move++) expect(moveAt(xOf(move) + 2)).toBe(move);
  expect([moveAt(left - 50), moveAt(right + 50)]).toEqual([1, 40]);
});

test("games of one move and pictures without values have places, too", () => {
  for (const last of [0, 1]) {
    const layout = layoutMoves({ width: 0, height: 210, lines: [], last, write: brief });
    expect(Number.isFinite(layout.xOf(1))).toBe(true);
    expect(layout.ticks.every(({ y }) => Number.isFinite(y))).toBe(true);
  }
});

test("steps are round", () => {
  expect([0.07, 3, 12, 999, 0].map((length) => niceStep(length, 4))).toEqual([0.02, 1, 5, 500, 1]);
});

test("numbers at an axis are brief", () => {
  expect([0, 0.04, 1.25, 12, 3400, 120_000, 1_200_000].map(brief)).toEqual(["0", "0.04", "1.3", "12", "3.4k", "120k", "1.2M"]);
});
