import { expect, test } from "vitest";
import type { StopOutcome, Stopping } from "../src/api";
import { titleOf } from "../src/app";
import { doneWords, endedBy, endingWords, sharedRule, standWords } from "../src/parts/ended";
import { point, report, series } from "./report";

const FOUND: Partial<Record<StopOutcome, string>> = { accept_h1: "H1 (20 Elo) accepted", accept_h0: "H0 (0 Elo) accepted" };
const decided = (outcome: StopOutcome) => ({ outcome, found: FOUND[outcome] ?? outcome, rule: "SPRT of 20 against 0 Elo", pairs: 20 }) as unknown as Stopping;
const of = (outcomes: StopOutcome[], more: object) => {
  const points = outcomes.map((outcome, i) => ({ ...point(4 + i, 30, 40, 7), stopping: decided(outcome) }));
  const whole = report([series("k=1", points)]);
  return { ...whole, summary: { ...whole.summary, games_done: 80, games_planned: 400, ...more } };
};

test("an experiment that played all its games says nothing of its end, and one that is played neither", () => {
  expect(endingWords(report([]))).toBeUndefined();
  expect(endingWords(of(["open", "open"], { state: "active" }))).toBeUndefined();
});

test("what a stopping rule ended says which rule, and what it found", () => {
  const early = of(["accept_h1", "accept_h0"], { state: "finished" });
  expect(endedBy(early.summary)).toBe("ended by its stopping rule");
  expect(endingWords(early)).toBe(
    "Ended after 80 of 400 games. Outcome of the stopping rule in 2 cells: 1 H1 (20 Elo) accepted, 1 H0 (0 Elo) accepted. The rule: SPRT of 20 against 0 Elo.",
  );
});

test("what a rule found is said though all games were played", () => {
  const all = { state: "finished", games_done: 400 };
  expect(endingWords(of(["accept_h0"], all))).toBe("Ended after all 400 games. Outcome of the stopping rule in 1 cell: H0 (0 Elo) accepted after 20 pairs. The rule: SPRT of 20 against 0 Elo.");
  expect(endingWords(of(["inconclusive", "accept_h1"], all))).toContain("in 2 cells: 1 inconclusive, 1 H1 (20 Elo) accepted.");
  expect(endingWords(of(["open"], all))).toBeUndefined();
});

test("the rule is said where all cells that have one share it", () => {
  expect(sharedRule(of(["open", "accept_h0"], {}))).toBe("SPRT of 20 against 0 Elo");
  expect(sharedRule(report([series("k=1", [point(4, 30, 40, 7)])]))).toBeUndefined();
  const other = { ...point(6, 30, 40, 7), stopping: { ...decided("open"), rule: "e-value of 20 against 50 %" } };
  expect(sharedRule({ series: [...of(["open"], {}).series, series("k=2", [other])] })).toBeUndefined();
});

test("a card says how far its only test is, and what it found", () => {
  const test = { ...decided("open"), llr: 1.1, lower: -2.944, upper: 2.944 };
  expect(standWords(test)).toBe("SPRT of 20 against 0 Elo: LLR 1.10 [−2.94, 2.94]");
  expect(standWords({ ...decided("accept_h1"), llr: 1.1, lower: -2.944, upper: 2.944 })).toBe("SPRT of 20 against 0 Elo: H1 (20 Elo) accepted, LLR 1.10 [−2.94, 2.94]");
  expect(standWords({ ...decided("open"), rule: "e-value of 20 against 50 %", llr: null })).toBe("e-value of 20 against 50 %: open");
});

test("a confirmation says what is decided", () => {
  const confirms = { origin: "", origin_name: "sweep", case: "k=1", verdict: "confirmed" };
  const early = of(["accept_h1", "accept_h1"], { state: "finished", confirms });
  expect(endedBy(early.summary)).toBe("decided: confirmed");
  expect(endingWords(early)).toContain("The confirmation of k=1 is decided: confirmed.");
});

test("what somebody stopped says so", () => {
  const early = of(["accept_h1", "stopped"], { state: "stopped" });
  expect(endedBy(early.summary)).toBe("stopped by a person");
  expect(endingWords(early)).toMatch(/A person stopped the experiment, and with it 1 cell\.$/);
});

test("what a rule made unnecessary is not missing, and the endless control has no part that is done", () => {
  const ended = { ...report([]).summary, games_done: 300, games_planned: 1000, games_not_needed: 700 };
  expect([doneWords(ended), titleOf(ended)]).toEqual(["100.0\u00a0%", "100 % rave-vs-uct"]);
  const control = { ...ended, is_control: true };
  expect([doneWords(control), titleOf(control)]).toEqual(["–", "rave-vs-uct"]);
});
