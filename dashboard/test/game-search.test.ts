import { expect, test } from "vitest";
import { readSearch, searchQuery, withField, writeSearch } from "../src/game-search";
import { moveAfterKey } from "../src/parts/viewer";

const read = (address: string) => readSearch(new URL(address, "http://host"));

test("an address and its search are the same thing", () => {
  for (const address of ["/games", "/games?experiment=a+b&size=4&result=loss&sort=longest", "/games?opening=d4+e6&show=moves", "/games?case=%3Cscript%3E&after=7.a.b"]) {
    expect(writeSearch(read(address))).toBe(address);
  }
});

test("what an address says of other things, or says empty, is left out", () => {
  expect(writeSearch(read("/games?size=&colour=red&case=+"))).toBe("/games");
});

test("another wish begins at the first page", () => {
  const view = read("/games?size=4&after=1.2.3");
  expect(writeSearch(withField(view, "result", "win"))).toBe("/games?size=4&result=win");
  expect(writeSearch(withField(view, "size", ""))).toBe("/games");
});

test("days become times, the last one with its whole length", () => {
  const query = new URLSearchParams(searchQuery(read("/games?since=2026-11-01&until=2026-11-01&size=4")));
  const [since, until] = [Number(query.get("since_ms")), Number(query.get("until_ms"))];
  expect(new Date(since).getDate()).toBe(1);
  expect((until - since) / 3_600_000).toBeCloseTo(24, -0.5);
  expect(query.get("size")).toBe("4");
  expect(searchQuery(read("/games?since=yesterday"))).toBe("");
});

test("keys step through a game and stop at its ends", () => {
  expect(["ArrowLeft", "ArrowRight", "Home", "End", "a"].map((key) => moveAfterKey(key, 5, 9))).toEqual([4, 6, 0, 9, undefined]);
  expect([moveAfterKey("ArrowLeft", 0, 9), moveAfterKey("ArrowRight", 9, 9)]).toEqual([0, 9]);
});
