import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { FoundGame } from "../src/api";
import { Command } from "../src/parts/command";
import { GamesTable } from "../src/parts/games-table";

const game = { id: "0123456789", lease: "1", cell: "c", case: "rave", baseline: "uct", size: 4, budget: { sims: 100 }, case_side: "white", result: "draw", plies: 37, status: "counted", worker: "w", worker_name: "node7", received_ms: 0, experiments: [] } as unknown as FoundGame;

test("the keyboard scrolls a wide table of games", () => {
  const table = render(<GamesTable games={[game]} />);
  expect(table).toContain('role="region" aria-label="List of games" tabindex="0"');
  expect(table).toContain('<td class="result draw">drew</td>');
});

test("a command has a button everywhere, and a place that says what came of it", () => {
  const command = render(<Command text="gauntlet serve" />);
  expect(command).toContain('aria-label="Copy gauntlet serve"');
  expect(command).toContain('role="status"');
});
