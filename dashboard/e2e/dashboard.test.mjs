// The dashboard as a user meets it: the real binary, real games, a real browser.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { servePlayed, startGauntlet, temporaryFolder, TINY } from "./gauntlet.mjs";
import { accessibilityFaults, drawnPoints, openBrowser, openStreams, overflow, percent, PLAYED_MS, pointAt, until, untilAddress, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const digits = (text) => Number(text.replace(/\D/g, ""));
const keyOf = (series) => `${series.group}/${series.label}`;
const panelOf = (series) => `${series.baseline_label}/sims-${series.budget.sims}`;

scenario("an empty database says what to do next", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  const browser = await openBrowser(clean);
  for (const dark of [false, true]) {
    const page = await browser.open(gauntlet.url, { dark, width: 400 });
    await page.getByRole("heading", { name: "No experiment yet" }).waitFor();
    const words = await page.locator("main").innerText();
    assert.match(words, /gauntlet run my-sweep\.toml/);
    assert.match(words, /gauntlet token add NAME --scope experiment/, "a token that may apply experiments");
    assert.match(words, new RegExp(`gauntlet work --join CODE@${new URL(gauntlet.url).host}`));
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
  }
  const lost = await browser.open(`${gauntlet.url}/experiments/gone`, { expected: /404/ });
  await lost.getByRole("heading", { name: "No such experiment" }).waitFor();
});

scenario("win rates grow in the page while games are played, and stay when the coordinator goes", async (clean) => {
  const folder = await temporaryFolder(clean);
  const file = join(folder, "growing.toml");
  const plan = async (games) => writeFile(file, (await readFile(TINY, "utf8")).replace("games_per_cell = 24", `games_per_cell = ${games}`));
  // So many games that no machine ends before somebody has looked.
  await plan(20_000);
  const gauntlet = await startGauntlet(clean, { folder, file });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${await gauntlet.experiment()}?chart=size`, { expected: /net::ERR_/ });
  await page.evaluate(() => {
    globalThis.neverReloaded = true;
  });
  const progress = page.locator(".overall progress");
  await progress.waitFor();
  const planned = async () => Number(await progress.getAttribute("max"));
  const shown = () => progress.evaluate((element) => element.value);
  const points = () => page.locator(".point").count();
  // Some games and points, then more of both, without anybody touching the page.
  const changed = (last) =>
    page.waitForFunction((value) => document.querySelector(".overall progress").value > value, last, { timeout: PLAYED_MS });
  await changed(0);
  const first = { games: await shown(), points: await points() };
  assert.ok(first.games < (await planned()), "the experiment is too small to be watched");
  await changed(first.games);
  const second = await shown();
  await changed(second);

  // Killed in the middle: the numbers stay, with their age, and the page says what happened.
  await gauntlet.kill("SIGKILL");
  await page.locator("[data-link=lost]").waitFor();
  await untilSays(page.locator("[data-link=lost]"), /Coordinator unreachable, trying again\. Shown: .*(just now|ago)/);
  const kept = await shown();
  assert.ok(kept > second);
  await page.locator(".point").first().waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);

  // A way back shows what was loaded, also while nobody answers.
  await page.locator(".places").getByRole("link", { name: "Workers" }).click();
  await page.getByRole("heading", { name: "Workers", exact: true }).waitFor();
  await page.goBack();
  await page.locator(".point").first().waitFor();
  assert.equal(await shown(), kept);
  await page.locator("[data-link=lost]").waitFor();

  // Back on the same database and address: live again, going on from where it was, to the end. A revision brings the end
  // near, so that a slow machine comes to it, too.
  await plan(4 * Math.ceil(kept / 18));
  await startGauntlet(clean, { folder, file, port: gauntlet.port });
  await page.locator("[data-link=live]").waitFor();
  await page.locator(".question .badge.finished").waitFor({ timeout: PLAYED_MS });
  await until(async () => (await shown()) === (await planned()), "all games");
  assert.ok((await shown()) > kept);
  await untilCount(page.locator(".point"), 18);
  assert.equal(await page.evaluate(() => globalThis.neverReloaded), true);
});

scenario("a finished experiment", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [TINY] });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${await gauntlet.experiment()}?chart=size`);
  const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ is_control }) => !is_control);
  const report = await gauntlet.get(`/api/v1/experiments/${id}`);
  const address = `${gauntlet.url}/experiments/${id}`;
  const cells = report.series.flatMap((series) => series.points.map((point) => ({ series, point })));
  assert.equal(cells.length, 18);

  await t.test("draws every point at the rate of the report, with both intervals", async () => {
    for (const panel of new Set(report.series.map(panelOf))) {
      const expected = cells.filter(({ series }) => panelOf(series) === panel);
      const differences = async () => {
        const drawn = await drawnPoints(page, panel);
        const faults = drawn.length === expected.length ? [] : [`${drawn.length} points`];
        for (const { series, point } of expected) {
          const own = drawn.find((other) => other.case === keyOf(series) && other.size === point.size);
          // A tenth of a pixel is what the picture rounds to.
          const parts = ["rate", "low", "high", "cs_low", "cs_high"].filter((part) => !(Math.abs(own?.[part] - 100 * point[part]) < 0.1));
          if (parts.length > 0 || !own.words.includes(`${percent(point.rate)}\u00a0%`)) faults.push(`${series.label} on ${point.size}: ${parts} of ${own?.words}`);
        }
        return faults;
      };
      await until(async () => (await differences()).length === 0, async () => `the numbers of the report: ${await differences()}`);
    }
  });

  await t.test("shows the same numbers in its table, wins, draws and losses on demand", async () => {
    await page.getByRole("button", { name: "Wins, draws, losses" }).click();
    for (const { series, point } of cells) {
      const cell = page.locator(
        `[data-panel="${panelOf(series)}"] .rates tr[data-case="${keyOf(series)}"] td:nth-child(${2 + report.sizes.indexOf(point.size)})`,
      );
      await cell.locator(".wdl").waitFor();
      assert.equal(await cell.locator(".rate").innerText(), percent(point.rate));
      assert.equal(await cell.locator(".interval").innerText(), `${percent(point.low)}–${percent(point.high)}`);
      assert.equal(digits(await cell.locator(".games").innerText()), point.games);
      const words = await cell.locator(".wdl").innerText();
      assert.match(words, new RegExp(`^\\+${point.wins} =${point.draws} −${point.losses}\\s+${point.pairs} pairs?$`));
    }
    await untilAddress(page, "detail=games");
  });

  await t.test("tells everything about a point to the keyboard, and to the pointer", async () => {
    const chart = page.locator(".chart").first();
    await page.locator(".legend button").last().focus();
    await page.keyboard.press("Tab");
    const first = report.series[0];
    const says = ({ points: [, point] }) =>
      untilSays(
        chart.getByRole("tooltip"),
        `size ${point.size}`,
        `${percent(point.rate)} % ${percent(point.low)}–${percent(point.high)}`,
        `Wins ${point.wins}`,
        `Draws ${point.draws}`,
        `Losses ${point.losses}`,
        `Pairs ${point.pairs}`,
      );
    await page.keyboard.press("ArrowRight");
    await says(first);
    // The tab key stops once at a chart.
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.closest("svg")), null);
    await page.keyboard.press("Shift+Tab");
    await says(first);
    await page.keyboard.press("Escape");
    await page.getByRole("tooltip").waitFor({ state: "detached" });

    const mark = chart.locator(`.point[data-case="${keyOf(first)}"][data-size="${first.points[1].size}"] path`).last();
    const answers = () => chart.getByRole("tooltip").getByText(`size ${first.points[1].size}`, { exact: false }).first().isVisible();
    await pointAt(page, mark, answers);
    await says(first);
    await page.mouse.move(0, 0);
    await page.getByRole("tooltip").waitFor({ state: "detached" });
  });

  await t.test("switches series off and on in the legend, and keeps that in its address", async () => {
    const own = (series) => `.point[data-case="${keyOf(series)}"]`;
    const [series] = report.series;
    const button = page.locator(".legend").getByRole("button", { name: series.label, exact: true });
    await page.locator(own(series)).first().waitFor();
    await button.click();
    await page.locator('.legend [aria-pressed="false"]', { hasText: series.label }).waitFor();
    await untilCount(page.locator(own(series)), 0);
    await untilAddress(page, "hide=");
    const again = await browser.open(page.url());
    await again.locator(".point").first().waitFor();
    await untilCount(again.locator(own(series)), 0);
    await again.close();
    await button.click();
    await page.locator(own(series)).first().waitFor();
  });

  await t.test("shows one budget alone when asked to, and goes back to where it was", async () => {
    const panel = panelOf(report.series.at(-1));
    await page.getByLabel("Baseline and budget").selectOption(panel);
    // Games that took longer have a picture of games over time, too.
    const drawn = () => page.evaluate(() => document.querySelectorAll(".chart:not(.running *)").length);
    const pictures = (count) => until(async () => (await drawn()) === count, async () => `${count} pictures; there are ${await drawn()} at ${page.url()}`);
    await pictures(1);
    await page.waitForURL((url) => url.searchParams.get("panel") === panel);
    await page.getByLabel("Baseline and budget").selectOption("");
    await pictures(2);
  });

  for (const dark of [false, true]) {
    for (const width of [400, 1600]) {
      await t.test(`fits ${width} pixels in the ${dark ? "dark" : "light"} and is open to everybody`, async () => {
        const view = await browser.open(`${address}?chart=size&detail=games`, { width, dark });
        await view.locator(".point").first().waitFor();
        assert.equal(await overflow(view), 0);
        const background = await view.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const [red] = background.match(/\d+/g).map(Number);
        assert.equal(red < 128, dark, background);
        assert.deepEqual(await accessibilityFaults(view), []);
        await view.close();
      });
    }
  }

  await t.test("gives picture and numbers as files", async () => {
    const save = async (name) => {
      const waiting = page.waitForEvent("download");
      await page.locator(".downloads").getByText(name, { exact: true }).click();
      const download = await waiting;
      assert.equal(download.suggestedFilename(), `tiny-sweep.${name.toLowerCase()}`);
      return readFile(await download.path(), "utf8");
    };
    const svg = await save("SVG");
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    for (const { label } of report.series) assert.ok(svg.includes(`>${label}</text>`), label);
    assert.ok(!svg.includes("light-dark") && !svg.includes("var("));
    assert.deepEqual(JSON.parse(await save("JSON")).series, report.series);
    const [head, ...rows] = (await save("CSV")).trim().split("\n");
    assert.ok(head.includes("rate"));
    assert.equal(rows.length, cells.length);
  });

  await t.test("lists its workers with their slots and speed", async () => {
    const { workers } = await gauntlet.get("/api/v1/overview");
    assert.equal(workers.length, 1);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Workers" }).click();
    await untilSays(page.locator("[data-worker]"), workers[0].name, `${workers[0].slots} slot`);
    for (const { size } of workers[0].speeds) {
      await untilCount(page.locator("[data-worker] .speeds thead th", { hasText: new RegExp(`^${size}$`) }), 1);
    }
    // A machine may measure itself anew while the test looks.
    await until(async () => {
      const [{ speeds }] = (await gauntlet.get("/api/v1/overview")).workers;
      const words = await page.locator("[data-worker]").innerText();
      return speeds.every(({ factor }) => words.includes(factor.toFixed(factor < 0.1 ? 3 : 2)));
    }, "the speeds of the API");
  });

  await t.test("asks for nothing while nobody looks", async () => {
    const view = await browser.open(address);
    await until(() => openStreams(view) === 1, "an event stream");
    const look = (state) =>
      view.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await look("hidden");
    await until(() => openStreams(view) === 0, "the event stream's end");
    const asked = view.waitForRequest(/\/api\/v1\/overview$/);
    await look("visible");
    await asked;
    await view.close();
  });
});

scenario("somebody with a token signs in, adds a machine and tells machines what to do", async (clean) => {
  const folder = await temporaryFolder(clean);
  const gauntlet = await startGauntlet(clean, { folder });
  const admin = (await gauntlet.command(["token", "add", "ada", "--scope", "admin"])).trim();
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url, { expected: /401/ });
  const badge = page.locator(".session");
  await badge.getByText("Sign in", { exact: true }).first().click();
  await badge.getByLabel("Token").fill("wrong");
  await badge.getByRole("button", { name: "Sign in" }).click();
  await badge.getByRole("alert").waitFor();
  await badge.getByLabel("Token").fill(admin);
  await badge.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("ada", { exact: false }).first().waitFor();
  assert.equal(await page.evaluate(() => document.cookie), "", "no script can read the token");

  await page.getByRole("link", { name: "Workers" }).click();
  await page.getByRole("button", { name: "1 machine", exact: true }).click();
  const line = await page.locator("[data-join]").innerText();
  assert.match(line, new RegExp(`^gauntlet work --join [0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}@${new URL(gauntlet.url).host}$`));
  await gauntlet.work(clean, [...line.split(" ").slice(2), "--name", "node7", "--label", "lab", "--slots", "1"]);
  const worker = page.locator("[data-worker=node7]");
  await worker.waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  const directive = async () => (await gauntlet.get("/api/v1/overview")).workers[0].directive;
  const order = async (group, action, expected) => {
    await page.getByRole("group", { name: `Actions on ${group}` }).getByRole("button", { name: `${action}…` }).click();
    await page.locator("dialog").getByRole("button", { name: action, exact: true }).click();
    await until(async () => (await directive()) === expected, `the order to ${expected}`);
    // The card gains or loses a line. A press while the page below moves would miss its button.
    await untilCount(page.locator("dialog"), 0);
    await untilCount(worker.getByText("a person told this worker to pause", { exact: false }), expected === "pause" ? 1 : 0);
  };
  await order("lab", "Pause", "pause");
  await order("lab", "Resume", "work");
  await order("All machines", "Pause", "pause");
  await gauntlet.command(["apply", TINY]);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.locator(".attention").getByText("1 was told to pause", { exact: false }).waitFor();
  await page.locator(".experiments a", { hasText: "tiny sweep" }).click();
  await page.getByTestId("stalled").getByText("1 was told to pause", { exact: false }).waitFor();
  await page.goBack();
  await page.goBack();
  await worker.waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await badge.getByText("Sign in", { exact: true }).first().waitFor();
  await untilCount(page.getByRole("button", { name: "Pause…" }), 0);
});

scenario("results that are not open ask for a token and show themselves to who has one", async (clean) => {
  const folder = await temporaryFolder(clean);
  const gauntlet = await startGauntlet(clean, { folder, listen: "0.0.0.0" });
  const reader = (await gauntlet.command(["token", "add", "guest", "--scope", "read"])).trim();
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url, { expected: /401/ });
  await page.getByRole("heading", { name: "Results are for those with a token" }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.locator("main").getByLabel("Token").fill(reader);
  await page.locator("main").getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "No experiment yet" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /machine/ }).count(), 0, "who reads adds no machines");
});
