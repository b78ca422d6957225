import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Board, BOARD_ON_PAPER } from "../src/charts/board";
import { cellName, layoutBoard } from "../src/charts/board-layout";

const lines = (svg: string) => `${svg.replaceAll("><", ">\n<")}\n`;

function drawn(size: number, numbering: "grid" | "gui", moves: string, winning: string): string {
  const layout = layoutBoard(size, numbering);
  return lines(
    renderToString(
      <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${layout.width.toFixed(0)} ${layout.height.toFixed(0)}`}>
        <Board layout={layout} theme={BOARD_ON_PAPER} moves={moves.split(" ")} winning={winning.split(" ")} opening={2} numbers={numbering === "gui"} />
      </svg>,
    ),
  );
}

test("a finished game has its stones, its last move and its winning shape", async () => {
  const svg = drawn(4, "grid", "c3 a1 c4 a2 d5 a3 e5 g4 e4 g5 d3", "c3 c4 d3 d5 e4 e5");
  expect(svg.match(/data-won="true"/g)).toHaveLength(6);
  expect(svg.match(/data-stone="white"/g)).toHaveLength(6);
  expect(svg.match(/data-stone="black"/g)).toHaveLength(5);
  expect(svg.match(/data-last="true"/g)).toHaveLength(1);
  await expect(svg).toMatchFileSnapshot("data/board.svg");
});

test("stones bear numbers when asked to", async () => {
  await expect(drawn(3, "gui", "a1 c3 e5", "")).toMatchFileSnapshot("data/board-numbers.svg");
});

test("a board has as many cells as the rules say, no two at one place, and every cell touches its neighbours", () => {
  for (let size = 3; size <= 10; size++) {
    const { cells, width, height, radius } = layoutBoard(size, "grid");
    expect(cells).toHaveLength(3 * size * size - 3 * size + 1);
    const at = new Map(cells.map(({ key, x, y }) => [key, { x, y }]));
    expect(new Set(cells.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(cells.length);
    const row = String.fromCharCode(96 + size);
    // To its neighbours a cell has one step, and to every other cell more.
    const near = ({ x, y }: { x: number; y: number }) => cells.filter((other) => Math.hypot(other.x - x, other.y - y) < 1.8 * radius).length - 1;
    expect(near(at.get(`${row}${size}`)!)).toBe(6);
    const numbers = cells.map(near);
    // The six corners have three neighbours, the other cells of the rim four, and those inside six.
    expect([3, 4, 6].map((wanted) => numbers.filter((found) => found === wanted).length)).toEqual([6, 6 * (size - 2), cells.length - 6 * (size - 1)]);
    for (const { x, y } of cells) expect(x > radius && x < width - radius && y > radius && y < height - radius).toBe(true);
  }
});

test("cells have the names of both numberings", () => {
  // Of the engine's tests: row g of size 4 is g4 to g7 by column, and g1 to g4 by row.
  expect(["a1", "d7", "e2", "f5", "g4", "g7"].map((key) => cellName(4, key, "grid"))).toEqual(["a1", "d7", "e1", "f3", "g1", "g4"]);
  expect(cellName(4, "g7", "gui")).toBe("g7");
});
