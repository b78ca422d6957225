// The first page: how everything goes, what is decided, and what needs attention.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { servePlayed, startGauntlet, temporaryFolder, TINY } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, PLAYED_MS, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

scenario("the first page of a finished experiment", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [TINY] });
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url);
  const card = page.locator(".experiments li");
  await card.locator(".badge.finished").waitFor();
  const overview = await gauntlet.get("/api/v1/overview");
  const [summary] = overview.experiments;
  // News rest for a while after they were found, so that each look asks for the newest.
  const newest = async () => (await gauntlet.get("/api/v1/news")).experiments[0];

  await t.test("says how many workers play and how fast", async () => {
    // A machine may measure its speed anew while the test looks.
    const agrees = async () => {
      const { fleet } = await gauntlet.get("/api/v1/overview");
      const words = (await page.locator(".fleet-numbers").innerText()).replace(/\s+/g, " ");
      const workers = `Workers ${fleet.alive} ${fleet.slots} slot`;
      return [workers, "Time to finish done nothing is waiting", `Reference cores ${fleet.reference_cores.toFixed(1)}`, "Alarms 0"].every((part) => words.includes(part));
    };
    await until(agrees, () => page.locator(".fleet-numbers").innerText());
  });

  await t.test("draws the experiment, with every line named", async () => {
    await page.locator(".point").first().waitFor();
    const report = await gauntlet.get(`/api/v1/experiments/${summary.id}?best=6`);
    assert.equal(report.series.length, 6, "three cases with two budgets");
    await untilCount(page.locator(".point"), 18);
    await untilSays(page.locator(".curves").first(), ...report.series.map(({ name }) => name));
    await untilCount(page.locator(".panel"), 2);
  });

  await t.test("names the leader with its interval, and the games of the last hour", async () => {
    const words = async () => {
      const { case: name, rate, low, high, leads } = (await newest()).leader;
      const place = leads ? (low > 0.5 ? "leads" : rate >= 0.5 ? "is not told apart" : "is the best of its cases") : "is ranked first";
      const beside = rate >= 0.5 ? "" : ` and is ${high < 0.5 ? "still behind" : "not ahead of"} the baseline`;
      return `${name} ${place}${beside}: ${percent(rate)}\u00a0% (${percent(low)}–${percent(high)})`;
    };
    await until(async () => (await card.innerText()).includes(await words()), words);
    await page.locator(`.sparkline[aria-label="Games of tiny sweep in the last hour: ${summary.games_done}"]`).waitFor();
  });

  await t.test("tells each decision once to whoever looks", async () => {
    const list = page.locator(".decided");
    let news;
    const agrees = async () => {
      news = await newest();
      return (await list.locator("li").count()) === Math.min(8, news.decided.length);
    };
    await until(agrees, () => `the decisions of the API instead of ${list.locator("li")}`);
    assert.ok(news.decided.length > 0, "so little was decided that nothing is tested");
    const [first] = news.decided;
    const verb = { better: "beats", worse: "loses to", open: "is not told apart from" }[first.verdict];
    await untilSays(list, `${first.case} ${verb} ${first.against} on size`);
    // Each time those that are listed.
    for (let left = news.decided.length; left > 0; left -= 8) await list.getByRole("button", { name: "Seen" }).click();
    await list.getByText("Nothing new", { exact: false }).waitFor();
    await page.reload();
    await list.getByText(`Nothing new; ${news.cells_decided} cell`, { exact: false }).waitFor();
  });

  await t.test("counts decisions as seen only when they were on the screen for a while", async () => {
    const short = await browser.open(gauntlet.url, { width: 400, height: 500 });
    const seen = () => short.evaluate(() => localStorage.getItem("gauntlet:seen:/"));
    const leave = async (name) => {
      await short.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
      await short.waitForURL((url) => url.pathname === (name === "Games" ? "/games" : "/"));
    };
    const look = async () => {
      await short.locator(".decided li").first().waitFor();
      return short.waitForTimeout(2_500);
    };
    await look();
    await leave("Games");
    assert.equal(await seen(), null);
    // A slow page sees later that the list has come into view.
    const looked = async () => {
      await leave("Overview");
      await short.locator(".decided li").first().waitFor();
      await short.locator(".decided").evaluate((section) => section.scrollIntoView());
      await look();
      await leave("Games");
      return (await seen()) !== null;
    };
    await until(looked, "what was seen");
    await short.close();
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

scenario("who waits is told that nobody plays any more", async (clean) => {
  const folder = await temporaryFolder(clean);
  const gauntlet = await startGauntlet(clean, { folder });
  const code = (await gauntlet.command(["token", "join"])).match(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)[0];
  // A fast machine does not end it before it is gone.
  const file = join(folder, "large.toml");
  await writeFile(file, (await readFile(TINY, "utf8")).replace("games_per_cell = 24", "games_per_cell = 4000"));
  await gauntlet.command(["apply", file]);
  const kill = await gauntlet.work(clean, ["--join", `${code}@${new URL(gauntlet.url).host}`, "--name", "node7", "--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"]);
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url);
  const plays = async () => (await gauntlet.get("/api/v1/overview")).experiments.some(({ is_control, games_done: games }) => !is_control && games > 0);
  await until(plays, "a game", PLAYED_MS);
  await page.locator(".attention").getByText("Nothing.").waitFor();
  await kill();
  await page.locator(".attention li.red").getByText("stalled", { exact: false }).waitFor();
  await page.locator(".experiments li", { hasText: "tiny sweep" }).locator(".badge", { hasText: "Stalled" }).waitFor();
});
