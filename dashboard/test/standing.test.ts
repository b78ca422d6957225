import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, unhurried } from "../src/api";
import { arrange } from "../src/charts/panels";
import { Analysed, standingIn } from "../src/charts/standing";
import { analysis, point, report, series } from "./report";

const of = (...labels: string[]) => report(labels.map((label) => series(label, [point(4, 80, 200, 7)])), [4]);
const ranked = (now: ReturnType<typeof of>, then: ReturnType<typeof analysis>) =>
  new Analysed(now, then).ranking(arrange(now).panels[0]!).map(({ line, result }) => `${line.case.name}: ${result.case}`);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a case that took the place of another has none of its results", () => {
  const before = of("k=1", "k=2");
  expect(ranked(before, analysis(before))).toEqual(["k=1: k=1", "k=2: k=2"]);
  expect(ranked(of("k=1", "k=3"), analysis(before))).toEqual([]);
});

test("the points of a tune come by their games, whatever an analysis says, and those without games have no place", () => {
  const cases = [series("k=1", [point(4, 2, 2, 7)]), series("k=2", [point(4, 0, 0, 7)]), series("k=3", [point(4, 3, 6, 7), point(6, 3, 6, 7)]), series("k=4", [point(4, 1, 2, 7)])];
  const sweep = report(cases, [4, 6]);
  const tune = { ...sweep, summary: { ...sweep.summary, is_tune: true } };
  for (const analysed of [undefined, new Analysed(tune, analysis(tune))]) expect([...standingIn(tune, analysed, undefined)!.keys()]).toEqual(["rave/k=3", "rave/k=1", "rave/k=4"]);
  expect(standingIn(sweep, undefined, undefined)).toBeUndefined();
});

test("of two players with one name, one is followed by a part of its id", () => {
  const now = of("k=1", "k=2");
  const text = JSON.stringify(analysis(now)).replaceAll('"k=2"', '"k=1 (0a1b2c3d)"');
  expect(ranked(now, JSON.parse(text) as ReturnType<typeof analysis>)).toEqual(["k=1: k=1", "k=2: k=1 (0a1b2c3d)"]);
});

test("an answer that took long is kept for its revision alone", async () => {
  const asked: number[] = [];
  const load = unhurried(async (_id: string, revision: number) => {
    asked.push(revision);
    vi.advanceTimersByTime(1000);
    return revision;
  });
  expect([await load("one", 1), await load("one", 1), await load("one", 2)]).toEqual([1, 1, 2]);
  expect(asked).toEqual([1, 2]);
  vi.advanceTimersByTime(10_000);
  await load("one", 2);
  expect(asked).toEqual([1, 2, 2]);
});

test("a refusal that took long is not asked for again at once, and a connection that broke is", async () => {
  let asked = 0;
  const failing = (error: Error) =>
    unhurried(async (_id: string) => {
      asked += 1;
      vi.advanceTimersByTime(1000);
      throw error;
    });
  const refused = failing(new ApiError(503, "timeout", "it takes too long"));
  for (let beat = 0; beat < 3; beat++) await expect(refused("one")).rejects.toThrow("too long");
  expect(asked).toBe(1);
  vi.advanceTimersByTime(10_000);
  await expect(refused("one")).rejects.toThrow("too long");
  expect(asked).toBe(2);
  const broken = failing(new TypeError("Failed to fetch"));
  for (let beat = 0; beat < 2; beat++) await expect(broken("one")).rejects.toThrow("fetch");
  expect(asked).toBe(4);
});
