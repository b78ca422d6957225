// The link that `gauntlet run` prints: who opens it directs the run.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { openBrowser, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const ENDLESS = join(dirname(fileURLToPath(import.meta.url)), "endless.toml");

scenario("the link that a run prints pauses the run and changes a weight", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean), file: ENDLESS });
  const link = await until(() => /http:\S+#token=\S+/.exec(gauntlet.printed())?.[0], () => `a link in: ${gauntlet.printed()}`);
  const experiment = new URL(await gauntlet.experiment());
  const summary = async () => (await gauntlet.get(`/api/v1${experiment.pathname}`)).summary;
  const browser = await openBrowser(clean);

  const reader = await browser.open(experiment.href);
  await reader.locator(".question").waitFor();
  await untilCount(reader.getByRole("button", { name: "Pause…" }), 0);
  await reader.close();

  const page = await browser.open(link);
  await page.getByRole("link", { name: "endless" }).first().click();
  await page.locator(".question").waitFor();
  assert.ok(!page.url().includes("token"), "the token stays in no history");
  await until(async () => (await summary()).games_done > 0, "the first games");

  const dialog = page.locator("dialog");
  await page.getByRole("button", { name: "Pause…" }).click();
  await dialog.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume…" }).waitFor();
  const { state } = await summary();
  assert.equal(state, "paused");
  // The pairs that were out come back, and no other begins.
  await until(async () => (await summary()).pairs_in_flight === 0, "the end of the pairs that were out");
  const { games_done } = await summary();

  await page.getByRole("button", { name: "Weight…" }).click();
  await dialog.getByLabel("Weight").fill("4");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const changed = await summary();
  assert.deepEqual([changed.weight, changed.games_done], [4, games_done]);

  await page.getByRole("button", { name: "Resume…" }).click();
  await dialog.getByRole("button", { name: "Resume", exact: true }).click();
  await until(async () => (await summary()).games_done > games_done, "more games");
  // The coordinator knows who did it.
  await untilSays(page.locator("main"), "weight");
  const { changes } = await gauntlet.get(`/api/v1${experiment.pathname}/history`);
  for (const action of ["pause", "resume"]) assert.ok(changes.some((change) => change.action.includes(action)), action);
});
