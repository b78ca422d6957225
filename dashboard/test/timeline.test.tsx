import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Timeline, together, weightWords } from "../src/parts/timeline";
import { InFrame } from "./in-frame";

const entry = { seq: 7, at_ms: 1_700_000_000_000, who: "ada", action: "weight", what: "rave-vs-uct", detail: "1 to 3" };

test("a change is shown with its author, its time and its details", () => {
  const page = render(<Timeline changes={[entry]} name="rave-vs-uct" />);
  for (const words of ["Changes while it ran", "2023-11-14T22:13:20.000Z", "ada", "weight", "1 to 3"]) expect(page).toContain(words);
});

test("an experiment that nobody changed has no table of changes", () => {
  expect(render(<Timeline changes={[]} name="rave-vs-uct" />)).toBe("");
});

test("three or more successive changes of weights are one line that opens", () => {
  const weights = (...details: string[]) => details.map((detail, i) => ({ ...entry, seq: 20 - i, detail }));
  const note = { ...entry, seq: 3, action: "apply", detail: "revision 2" };
  const run = weights("0.02 to 0.01", "7 cells: 0.5 times the weight of the file", "0.51 to 0.02");
  expect(together([...run, note, entry]).map(({ length }) => length)).toEqual([3, 1, 1]);
  expect(together([...run.slice(1), note, entry]).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  expect(weightWords(run)).toBe("3 changes of weights, 0.51 to 0.01");
  expect(weightWords([run[1]!])).toBe("1 change of weights");
  const page = (open: string) =>
    render(
      <InFrame address={`http://localhost/${open}`}>
        <Timeline changes={[...run, note]} name="rave-vs-uct" />
      </InFrame>,
    );
  expect(page("")).toContain("3 changes of weights, 0.51 to 0.01");
  expect(page("")).not.toContain("7 cells");
  expect(page("?open=weights+18")).toContain("7 cells: 0.5 times the weight of the file");
});
