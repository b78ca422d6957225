import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { ControlCell } from "../src/api";
import { ControlChart, controlHeight } from "../src/charts/control";
import { Paper, PAPER_WIDTH } from "../src/charts/paper";
import { PAPER } from "../src/charts/palette";
import { point } from "./report";

const CELLS: ControlCell[] = [
  { label: "uct", budget: { sims: 1000 }, point: point(4, 101, 200, 7) },
  { label: "a player with a name that is longer than its column is wide", budget: { reference_seconds: 0.5 }, point: { ...point(6, 140, 200, 6), verdict: "better" } },
];

test("the picture of the control is the committed one", async () => {
  const svg = render(
    <Paper title="Control" height={controlHeight(CELLS)}>
      <ControlChart cells={CELLS} width={PAPER_WIDTH} theme={PAPER} />
    </Paper>,
  );
  await expect(svg).toMatchFileSnapshot("data/control.svg");
});
