// The page of a study: it is listed, its numbers are the API's, its pictures leave as files, and it grows while results are told.

import assert from "node:assert/strict";
import { startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, keepPicture, openBrowser, overflow, percent, saved, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

/** Games that are won most often with a margin of 100 and without null moves. */
function play({ number, point }) {
  const chance = 0.75 - 0.15 * Math.log10(point.margin / 100) ** 2 - (point["null move"] ? 0.2 : 0);
  // The draw follows from the number, so that every run is the same.
  const draw = (salt) => ((number * 2_654_435_761 + salt * 40_503) % 1_000) / 1_000;
  const wins = [1, 2].filter((salt) => draw(salt) < chance).length;
  return { number, wins, losses: 2 - wins };
}

scenario("a study", async (clean, t) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  const token = (await gauntlet.command(["token", "add", "program", "--scope", "experiment"])).trim();
  const call = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${gauntlet.url}/api/v1/studies${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(response.ok, await response.clone().text());
    return response.json();
  };
  const playOn = async (rounds) => {
    for (let round = 0; round < rounds; round++) {
      const { points } = await call("/chess/ask", { count: 10 });
      await call("/chess/tell", { results: points.map(play) });
    }
  };
  await call("", {
    name: "chess",
    games: 400,
    parameters: [
      { name: "null move", kind: "flag" },
      { name: "margin", kind: "real", low: 1, high: 1000, scale: "log" },
      { name: "reduction", kind: "whole", low: 1, high: 5, only_if: { parameter: "null move", values: [true] } },
    ],
  });
  await playOn(6);
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url);

  await t.test("is on the first page, and leads to a page of its own", async () => {
    await untilSays(page.locator('[data-study="chess"]'), "120 of 400");
    await page.getByRole("link", { name: "chess" }).click();
    await page.waitForURL("**/studies/*");
    await untilSays(page.locator(".question .facts"), "120 of 400 games told");
  });

  await t.test("grows while results are told, without loading anew", async () => {
    await page.evaluate(() => (globalThis.same = true));
    await playOn(4);
    await page.locator('[data-played="200"]').waitFor();
    assert.ok(await page.evaluate(() => globalThis.same));
  });

  await t.test("has the API's numbers and draws its course, its responses, its weight and its points", async () => {
    const complete = async () => {
      const status = await gauntlet.get("/api/v1/studies/chess");
      return status.course_is_complete && status;
    };
    const told = await until(complete, "the whole course");
    await page.reload();
    const [best] = told.recommendations;
    await untilSays(page.locator(".finding"), told.words[0], `${percent(best.overall.rate)} %`);
    const figure = (title) => page.locator(`[data-figure="${title}"]`);
    for (const name of ["null move", "margin"]) {
      const response = best.responses.find((one) => one.name === name);
      await untilCount(figure(`Win rate by ${name}`).locator(".mark"), response.rates.length);
      const shares = told.concentrations[0].shares.find((one) => one.name === name);
      await untilCount(figure(`Weight by ${name}`).locator(".bar"), shares.parts.length);
    }
    assert.ok(told.course.length > 3);
    await untilCount(figure("Recommended margin").locator(".mark"), told.course.filter(({ games }) => games < 200).length + 1);
    const { points } = await gauntlet.get("/api/v1/studies/chess/played");
    await untilCount(page.locator(".strand"), points.length);
    await untilCount(page.locator("a:has(> .strand)"), 0);
    await page.getByLabel("Across").selectOption("margin");
    await page.waitForURL(/x=margin/);
    await figure("Win rate by margin and null move").locator(".field").first().waitFor();
    const lines = (await saved(page, figure("Points played, by their score"), "CSV")).toString().trim().split("\n");
    assert.equal(lines.length, points.length + 1);
    await keepPicture(page, "light", "study");
  });

  await t.test("is accessible, and fits a telephone", async () => {
    assert.deepEqual(await accessibilityFaults(page), []);
    const small = await browser.open(page.url(), { width: 400 });
    await small.locator(".strand").first().waitFor();
    assert.equal(await overflow(small), 0);
  });

  await t.test("is printed by the command line with the same numbers", async () => {
    const [listed, shown] = [await gauntlet.command(["study", "list"]), await gauntlet.command(["study", "show", "chess"])];
    assert.match(listed, /chess +active +clop +3 +200 of 400/);
    const { words } = await gauntlet.get("/api/v1/studies/chess");
    assert.ok(shown.includes(words[0]) && shown.includes("200 of 400 games told, 200 left"), shown);
  });
});
