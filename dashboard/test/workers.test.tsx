import { render } from "preact-render-to-string";
import { expect, test, vi } from "vitest";
import type { WorkerReport } from "../src/api";
import { Workers } from "../src/pages/workers";
import { doing } from "../src/parts/machine";
import { InFrame } from "./in-frame";

vi.stubGlobal("location", new URL("http://localhost/"));

const fleet = { workers: 120, alive: 3, slots: 12, reference_cores: 12, others: 0, quarantined: 0, outdated: 0, labels: [] };
const gone = { id: "w1", name: "first-page", alive: false, slots: 1, labels: [], speeds: [], directive: "work" } as unknown as WorkerReport;

test("a further page is awaited, without the first one in its place", () => {
  const page = render(
    <InFrame address="http://localhost/workers?from=50">
      <Workers first={[gone]} fleet={fleet} at={0} admin={false} />
    </InFrame>,
  );
  expect(page).toContain("51 to 100 of 120");
  expect(page).toContain('aria-busy="true"');
  expect(page).not.toContain("first-page");
});

test("nothing is played only if no machine of any page is there", () => {
  const page = (alive: number) =>
    render(
      <InFrame address="http://localhost/workers?from=50">
        <Workers first={[gone]} fleet={{ ...fleet, alive }} at={0} admin={false} />
      </InFrame>,
    );
  expect(page(3)).not.toContain("nothing is played");
  expect(page(0)).toContain("nothing is played");
});

test("a machine whose games were imported has not left: it never called", () => {
  const imported = { ...gone, id: "w2", name: "elsewhere", slots: 0, games: 17, version: "", resting: "its games were imported" };
  const page = render(
    <InFrame address="http://localhost/workers?open=others">
      <Workers first={[gone, imported]} fleet={{ ...fleet, workers: 1, others: 1 }} at={0} admin={false} />
    </InFrame>,
  );
  expect(page).toContain("1 machine left");
  expect(page).toContain("1 machine that never called here");
  expect(page).toMatch(/elsewhere.*its games were imported.*17 games/);
  expect(page).not.toContain("0 slots");
});

test("a machine that holds no pair plays nothing, whether or not it says why", () => {
  const paused = { ...gone, alive: true, pairs_held: 0, no_work: null, resting: null } as WorkerReport;
  expect([doing(paused), doing({ ...paused, pairs_held: 1 }), doing({ ...paused, alive: false })]).toEqual(["idle", "playing", "gone"]);
});
