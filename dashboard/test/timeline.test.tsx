import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Timeline } from "../src/parts/timeline";

const entry = { seq: 7, at_ms: 1_700_000_000_000, who: "ada", action: "weight", what: "rave-vs-uct", detail: "1 to 3" };

test("a change is shown with its author, its time and its details", () => {
  const page = render(<Timeline changes={[entry]} name="rave-vs-uct" />);
  for (const words of ["Changes while it ran", "2023-11-14T22:13:20.000Z", "ada", "weight", "1 to 3"]) expect(page).toContain(words);
});

test("an experiment that nobody changed has no table of changes", () => {
  expect(render(<Timeline changes={[]} name="rave-vs-uct" />)).toBe("");
});
