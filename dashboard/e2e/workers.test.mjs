// The pages of machines, with a real worker whose name wants to break the page.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

/** Nobody sees its end in a test. */
const LONG = `[experiment]
name = "long"
question = "Does a machine play?"

[[baseline]]
id = "uct"
preset = "uct"

[[test]]
id = "rave"
set = { exploration = 0 }
sweep = { rave_k = [10] }

[sizes]
3 = 1

[[budget]]
id = "quick"
sims = 5000

[play]
games_per_cell = 4000
opening_plies = 2
`;

const NAME = "<script>globalThis.broken=1</script> 🎲 Donaudampfschifffahrt";

scenario("somebody finds out why a machine is idle, reads its log and puts it in quarantine", async (clean, t) => {
  const folder = await temporaryFolder(clean);
  const gauntlet = await startGauntlet(clean, { folder });
  const admin = (await gauntlet.command(["token", "add", "ada", "--scope", "admin"])).trim();
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/workers`, { expected: /40[14]/ });
  const main = page.locator("main");

  await t.test("without machines the page says how one joins", async () => {
    await main.getByText("No worker has reported yet").waitFor();
    await main.getByText("gauntlet token join").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  const code = (await gauntlet.command(["token", "join"])).match(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)[0];
  const kill = await gauntlet.work(clean, ["--join", `${code}@${new URL(gauntlet.url).host}`, "--name", NAME, "--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"]);
  const worker = async () => (await gauntlet.get("/api/v1/overview")).workers[0];

  await t.test("its page says why it idles, and shows its log as text", async () => {
    await main.locator("[data-worker]").getByRole("link", { name: NAME }).click();
    await main.locator("h1", { hasText: NAME }).waitFor();
    await main.getByTestId("state").getByText("idle").waitFor();
    await main.locator(".reasons").getByText("no experiment", { exact: false }).first().waitFor();
    await main.locator(".log").getByText("the coordinator answers", { exact: false }).first().waitFor();
    await main.getByTestId("facts").getByText("passed: its build plays every game").waitFor();
    const { log } = (await gauntlet.get(`/api/v1/workers/${(await worker()).id}`)).told;
    assert.ok(log.length > 0 && log.every((line) => !line.includes(admin)));
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
  });

  await t.test("who may do nothing is told what it takes", async () => {
    await main.getByText("sign in with a token of the scope", { exact: false }).waitFor();
    await untilCount(main.getByRole("button", { name: "Pause…" }), 0);
  });

  await t.test("games give it leases, results and speeds", async () => {
    await writeFile(join(folder, "long.toml"), LONG);
    await gauntlet.command(["apply", join(folder, "long.toml")]);
    await main.getByTestId("state").getByText("playing").waitFor();
    await main.locator(".speed-charts svg").first().waitFor();
    await main.getByRole("region", { name: /^Pairs that/ }).locator("tbody tr").first().waitFor();
    await main.getByRole("region", { name: /^Cells that/ }).getByText("no other machine").first().waitFor();
    const shown = await gauntlet.get(`/api/v1/workers/${(await worker()).id}`);
    assert.equal(shown.history[0].size, 3);
    assert.equal(shown.share, 1);
    for (const [width, dark] of [[400, false], [1280, true]]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      assert.equal(await overflow(page), 0, `at ${width} pixels`);
      assert.deepEqual(await accessibilityFaults(page), []);
    }
  });

  await t.test("each action says first what follows from it", async () => {
    await page.locator(".session").getByText("Sign in", { exact: true }).first().click();
    await page.locator(".session").getByLabel("Token").fill(admin);
    await page.locator(".session").getByRole("button", { name: "Sign in" }).click();
    const dialog = page.locator("dialog");
    await main.getByRole("button", { name: "Pause…" }).click();
    await untilSays(dialog, "takes no more work until it is resumed");
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal((await worker()).directive, "work");
    await main.getByRole("button", { name: "Pause…" }).click();
    await dialog.getByRole("button", { name: "Pause", exact: true }).click();
    await main.getByRole("button", { name: "Resume…" }).waitFor();
    assert.equal((await worker()).directive, "pause");

    await main.getByRole("button", { name: "Quarantine…", exact: true }).click();
    await dialog.getByLabel("Reason").fill("<b>its memory</b> fails");
    await untilSays(dialog, "does not count until the quarantine is lifted");
    await dialog.getByRole("button", { name: "Quarantine", exact: true }).click();
    await main.locator("[data-quarantine]").getByText("<b>its memory</b> fails", { exact: false }).waitFor();
    await main.getByRole("button", { name: "Lift quarantine…" }).click();
    await dialog.getByRole("button", { name: "Lift quarantine", exact: true }).click();
    await until(async () => (await worker()).quarantine === undefined, "the end of the quarantine");
    await main.getByRole("button", { name: "Quarantine…", exact: true }).waitFor();

    await main.getByRole("button", { name: "Revoke token…" }).click();
    await untilSays(dialog, /locked out at once.*no way back/);
    await dialog.getByRole("button", { name: "Revoke token", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const audit = await gauntlet.command(["audit"]);
    for (const action of ["pause", "quarantine", "release", "revoke"]) assert.ok(audit.includes(action), `${action} in:\n${audit}`);
    assert.ok(audit.includes("ada"), audit);
  });

  await t.test("an unknown machine has no page", async () => {
    await kill();
    await page.goto(`${gauntlet.url}/workers/00000000-0000-4000-8000-000000000000`);
    await main.getByRole("heading", { name: /worker/i }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });
});
