import { expect, test } from "vitest";
import { actionsOf, changeOf, consequence, shareOf } from "../src/parts/actions";
import { report } from "./report";

const active = { ...report([]).summary, state: "active", games_done: 600, pairs_in_flight: 3 } as const;
const other = { ...active, id: "2", name: "other", weight: 3 } as const;

test("an experiment offers what can be done to it as it stands", () => {
  expect(actionsOf(active)).toContain("pause");
  expect(actionsOf({ ...active, state: "paused" })).toContain("resume");
  expect(actionsOf({ ...active, state: "archived" })).toEqual(["unarchive", "note", "tags"]);
  expect(actionsOf({ ...active, state: "paused" })).toContain("stop");
  expect(actionsOf({ ...active, state: "stopped" })).toEqual(["archive", "note", "tags"]);
  expect(actionsOf({ ...active, is_control: true })).not.toContain("stop");
});

test("a weight is a part of the weights of the active experiments", () => {
  expect(shareOf(1, [other])).toBe(0.25);
  expect(shareOf(1, [{ ...other, state: "paused" }])).toBe(1);
});

test("what follows is said before it is done", () => {
  const says = (action: Parameters<typeof consequence>[0], weight = 1) => consequence(action, active, [active, other], weight);
  expect(says("pause")).toMatch(/1.200 games stay missing.*3 pairs in play are finished and count\. The other experiments get its part/);
  expect(consequence("pause", active, [active], 1)).toContain("the workers will idle");
  expect(says("weight", 9)).toContain("about 75.0\u00a0% of the workers instead of 25.0\u00a0%");
  expect(says("stop")).toMatch(/for good.*1.200 games will never be played.*3 pairs in play.*hold at any look/);
  expect(says("archive")).toMatch(/leaves the lists.*will not be played.*results stay stored/);
});

test("no game of the endless control is missing", () => {
  for (const action of ["pause", "resume", "archive", "unarchive"] as const) expect(consequence(action, { ...active, is_control: true }, [], 1)).not.toMatch(/missing|will not be played/);
});

test("an action is sent as the coordinator takes it", () => {
  const tagged = { ...active, tags: ["old", "both"] };
  expect(changeOf("tags", tagged, " both, new ,", 0)).toEqual({ tags: { add: ["new"], remove: ["old"] } });
  expect(changeOf("weight", tagged, "2.5", 2.5)).toEqual({ weight: 2.5 });
  expect(changeOf("pause", tagged, "", 0)).toBe("pause");
});
