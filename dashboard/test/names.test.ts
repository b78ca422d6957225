import { expect, test } from "vitest";
import { shorten, shortenAll, withoutShared } from "../src/charts/names";

test("what all names share is said once, and left out of each", () => {
  const found = withoutShared(["local_reply=1, ringsize=6, rave_k=500", "local_reply=1, ringsize=6, rave_k=1000"]);
  expect(found).toEqual({ shared: ["local_reply=1", "ringsize=6"], names: ["rave_k=500", "rave_k=1000"] });
  expect(withoutShared(["one same", "two same (rave_k=20)"]).names).toEqual(["one", "two (rave_k=20)"]);
});

test("a name that nothing else tells apart stays whole, and so do single names", () => {
  for (const names of [["rave"], ["rave", "rave k=5"], ["a b", "b a"], ["x", "y"], []]) {
    expect(withoutShared(names)).toEqual({ shared: [], names });
  }
});

test("names are shortened where they agree", () => {
  const grid = ["exploration=0.2 rave_k=100", "exploration=0.2 rave_k=1000", "exploration=0.4 rave_k=100", "exploration=0.4 rave_k=1000"];
  expect(shortenAll(grid, 22)).toEqual(["explor…=0.2 rave_k=100", "explor…=0.2 rave_k=1000", "explor…=0.4 rave_k=100", "explor…=0.4 rave_k=1000"].map((name) => name.replace("explor…", "explo…")));
  const fixed = ["local_reply=1, ringsize=6, rave_k=500", "local_reply=1, ringsize=6, rave_k=1000"];
  expect(shortenAll(fixed, 21)).toEqual(["… rave_k=500", "… rave_k=1000"]);
});

test("names of at most so many letters that differ stay different, wherever they differ", () => {
  const sets = [
    ["averyverylongnamewithoutblanks_A_of_a_family", "averyverylongnamewithoutblanks_B_of_a_family"],
    ["first part of a name that goes on and on", "first port of a name that goes on and on"],
    Array.from({ length: 12 }, (_, i) => `group of cases number ${i} against the published program`),
    Array.from({ length: 24 }, (_, i) => `exploration=${(i % 3) / 10} keep_tree=${i % 2 === 0} rave_k=${10 ** (i % 4)} rollouts=${i}`),
    ["itself", "a long name of another case that does not fit 1", "a long name of another case that does not fit 2"],
  ];
  for (const names of sets) {
    for (const max of [16, 22, 30]) {
      const short = shortenAll(names, max);
      expect(new Set(short).size, `${max}: ${short.join(" | ")}`).toBe(names.length);
      for (const text of short) expect(text.length, text).toBeLessThanOrEqual(max);
    }
  }
  expect(shortenAll(sets[4]!, 22)[0]).toBe("itself");
  expect(shorten("abc", 3)).toBe("abc");
});
