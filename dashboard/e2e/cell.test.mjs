// The page of a cell: its numbers are the API's, its pictures leave as files, and everything about it is a link away.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { servePlayed, startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, PLAYED_MS, pointAt, saved, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const RULED = join(dirname(fileURLToPath(import.meta.url)), "ruled.toml");

/** Opens a page at a path. */
const toPath = (page, path) => page.waitForURL((url) => url.pathname === path);

/** The experiment `ruled`, and its first cell. */
async function ruled(gauntlet) {
  const { id: experiment } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ name }) => name === "ruled");
  const { series } = await gauntlet.get(`/api/v1/experiments/${experiment}`);
  return { experiment, cell: series[0].points[0].cell };
}

scenario("the page of a cell grows while its games are played, without loading again", async (clean) => {
  const folder = await temporaryFolder(clean);
  const file = join(folder, "endless.toml");
  // No rule and so many games that no machine ends before the page has grown.
  const [endless] = (await readFile(RULED, "utf8")).replace("games_per_cell = 200", "games_per_cell = 100_000").split("[stop]");
  await writeFile(file, endless);
  const gauntlet = await startGauntlet(clean, { folder, file });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/cells/${(await ruled(gauntlet)).cell}`);
  await page.evaluate(() => (globalThis.same = true));
  const pairs = async () => {
    const rows = await page.getByRole("table", { name: "Pairs by result", exact: true }).locator("tbody tr").allInnerTexts();
    return rows.reduce((sum, row) => sum + Number(/\t(\d+)(\t|$)/.exec(row)?.[1] ?? 0), 0);
  };
  const first = await until(pairs, "a pair", PLAYED_MS);
  await until(async () => (await pairs()) > first, "a further pair", PLAYED_MS);
  await page.locator("[data-line]").first().waitFor();
  assert.ok(await page.evaluate(() => globalThis.same));
});

scenario("a cell", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [RULED] });
  const browser = await openBrowser(clean);
  const { experiment, cell } = await ruled(gauntlet);
  const page = await browser.open(`${gauntlet.url}/cells/${cell}`);
  await page.locator("[data-line]").first().waitFor();

  const report = await gauntlet.get(`/api/v1/cells/${cell}`);
  const running = await gauntlet.get(`/api/v1/cells/${cell}/running`);
  const { point } = report;

  await t.test("says what its games show, with the API's numbers", async () => {
    const finding = page.locator(".finding");
    await untilSays(finding, report.finding);
    assert.equal(await finding.getAttribute("data-verdict"), point.verdict);
    assert.match(report.finding, new RegExp(`it scores ${percent(point.rate)} % over ${point.pairs} pairs`));
    const cells = async (label) => page.getByRole("table", { name: label, exact: true }).locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    const [rate] = await cells("Estimates");
    // What holds at any look is rounded as the coordinator's words are.
    const [, low, high] = /between ([\d.]+) and ([\d.]+) %/.exec(point.words);
    assert.deepEqual(rate, ["Win rate in %", percent(point.rate), `${percent(point.low)}–${percent(point.high)}`, `${low}–${high}`]);
    assert.deepEqual((await cells("Pairs by result")).map((row) => Number(row[2])), point.pair_counts);
    assert.deepEqual((await cells("Results by colour")).map((row) => row.slice(3).map(Number)), report.colours.map(({ wins, draws, losses }) => [wins, draws, losses]));
    assert.deepEqual((await cells("Wins by shape")).map((row) => row.slice(1).map(Number)), report.shapes.map(({ wins, losses }) => [wins, losses]));
    assert.deepEqual((await cells("Games by machine")).map((row) => Number(row[1])), report.machines.map(({ games }) => games));
    assert.equal(report.machines.reduce((sum, { games }) => sum + games, 0), point.games);
    await untilCount(page.locator(".bar"), report.lengths.length);
  });

  await t.test("draws the estimate and the rule up to its decision, at the API's places", async () => {
    await untilCount(page.locator(".running [data-decided]"), 1);
    const [estimate, test] = await page.locator(".running svg[role=img]").all();
    const [rule] = running.rules;
    assert.equal(rule.decided, point.stopping.pairs);
    await untilSays(page.locator(".running .rule"), rule.words.slice(1));
    assert.equal(await test.locator("[data-level]").count(), 2, "both bounds");
    // A place on the axis is read as a person does: from two of its marks.
    const rates = await estimate.evaluate((svg) => {
      const marks = [...svg.querySelectorAll("text[text-anchor=end]")].map((text) => [Number(text.textContent), Number(text.getAttribute("y"))]);
      const [[one, oneY], [other, otherY]] = [marks[0], marks.at(-1)];
      const ys = [...svg.querySelector("[data-line]").getAttribute("d").matchAll(/[ML][\d.]+,([\d.]+)/g)].map((found) => Number(found[1]));
      return ys.map((y) => one + ((y - oneY) / (otherY - oneY)) * (other - one));
    });
    assert.equal(rates.length, running.points.length);
    assert.ok(Math.abs(rates.at(-1) - 100 * running.points.at(-1).rate) < 0.3, `${rates.at(-1)}`);
    const reading = page.locator(".running .reading").first().getByText(`After ${running.pairs} pairs: ${percent(point.rate)} %`);
    await pointAt(page, estimate, () => reading.isVisible(), ({ width, height }) => [width - 18, height / 2]);
  });

  await t.test("marks what people changed, at the pairs that were complete then", async () => {
    await gauntlet.command(["experiment", "note", "ruled", "the machine room was hot"]);
    await page.locator(".running [data-change]").waitFor();
    const [change] = (await gauntlet.get(`/api/v1/cells/${cell}/running`)).changes;
    assert.equal(change.pairs, running.pairs);
    await page.locator(".changes summary").click();
    await page.locator(".changes li").getByText("the machine room was hot").waitFor();
  });

  await t.test("gives pictures and tables in every format", async () => {
    const save = (name, format) => saved(page, page.getByRole("group", { name }), format);
    const rates = /^Export .* win rate by pairs/;
    assert.deepEqual([...(await save(rates, "PNG")).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.match((await save(rates, "SVG")).toString(), /^<svg .*data-band/s);
    assert.equal(JSON.parse(await save(rates, "JSON")).length, running.points.length);
    const pairs = (await save(/^Export .*, pairs$/, "CSV")).toString().trim().split("\n");
    assert.deepEqual(pairs.slice(1).map((row) => Number(row.split(",")[1])), point.pair_counts);
    assert.match((await save(/^Export .* machines/, "LaTeX")).toString(), /\\begin\{tabular\}/);
    assert.match((await save(/^Export .* lengths of games/, "SVG")).toString(), /class="bar"/);
  });

  await t.test("leads to its games, its experiment and its machines, and is reached from wherever it is shown", async () => {
    const games = page.locator("[aria-labelledby=games] tr[data-game]");
    await untilCount(games, 12);
    await games.first().getByRole("link").first().click();
    await page.locator("svg.board").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Games of the cell", exact: true }).click();
    await page.waitForURL(`**/games?cell=${cell}`);
    await page.goBack();
    await page.locator(".eyebrow").getByRole("link", { name: "ruled" }).click();
    await toPath(page, `/experiments/${experiment}`);
    await page.locator(".rates .rate").first().click();
    await toPath(page, `/cells/${cell}`);
    await page.goBack();
    // A point of the picture, by the keyboard and by the mouse.
    const mark = page.locator(".point").first();
    await mark.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/cells/*");
    await page.goBack();
    await mark.waitFor();
    const isCell = () => new URL(page.url()).pathname.startsWith("/cells/");
    const clicked = async () => {
      if (isCell()) return true;
      await pointAt(page, mark.locator("path").last(), () => page.getByRole("tooltip").isVisible());
      await page.mouse.down();
      await page.mouse.up();
      return isCell();
    };
    await until(clicked, "the cell of the point");
    await page.goto(`${gauntlet.url}/experiments/${experiment}?chart=cases`);
    await page.locator(".chart a").first().click();
    await page.waitForURL("**/cells/*");
    await page.locator(".finding").waitFor();
  });

  await t.test("its commands print what the page shows", async () => {
    await page.goto(`${gauntlet.url}/cells/${cell}`);
    const shown = page.locator("[aria-labelledby=commands] pre");
    await shown.first().waitFor();
    const commands = await shown.allInnerTexts();
    const list = commands.find((text) => text.includes("game list"));
    const rows = (await gauntlet.shell(list)).trim().split("\n");
    assert.equal(rows.length, 1 + point.games);
    const replay = commands.find((text) => text.includes("game replay"));
    const { games } = await gauntlet.get(`/api/v1/games?cell=${cell}&limit=1`);
    await gauntlet.shell(replay.replace("GAME", games[0].id));
    for (const part of ["why", "game sgf", "results"]) {
      assert.ok((await gauntlet.shell(commands.find((text) => text.startsWith(`gauntlet ${part}`)))).length > 0, part);
    }
  });

  await t.test("is readable by machine, light and dark, on a phone and on a wide screen", async () => {
    for (const look of [{ width: 400 }, { width: 1280 }, { width: 1280, dark: true }, { width: 2200 }]) {
      const other = await browser.open(`${gauntlet.url}/cells/${cell.slice(0, 8)}`, look);
      await other.locator("[data-line]").first().waitFor();
      await other.locator("[aria-labelledby=games] tr[data-game]").first().waitFor();
      assert.deepEqual(await accessibilityFaults(other), []);
      assert.equal(await overflow(other), 0);
      await other.close();
    }
  });

  await t.test("an id of no cell says so", async () => {
    const none = await browser.open(`${gauntlet.url}/cells/00000000-0000-8000-8000-000000000000`, { expected: /404/ });
    await none.getByRole("heading", { name: /cell/i }).waitFor();
    await none.close();
  });
});
