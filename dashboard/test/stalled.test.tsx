import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { Overview } from "../src/api";
import { noneLeads, ProgressBar, ProgressWords, Stalled, standingOf, StateBadge } from "../src/parts/experiments";
import { untilFinished } from "../src/parts/fleet";
import { report } from "./report";

const active = { ...report([]).summary, state: "active" as const, games_done: 900, games_per_minute: 16, seconds_left: 3400 };

test("an experiment that is played says how long it takes still", () => {
  expect(render(<ProgressWords summary={active} />)).toContain("56\u00a0min 40\u00a0s left");
  expect(render(<StateBadge summary={active} />)).toContain("Active");
  expect(render(<Stalled summary={active} />)).toBe("");
});

test("games that a rule made unnecessary are told, and fill no part of the bar", () => {
  const summary = { ...active, games_planned: 2000, games_not_needed: 800 };
  expect(render(<ProgressWords summary={summary} />)).toContain("800 not needed");
  expect(render(<ProgressBar summary={summary} label="Games" />)).toContain('max="1200"');
});

test("one that nobody plays says that instead, and why, in the coordinator's words", () => {
  const stalled = { ...active, seconds_left: null, stalled: "no worker is there: the last one, node7, called 3 min ago" };
  const words = render(<ProgressWords summary={stalled} />);
  expect(words).toContain("stalled");
  expect(words).not.toContain("left");
  expect(render(<StateBadge summary={stalled} />)).toContain("Stalled");
  expect(render(<Stalled summary={stalled} />)).toContain("node7, called 3 min ago");
});

test("games that take longer than the speed is measured over are played all the same", () => {
  const slow = { ...active, games_per_minute: 0, seconds_left: null, pairs_in_flight: 4 };
  const of = (own: typeof slow) => [render(<ProgressWords summary={own} />), untilFinished({ experiments: [own], seconds_left: null } as unknown as Overview, 0)[1]] as const;
  for (const words of of(slow)) expect(words).toContain("time left unknown");
  for (const words of of({ ...slow, pairs_in_flight: 0 })) expect(words).toContain("nothing is played");
});

test("what is stalled has no time to finish, though games came in the last minutes", () => {
  const overview = (...experiments: object[]) => ({ experiments, seconds_left: 3400 }) as unknown as Overview;
  const stalled = { ...active, stalled: "no worker is there" };
  expect(untilFinished(overview(stalled), 0)).toEqual(["–", "stalled"]);
  expect(untilFinished(overview(stalled, active), 0)[0]).toBe("56\u00a0min 40\u00a0s");
});

test("the best of cases that lose to their baseline does not lead", () => {
  const leader = { case: "LGRF", against: "rave", budget: "", rate: 0.6, low: 0.55, high: 0.65, leads: true };
  expect(standingOf(leader)).toBe("leads");
  expect(standingOf({ ...leader, leads: false })).toBe("is ranked first");
  expect(standingOf({ ...leader, rate: 0.45, high: 0.49 })).toBe("is the best of its cases and is still behind the baseline");
  expect(standingOf({ ...leader, rate: 0.48, high: 0.52 })).toBe("is the best of its cases and is not ahead of the baseline");
  expect(standingOf({ ...leader, rate: 0.48, high: 0.52, leads: false })).toBe("is ranked first and is not ahead of the baseline");
});

test("no case leads whose interval has 50 %, and after the end none leads 'yet'", () => {
  const leader = { case: "k=2000", against: "rave", budget: "", rate: 0.512, low: 0.497, high: 0.527, leads: true };
  expect(standingOf(leader)).toBe("is not told apart from the baseline");
  expect([false, true].map((ended) => noneLeads(leader, ended))).toEqual(["No case leads yet. ", "No case leads. "]);
  expect(noneLeads({ ...leader, leads: false }, true)).toBe("No case leads: several may be the best. ");
  expect(noneLeads({ ...leader, low: 0.503 }, true)).toBe("");
});
