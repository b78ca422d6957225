import { expect, test } from "vitest";
import type { News } from "../src/api";
import { byOutcome, sentencesOf } from "../src/parts/decided";
import { decisionsOf, seenAfter } from "../src/seen";
import { report } from "./report";

const cell = (digit: number) => `${digit}0000000-0000-8000-8000-000000000000`;
const one = { ...report([]).summary, id: "one" };

const news = (verdict: "better" | "worse" | "not_better", sizes: number[]): News => ({
  experiments: [
    {
      id: "one",
      games: [],
      decided: [{ case: "rave_k=1000", against: "uct", budget: { sims: 100 }, verdict, cells: sizes.map((size) => ({ cell: cell(size), size })) }],
      cases_decided: 1,
      cells_decided: sizes.length,
    },
  ],
});

const told = (now: News, before?: News) =>
  sentencesOf(now, [one], before && { at: 0, decisions: decisionsOf(before.experiments.flatMap(({ decided }) => decided)) }).map(({ verdict, cells }) => `${verdict} ${cells.map(({ size }) => size)}`);

test("who never looked is told everything", () => {
  expect(told(news("better", [6, 8]))).toEqual(["better 6,8"]);
});

test("what was seen is not told again, and what changed is", () => {
  expect(told(news("better", [6, 8]), news("better", [6, 8]))).toEqual([]);
  expect(told(news("better", [6, 7, 8]), news("better", [6, 8]))).toEqual(["better 7"]);
  expect(told(news("worse", [6]), news("better", [6]))).toEqual(["worse 6"]);
  expect(told(news("not_better", [6]), news("better", [6]))).toEqual(["not_better 6"]);
});

test("an experiment that is not listed is not told of", () => {
  expect(sentencesOf(news("better", [6]), [], undefined)).toEqual([]);
});

test("a look sees what is listed, and what was seen before stays seen while it is in the news", () => {
  const [first, second] = [...news("better", [6]).experiments[0]!.decided, ...news("worse", [7]).experiments[0]!.decided];
  const both: News = { experiments: [{ ...news("better", []).experiments[0]!, decided: [first!, second!] }] };
  const once = seenAfter({ at: 1, decisions: ["gone"] }, [first!], both, 2);
  expect(once).toEqual({ at: 2, decisions: decisionsOf([first!]) });
  expect(sentencesOf(both, [one], once).map(({ verdict }) => verdict)).toEqual(["worse"]);
  expect(sentencesOf(both, [one], seenAfter(once, [second!], both, 3))).toEqual([]);
});

test("winners come first, and losers stand apart", () => {
  const verdicts = (["worse", "better", "not_better", "not_worse", "better"] as const).map((verdict) => ({ verdict }));
  const { winners, losers } = byOutcome(verdicts);
  expect(winners.map(({ verdict }) => verdict)).toEqual(["better", "better", "not_worse"]);
  expect(losers.map(({ verdict }) => verdict)).toEqual(["worse", "not_better"]);
});
