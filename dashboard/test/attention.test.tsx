import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { ExperimentNews, ExperimentSummary, Overview } from "../src/api";
import { byNeed, mattersOf, movedMost } from "../src/attention";
import { Now } from "../src/live";
import { Attention } from "../src/parts/attention";
import { untilFinished } from "../src/parts/fleet";
import { report } from "./report";

const summary = (name: string, more: Partial<ExperimentSummary> = {}): ExperimentSummary => ({
  ...report([]).summary,
  id: name,
  name,
  state: "active",
  games_done: 10,
  ...more,
});

const overview = (more: Partial<Overview> = {}): Overview => ({
  experiments: [],
  workers: [],
  fleet: { workers: 2, alive: 2, slots: 8, reference_cores: 8, others: 0, quarantined: 0, outdated: 0, labels: [] },
  alarms: [],
  games_per_minute: 0,
  seconds_left: null,
  version: "1",
  ...more,
});

test("an overview without trouble has nothing that needs attention", () => {
  expect(mattersOf(overview({ experiments: [summary("one"), summary("two", { state: "finished" })] }))).toEqual([]);
  expect(render(<Attention matters={[]} />)).toContain("Nothing.");
});

test("everything that is wrong is said once, red before amber, with a way to go on", () => {
  const matters = mattersOf(
    overview({
      experiments: [
        summary("aside", { pairs_aside: 2 }),
        summary("stalled", { stalled: "no worker is there" }),
        summary("stuck", { state: "stuck", pairs_aside: 1 }),
        summary("paused", { state: "paused", stalled: "somebody paused it" }),
      ],
      alarms: [
        { kind: "drift", severity: "amber", subject: "node7", worker: "w7", since_ms: 1000, words: "is slower" },
        { kind: "control", severity: "red", subject: "control", since_ms: 2000, words: "players score 60 %" },
      ],
      fleet: { workers: 9, alive: 2, slots: 8, reference_cores: 8, others: 0, quarantined: 1, outdated: 60, labels: [] },
      trouble: "the disk is full",
    }),
  );
  expect(matters.map(({ severity, subject }) => `${severity} ${subject}`)).toEqual([
    "red Storage",
    "red Control",
    "red stalled",
    "red stuck",
    "amber node7",
    "amber aside",
    "amber 1 worker",
    "amber 60 workers",
  ]);
  expect(matters.at(-1)!.words).toBe("another version of the program than the coordinator's 1: 60 more");
  const at = (now: number) =>
    render(
      <Now.Provider value={now}>
        <Attention matters={matters} />
      </Now.Provider>,
    );
  const shown = at(62_000);
  expect(shown).toContain('<a href="/workers/w7">node7</a>');
  expect(shown).toContain('<a href="/experiments/stalled">stalled</a>');
  expect(shown).toContain("for 1\u00a0min");
  // A screen reader is told once, and not whenever an age grows.
  const told = (page: string) => /role="status">([^<]*)</.exec(page)![1];
  expect(told(shown)).toBe("8 alarms: Storage, Control, stalled, stuck, node7, aside, 1 worker, 60 workers");
  expect(told(at(999_000))).toBe(told(shown));
});

test("experiments that wait for one reason are one line", () => {
  const waiting = (name: string, stalled: string) => summary(name, { stalled });
  const matters = mattersOf(overview({ experiments: [waiting("one", "no worker is there"), waiting("two", "its build differs"), waiting("three", "no worker is there")] }));
  expect(matters.map(({ subject, href, words }) => [subject, href, words])).toEqual([
    ["2 experiments", "#experiments", "stalled: no worker is there"],
    ["two", "/experiments/two", "stalled: its build differs"],
  ]);
});

test("all is done only if nothing waits for somebody", () => {
  const of = (...states: ExperimentSummary["state"][]) =>
    untilFinished(overview({ experiments: [...states.map((state) => summary(state, { state })), summary("control", { is_control: true })] }), 0);
  expect(of("finished", "stopped", "archived")).toEqual(["done", "nothing is waiting"]);
  expect(of("paused", "finished", "paused")).toEqual(["–", "2 paused"]);
  expect(of("stuck", "paused")).toEqual(["–", "1 stuck, 1 paused"]);
  expect(of("active", "stuck")).toEqual(["–", "nothing is played"]);
});

test("experiments are in the order of need", () => {
  const order = byNeed([
    summary("done", { state: "finished" }),
    summary("slow", { games_per_minute: 1 }),
    summary("paused", { state: "paused" }),
    summary("stalled", { stalled: "no worker is there" }),
    summary("fast", { games_per_minute: 9 }),
    summary("favoured", { games_per_minute: 2, share: 0.4 }),
    summary("stuck", { state: "stuck" }),
  ]);
  expect(order.map(({ name }) => name)).toEqual(["stalled", "stuck", "favoured", "fast", "slow", "paused", "done"]);
});

test("the experiment that moved most stays until another one is clearly faster", () => {
  const news = (id: string, games: number): ExperimentNews => ({ id, games: [0, games], decided: [], cases_decided: 0, cells_decided: 0 });
  const two = (a: number, b: number) => [summary("a", { games_per_minute: a }), summary("b", { games_per_minute: b })];
  expect(movedMost(two(10, 12), [], undefined)?.name).toBe("b");
  expect(movedMost(two(10, 12), [], "a")?.name).toBe("a");
  expect(movedMost(two(10, 16), [], "a")?.name).toBe("b");
  expect(movedMost(two(0, 0), [news("a", 5), news("b", 4)], undefined)?.name).toBe("a");
  expect(movedMost([summary("a"), summary("control", { is_control: true, games_per_minute: 99 })], [], undefined)?.name).toBe("a");
  expect(movedMost([], [], "gone")).toBe(undefined);
});
