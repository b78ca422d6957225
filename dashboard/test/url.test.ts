import { expect, test } from "vitest";
import { DEFAULT_VIEW, readView, toggleSeries, writeView, type View } from "../src/url";

const read = (address: string) => readView(new URL(address, "http://localhost"));

test("every view survives being written to an address and read again", () => {
  const views: View[] = [
    DEFAULT_VIEW,
    { ...DEFAULT_VIEW, experiment: "0b-0c" },
    { ...DEFAULT_VIEW, hidden: ["rave/rave_k=50", "a group/x & y, z=1"] },
    {
      experiment: "id",
      hidden: ["a/b"],
      only: ["c/d", "e/f"],
      pick: "differs",
      find: "rave k=5",
      sort: "rate",
      chart: "heat",
      across: "rave_k",
      upwards: "fpu & more",
      top: 32,
      unit: "elo",
      groups: "apart",
      panel: "uct/sims-1000",
      axis: "fit",
      detail: "games",
    },
  ];
  for (const view of views) expect(read(writeView(view))).toEqual(view);
});

test("the plain address is the plain view", () => {
  expect(writeView(DEFAULT_VIEW)).toBe("/");
  expect(read("/")).toEqual(DEFAULT_VIEW);
});

test("what an address says wrongly is left out", () => {
  expect(read("/elsewhere?axis=log&detail=all&hide=a&hide=a&cases=some&chart=pie&sort=up")).toEqual({ ...DEFAULT_VIEW, hidden: ["a"] });
  expect(read("/experiments/%E0%A4%A").experiment).toBe("%E0%A4%A");
});

test("a large view is in the fragment, which no server is sent, and what else the query has is kept", () => {
  const large: View = { ...DEFAULT_VIEW, experiment: "id", only: Array.from({ length: 400 }, (_, i) => `a long name of a group/rave_k=${i}, exploration=0.25`) };
  const address = new URL(writeView(large, new URL("http://localhost/experiments/id?all=ranking&chart=heat")), "http://localhost");
  expect(address.search).toBe("?all=ranking");
  expect(readView(address)).toEqual(large);
  expect(writeView({ ...DEFAULT_VIEW, experiment: "id" }, address)).toBe("/experiments/id?all=ranking");
});

test("switching a series twice changes nothing", () => {
  const once = toggleSeries(DEFAULT_VIEW, "a/b");
  expect(once.hidden).toEqual(["a/b"]);
  expect(toggleSeries(once, "a/b")).toEqual(DEFAULT_VIEW);
});
