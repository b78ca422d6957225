import { expect, test } from "vitest";
import type { Stopping, StopOutcome } from "../src/api";
import { titleOf } from "../src/app";
import { doneWords, endedBy, endingWords } from "../src/parts/ended";
import { point, report, series } from "./report";

const decided = (outcome: StopOutcome) => ({ outcome, rule: "test of 20 against 0 Elo", pairs: 20 }) as unknown as Stopping;
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
    "Ended after 80 of 400 games. A stopping rule ended 2 cells before all games were played (1 upper hypothesis, 1 lower hypothesis): test of 20 against 0 Elo.",
  );
});

test("a confirmation says what is decided", () => {
  const confirms = { origin: "", origin_name: "sweep", case: "k=1", verdict: "confirmed" };
  const early = of(["accept_h1", "accept_h1"], { state: "finished", confirms });
  expect(endedBy(early.summary)).toBe("decided: confirmed");
  expect(endingWords(early)).toContain("The confirmation of k=1 is decided: confirmed.");
});

test("what somebody stopped says so", () => {
  const early = of(["accept_h1", "stopped"], { state: "stopped" });
  expect(endedBy(early.summary)).toBe("stopped by somebody");
  expect(endingWords(early)).toMatch(/Somebody stopped the experiment, and with it 1 cell\.$/);
});

test("what a rule made unnecessary is not missing, and the endless control has no part that is done", () => {
  const ended = { ...report([]).summary, games_done: 300, games_planned: 1000, games_not_needed: 700 };
  expect([doneWords(ended), titleOf(ended)]).toEqual(["100.0\u00a0%", "100 % rave-vs-uct"]);
  const control = { ...ended, is_control: true };
  expect([doneWords(control), titleOf(control)]).toEqual(["–", "rave-vs-uct"]);
});
