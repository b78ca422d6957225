// The page of a tune: its numbers are the API's, its pictures leave as files, and every view is a link.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { servePlayed, startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, PLAYED_MS, saved, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const TUNED = join(dirname(fileURLToPath(import.meta.url)), "tuned.toml");

const idOf = async (gauntlet) => (await gauntlet.get("/api/v1/overview")).experiments.find(({ name }) => name === "tuned").id;

scenario("the page of a tune is reached from its experiment, and grows while its games are played", async (clean) => {
  const folder = await temporaryFolder(clean);
  const file = join(folder, "endless.toml");
  // So many games that no machine ends before the page has grown.
  await writeFile(file, (await readFile(TUNED, "utf8")).replace("games = 120", "games = 20_000"));
  const gauntlet = await startGauntlet(clean, { folder, file });
  const browser = await openBrowser(clean);
  const id = await idOf(gauntlet);
  const page = await browser.open(`${gauntlet.url}/experiments/${id}`);
  await page.waitForURL(`**/experiments/${id}/tune`);
  await page.evaluate(() => (globalThis.same = true));
  const left = async () => Number(await page.locator("[data-left]").getAttribute("data-left"));
  const first = await left();
  await until(async () => (await left()) < first, "a game", PLAYED_MS);
  const second = await left();
  await until(async () => (await left()) < second, "a further game", PLAYED_MS);
  assert.ok(await page.evaluate(() => globalThis.same), "the page was loaded again");
});

scenario("a tune", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [TUNED] });
  const browser = await openBrowser(clean);
  const id = await idOf(gauntlet);
  const path = `/api/v1/experiments/${id}/tune`;
  const page = await browser.open(`${gauntlet.url}/experiments/${id}/tune`);
  const complete = async () => {
    const status = await gauntlet.get(path);
    return status.course_is_complete && status;
  };
  const told = await until(complete, "the whole course");
  const [best] = told.recommendations;
  await page.locator("[data-figure]").first().waitFor();

  await t.test("says what is recommended, what was measured, and what comes next, with the API's numbers", async () => {
    assert.ok(best.is_final);
    const table = async (label) => page.getByRole("table", { name: label, exact: true }).locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.deepEqual((await table("The recommended setting")).map(([name, value]) => [name, value]), Object.entries(best.point).map(([name, value]) => [name, String(value)]));
    const measured = [...best.measured, best.measured_overall];
    assert.deepEqual((await table("Measured win rate by size")).map((row) => row[2]), measured.map(({ rate }) => percent(rate)));
    assert.deepEqual((await table("Win rate by size that the model expects")).map((row) => row[1]), best.predicted.map(({ rate }) => percent(rate)));
    await untilSays(page.locator(".finding"), "games that had no part in choosing it");
    const { confirmations: [confirmation], recommendations: [{ promote, words: known }] } = told;
    assert.notEqual(confirmation.verdict, "open");
    await untilSays(page.locator(".finding"), known);
    // Only what is confirmed is to be promoted.
    assert.equal(promote !== undefined, confirmation.verdict === "confirmed", known);
    await untilCount(page.locator(".command pre"), promote === undefined ? 0 : 1);
    if (promote !== undefined) await untilSays(page.locator(".command pre"), promote);
    assert.equal(await page.locator("[data-confirmation] a").getAttribute("href"), `/experiments/${confirmation.experiment}`);
    const printed = await gauntlet.command(["tune", "status", "tuned"]);
    for (const words of [best.label, known, promote ?? known, `as if on ${told.concentrations[0].effective_points.toFixed(1)} points`]) assert.ok(printed.includes(words), `${words}:\n${printed}`);
  });

  await t.test("draws its course, its responses, its weight and its points", async () => {
    const figure = (title) => page.locator(`[data-figure="${title}"]`);
    for (const name of Object.keys(best.point)) {
      await untilCount(figure(`Recommended ${name}`).locator(".mark"), told.course.filter(({ games }) => games < 120).length + 1);
      const response = best.responses.find((one) => one.name === name);
      await untilCount(figure(`Win rate by ${name}`).locator(".mark"), response.rates.length);
      const shares = told.concentrations[0].shares.find((one) => one.name === name);
      await untilCount(figure(`Weight by ${name}`).locator(".bar"), shares.parts.length);
    }
    const { points } = await gauntlet.get(`${path}/points`);
    await untilCount(page.locator(".strand"), points.length);
    assert.ok(points.some(({ cell }) => cell !== undefined));
    assert.equal(await page.locator("a:has(> .strand)").last().getAttribute("href").then((href) => href.startsWith("/cells/")), true);
  });

  await t.test("shows two parameters, which the address names", async () => {
    await page.getByLabel("Across").selectOption("rave_k");
    await page.getByLabel("Upwards").selectOption("exploration");
    await page.waitForURL(/x=rave_k/);
    await page.waitForURL(/y=exploration/);
    const figure = page.locator('[data-figure="Win rate by rave_k and exploration"]');
    await figure.waitFor();
    const surface = await gauntlet.get(`${path}/surface?x=rave_k&y=exploration`);
    await untilCount(figure.locator(".field"), surface.xs.length * surface.ys.length);
    assert.match((await saved(page, figure, "SVG")).toString(), /^<svg .*data-recommended/s);
    await page.reload();
    await figure.waitFor();
    await page.getByLabel("Upwards").selectOption("rave_k");
    await page.locator('[data-figure="Win rate by exploration and rave_k"]').waitFor();
  });

  await t.test("is accessible, and fits a telephone", async () => {
    assert.deepEqual(await accessibilityFaults(page), []);
    const dark = await browser.open(`${gauntlet.url}/experiments/${id}/tune`, { dark: true });
    await dark.locator("[data-figure]").first().waitFor();
    await dark.locator(".strand").first().waitFor();
    assert.deepEqual(await accessibilityFaults(dark), []);
    const small = await browser.open(`${gauntlet.url}/experiments/${id}/tune`, { width: 400 });
    await small.locator(".strand").first().waitFor();
    assert.equal(await overflow(small), 0);
    // The confirmation has a long name, which the choices of experiments have, too.
    await small.goto(`${gauntlet.url}/compare?left=${id}`);
    await small.getByLabel("Experiment").first().locator("option", { hasText: "confirm tuned" }).waitFor({ state: "attached" });
    assert.equal(await overflow(small), 0);
  });

  await t.test("says that an experiment without parameters to tune is no tune", async () => {
    const other = told.confirmations[0].experiment;
    const none = await browser.open(`${gauntlet.url}/experiments/${other}/tune`, { expected: /404/ });
    await none.locator(".notice").getByText("tune").first().waitFor();
  });
});
