import { expect, test } from "vitest";
import type { WorkerReport } from "../src/api";
import { machineActions, machineConsequence } from "../src/parts/machine-actions";

const worker: WorkerReport = {
  id: "1",
  name: "node7",
  version: "1",
  slots: 2,
  seconds_since_seen: 1,
  alive: true,
  pairs_held: 2,
  games: 40,
  speeds: [],
  no_work: null,
  resting: null,
  directive: "work",
  labels: [],
};
const one = (more: Partial<WorkerReport> = {}, token?: string) => ({ name: "node7", machines: { named: "1" }, worker: { ...worker, ...more }, token }) as const;

test("a machine offers what can be done to it as it stands", () => {
  expect(machineActions(one())).toEqual(["pause", "drain", "quarantine"]);
  expect(machineActions(one({ directive: "pause" }, "ab12"))).toEqual(["resume", "drain", "quarantine", "revoke"]);
  expect(machineActions(one({ directive: "drain", quarantine: "hot" }))).toEqual(["resume", "release"]);
  expect(machineActions({ name: "lab", machines: { label: "lab" } })).toEqual(["pause", "resume", "drain"]);
});

test("what follows is said before it is done", () => {
  expect(machineConsequence("pause", one())).toMatch(/^node7 takes no more work.*also after a restart\. 2 pairs that it holds are played to the end and count\./);
  expect(machineConsequence("drain", one({ pairs_held: 1 }))).toMatch(/its program ends\. 1 pair that it holds is played/);
  expect(machineConsequence("drain", one({ pairs_held: 0 }))).toContain("It holds no pair.");
  expect(machineConsequence("quarantine", one())).toMatch(/all machines with its token.*kept apart.*given to others/);
  expect(machineConsequence("release", one())).toContain("get work again");
  expect(machineConsequence("revoke", one({}, "ab12"))).toMatch(/locked out at once.*no way back/);
});
