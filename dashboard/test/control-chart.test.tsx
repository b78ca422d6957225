import { expect, test } from "vitest";
import type { ControlCell } from "../src/api";
import { controlPicture } from "../src/charts/control";
import { onPage, onPaper } from "./drawn";
import { point } from "./report";

const CELLS: ControlCell[] = [
  { label: "uct", experiments: [{ id: "1", name: "quickstart" }], budget: { sims: 1000 }, point: point(4, 101, 200, 7) },
  { experiments: [{ id: "1", name: "quickstart" }, { id: "2", name: "other" }], label: "a player with a name that is longer than its column is wide", budget: { reference_seconds: 0.5 }, point: { ...point(6, 140, 200, 6), verdict: "better" } },
];
const pictureOf = (cells: readonly ControlCell[]) => controlPicture(cells, () => ({ columns: [], rows: [] }));

test("the picture of the control is the committed one", async () => {
  await expect(onPaper(pictureOf(CELLS), "Control", 960)).toMatchFileSnapshot("data/control.svg");
});

test("cells of one player and size are told apart by their budgets", () => {
  const cells = [1000, 20_000].map((sims): ControlCell => ({ label: "uct", experiments: [], budget: { sims }, point: point(4, 101, 200, 7) }));
  expect(onPage(pictureOf(cells), { width: 900 })).toContain(">uct, 1\u202f000 sims<");
  const names = [...onPage(pictureOf(cells), { width: 330 }).matchAll(/text-anchor="end"[^>]*>([^<]+)</g)].map(([, name]) => name);
  expect(new Set(names).size).toBe(2);
});
