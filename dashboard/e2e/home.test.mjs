// The first page: how everything goes, what is decided, and what needs attention.

import assert from "node:assert/strict";
import { startGauntlet, temporaryFolder, TINY } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, until } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const MINUTE_MS = 60_000;

scenario("the first page of a finished experiment", async (clean, t) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean), file: TINY });
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url);
  const card = page.locator(".experiments li");
  await card.locator(".badge.finished").waitFor({ timeout: 240_000 });
  const overview = await gauntlet.get("/api/v1/overview");
  const [summary] = overview.experiments;
  // The news rest for two seconds.
  const settled = async () => (await gauntlet.get("/api/v1/news")).experiments[0];
  await new Promise((next) => setTimeout(next, 3_000));
  const news = await settled();
  const words = async (place) => (await place.innerText()).replace(/\s+/g, " ");

  await t.test("says how many workers play and how fast", async () => {
    const tiles = await words(page.locator(".fleet-numbers"));
    assert.match(tiles, new RegExp(`Workers ${overview.fleet.alive} ${overview.fleet.slots} slots?`));
    assert.match(tiles, /Time to finish done nothing is waiting/);
    assert.match(tiles, new RegExp(`Reference cores ${overview.fleet.reference_cores.toFixed(1)}`));
    assert.match(tiles, /Alarms 0/);
  });

  await t.test("draws the experiment, with every line named", async () => {
    await page.locator(".point").first().waitFor();
    const report = await gauntlet.get(`/api/v1/experiments/${summary.id}?best=6`);
    assert.equal(report.series.length, 6, "three cases with two budgets");
    await page.waitForFunction(() => document.querySelectorAll(".point").length === 18);
    for (const { name } of report.series) assert.ok((await words(page.locator(".curves").first())).includes(name), name);
    assert.equal(await page.locator(".panel").count(), 2);
  });

  await t.test("names the leader with its interval, and the games of the last hour", async () => {
    const percent = (rate) => (100 * rate).toFixed(1);
    const { case: name, rate, low, high } = news.leader;
    // The page may still show the leader by fewer games.
    await card.getByText(`${name} leads: ${percent(rate)} % (${percent(low)}–${percent(high)})`, { exact: false }).waitFor();
    assert.equal(news.games.reduce((sum, games) => sum + games), summary.games_done);
    assert.equal(await page.locator(".sparkline").getAttribute("aria-label"), `Games of tiny sweep in the last hour: ${summary.games_done}`);
  });

  await t.test("tells each decision once to whoever looks", async () => {
    assert.ok(news.decided.length > 0, "so little was decided that nothing is tested");
    const list = page.locator(".decided");
    await page.waitForFunction((many) => document.querySelectorAll(".decided li").length === many, Math.min(8, news.decided.length));
    const [first] = news.decided;
    const verb = { better: "beats", worse: "loses to", open: "is not told apart from" }[first.verdict];
    assert.ok((await words(list)).includes(`${first.case} ${verb} ${first.against} on size`), await words(list));
    await list.getByRole("button", { name: "Seen" }).click();
    await list.getByText("Nothing new", { exact: false }).waitFor();
    await page.reload();
    await list.getByText(`Nothing new; ${news.cells_decided} cell`, { exact: false }).waitFor();
  });

  for (const [width, dark] of [[400, true], [400, false], [1280, true], [2200, false]]) {
    await t.test(`fits ${width} pixels in the ${dark ? "dark" : "light"}, and screen readers find no fault`, async () => {
      const view = await browser.open(gauntlet.url, { width, dark });
      await view.locator(".point").first().waitFor();
      await view.locator(".sparkline").first().waitFor();
      assert.equal(await overflow(view), 0);
      assert.deepEqual(await accessibilityFaults(view), []);
      await view.close();
    });
  }
});

scenario("the commands of the empty page work as they stand there", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url);
  await page.getByRole("heading", { name: "No experiment yet" }).waitFor();
  const [init, apply, elsewhere] = await page.locator(".notice").first().locator("pre").allInnerTexts();
  assert.match(await gauntlet.shell(init), /games/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: `Copy ${apply}` }).click();
  await page.getByRole("button", { name: `Copy ${apply}` }).getByText("Copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), apply);
  const token = (await gauntlet.shell("gauntlet token add ada --scope experiment")).trim();
  await gauntlet.shell(elsewhere.replace("…", token));
  await page.locator(".experiments li").first().waitFor();
  const applied = await gauntlet.experiment();
  await gauntlet.shell(apply);
  assert.equal(await gauntlet.experiment(), applied, "the same file is the same experiment");
});

scenario("who waits is told within a minute that nobody plays any more", async (clean) => {
  const folder = await temporaryFolder(clean);
  const gauntlet = await startGauntlet(clean, { folder });
  const code = (await gauntlet.command(["token", "join"])).match(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)[0];
  await gauntlet.command(["apply", TINY]);
  const kill = await gauntlet.work(clean, ["--join", `${code}@${new URL(gauntlet.url).host}`, "--name", "node7", "--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"]);
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url);
  let games = 0;
  await until(() => (gauntlet.get("/api/v1/overview").then(({ experiments }) => (games = experiments.find(({ is_control }) => !is_control).games_done)), games > 0), "a game", 2 * MINUTE_MS);
  await page.locator(".attention").getByText("Nothing.").waitFor();
  await kill();
  const gone = Date.now();
  await page.locator(".attention li.red").getByText("stalled", { exact: false }).waitFor({ timeout: 2 * MINUTE_MS });
  const took = Date.now() - gone;
  assert.ok(took < MINUTE_MS, `${took} ms`);
  assert.equal(await page.locator(".experiments li", { hasText: "tiny sweep" }).locator(".badge").innerText(), "Stalled");
});
