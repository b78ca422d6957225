import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { CaseDifference, CellChange, RevisionChanges } from "../src/api";
import { ChangesShown, changeWords } from "../src/parts/revision-changes";
import { InFrame } from "./in-frame";

const NONE = { added: 0, reopened: 0, changed: 0, closed: 0, kept: 0 };

const changed = (change: CellChange, name: string): CaseDifference => ({
  change,
  group: "k",
  case: name,
  baseline: "uct",
  cells: 2,
  games_planned: 40,
  games_played: 6,
});

test("a revision is told in words", () => {
  const words = (number: number, since: number, cells: Partial<typeof NONE>) =>
    changeWords({ number, since, settings: [], cells: { ...NONE, ...cells }, cases: [] });
  expect(words(1, 0, { added: 12 })).toBe("Revision 1 adds 12 cells.");
  expect(words(3, 1, { added: 7, closed: 1, kept: 40 })).toBe("Compared with revision 1, revision 3 adds 7 cells, closes 1 cell and keeps 40 cells.");
  expect(words(2, 1, { kept: 4 })).toBe("Compared with revision 1, revision 2 keeps 4 cells.");
});

test("added cases are listed, closed ones are folded, kept ones are counted only", () => {
  const changes: RevisionChanges = {
    number: 2,
    since: 1,
    settings: ["weight: 1 to 3"],
    cells: { ...NONE, added: 2, closed: 2, kept: 2 },
    cases: [changed("added", "k=<b>200"), changed("kept", "k=50"), changed("closed", "k=100")],
    file: "# <script>\n[experiment]\n",
  };
  const page = render(
    <InFrame>
      <ChangesShown changes={changes} />
    </InFrame>,
  );
  expect(page).toContain("weight: 1 to 3");
  expect(page).toContain("k=&lt;b>200");
  expect(page).not.toContain("k=50");
  const folded = page.slice(page.indexOf("<details>"));
  expect(folded).toContain("Closed: 1 case");
  expect(folded).toContain("k=100");
  expect(page.slice(0, page.indexOf("<details>"))).not.toContain("k=100");
  expect(folded).toContain("The file of revision 2");
  expect(folded).toContain("# &lt;script>\n[experiment]\n");
  expect(page).not.toContain("<details open");
  const opened = render(
    <InFrame address="http://localhost/?open=closed">
      <ChangesShown changes={changes} />
    </InFrame>,
  );
  expect(opened.split("<details open")).toHaveLength(2);
});
