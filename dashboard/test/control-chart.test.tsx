import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { ControlCell } from "../src/api";
import { ControlChart, controlHeight } from "../src/charts/control";
import { Paper, PAPER_WIDTH } from "../src/charts/paper";
import { PAPER } from "../src/charts/palette";
import { point } from "./report";

const CELLS: ControlCell[] = [
  { label: "uct", experiments: [{ id: "1", name: "quickstart" }], budget: { sims: 1000 }, point: point(4, 101, 200, 7) },
  { experiments: [{ id: "1", name: "quickstart" }, { id: "2", name: "other" }], label: "a player with a name that is longer than its column is wide", budget: { reference_seconds: 0.5 }, point: { ...point(6, 140, 200, 6), verdict: "better" } },
];

test("the picture of the control is the committed one", async () => {
  const svg = render(
    <Paper title="Control" height={controlHeight(CELLS)}>
      <ControlChart cells={CELLS} width={PAPER_WIDTH} theme={PAPER} />
    </Paper>,
  );
  await expect(svg).toMatchFileSnapshot("data/control.svg");
});

test("cells of one player and size are told apart by their budgets", () => {
  const cells = [1000, 20_000].map((sims): ControlCell => ({ label: "uct", experiments: [], budget: { sims }, point: point(4, 101, 200, 7) }));
  const of = (width: number) => render(<ControlChart cells={cells} width={width} theme={PAPER} />);
  expect(of(900)).toContain(">uct, 1\u202f000 sims<");
  const names = [...of(330).matchAll(/text-anchor="end"[^>]*>([^<]+)</g)].map(([, name]) => name);
  expect(new Set(names).size).toBe(2);
});
