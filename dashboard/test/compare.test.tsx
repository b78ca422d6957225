import { render } from "preact-render-to-string";
import { afterEach, expect, test, vi } from "vitest";
import { fetchExperiment, type ComparedSeries, type SideBySide } from "../src/api";
import { ComparedTable, noneWords } from "../src/pages/compare";
import { InFrame } from "./in-frame";
import { report } from "./report";

afterEach(() => void vi.unstubAllGlobals());

test("of two experiments that are fetched by turns only the changes are sent", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path.replace("/api/v1/experiments/", ""));
    const [, id, since] = /([a-z]+)\?since=(.*)$/.exec(path)!;
    return Response.json({ ...report([]), edition: `${id}1`, ...(since !== "" && { since }) });
  });
  for (const id of ["a", "b", "a", "b"]) await fetchExperiment(id);
  expect(asked.splice(0)).toEqual(["a?since=", "b?since=", "a?since=a1", "b?since=b1"]);
  // Reports are large: the oldest is forgotten.
  for (const id of ["c", "b", "a"]) await fetchExperiment(id);
  expect(asked).toEqual(["c?since=", "b?since=b1", "a?since="]);
});

test("of a large comparison the first rows are in sight, and more on demand", () => {
  const none = { left: null, right: null, left_pairs: 0, right_pairs: 0, difference: null, verdict: "not_played" } as const;
  const series = Array.from({ length: 80 }, (_, i): ComparedSeries => {
    const point = { ...none, size: 4, left_cell: `${i}l`, right_cell: `${i}r` };
    return { left: `k=${i}`, right: `k=${i}`, against: "uct", budget: "1000 sims", points: [point], mean: null, p_value: null };
  });
  const page = render(
    <InFrame>
      <ComparedTable series={series} title="one beside another" />
    </InFrame>,
  );
  expect(page.match(/<tr/g)).toHaveLength(1 + 100);
  expect(page).toContain("All 160 rows");
});

test("where nothing is compared though a case is chosen on each side, the page says why, and does not ask for them again", () => {
  const lone = (title: string, ...sizes: number[]) => [{ title, points: sizes.map((size) => ({ size, cell: `${size}`, pairs: 1, rate: null })) }];
  const side = (only: string | null) => ({ experiment: "e", name: "sweep", case: only, revision: null, until_ms: null });
  const found = { left: side("k=1"), right: side("k=2"), series: [], only_left: lone("k=1 against uct, 200 sims", 4, 5), only_right: lone("k=2 against uct, 400 sims", 4) } as unknown as SideBySide;
  const words = noneWords(found);
  expect(words).not.toContain("Choose");
  expect(words).toContain("The first is played as k=1 against uct, 200 sims, on size 4, 5. The second is played as k=2 against uct, 400 sims, on size 4.");
  expect(noneWords({ ...found, right: side(null) })).toContain("Choose a case on each side");
});
