import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { GameInPlay } from "../src/api";
import { Looked } from "../src/parts/live-game";
import { InFrame } from "./in-frame";

const pair = { case: "rave", baseline: "uct", size: 3, budget: { sims: 100 }, worker: "w7", worker_name: "node7", experiments: [] };
const data = { pair, opening: ["a1"], games: ["1", "2"], game: "1", case_side: "white", moves: [], now_ms: 0 } as unknown as GameInPlay;

const shown = (trouble: string | undefined, unknown = false) =>
  render(
    <InFrame>
      <Looked look={{ data, unknown, trouble, at: 1_700_000_000_000 }} />
    </InFrame>,
  );

test("a game that is not told anew says so beside its last board", () => {
  expect(shown(undefined)).not.toContain('data-testid="stale"');
  const stale = shown("the disk is full");
  expect(stale).toContain('class="board"');
  expect(stale).toMatch(/The game was not fetched again since .*: the disk is full\./);
});

test("a game that is over is no trouble", () => {
  expect(shown("there is no such lease", true)).not.toContain("fetched again");
});
