// Two revisions of an experiment side by side, and results of two versions of the engine.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { play, servePlayed, temporaryFolder } from "./gauntlet.mjs";
import { makeOlder } from "./older-engine.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, until, untilAddress, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const file = ({ name, exploration, values, games, sims, openings = 2 }) => `[experiment]
name = "${name}"
question = "Does what was played before still count?"

[[baseline]]
id = "uct"
preset = "uct"

[[test]]
id = "rave"
set = { exploration = ${exploration} }
${values}

[sizes]
3 = 1
4 = 1

[[budget]]
id = "quick"
sims = ${sims}

[play]
games_per_cell = ${games}
opening_plies = ${openings}
seed = 1
`;

scenario("an experiment with a second revision", async (clean, t) => {
  const folder = await temporaryFolder(clean);
  const revision = (values, games) => file({ name: "revised", exploration: 0, values: `sweep = { rave_k = [${values}] }`, games, sims: 100 });
  await writeFile(join(folder, "first.toml"), revision("10, 100", 60));
  await writeFile(join(folder, "second.toml"), revision("100, 1000", 90));
  const gauntlet = await servePlayed(clean, { folder, files: [join(folder, "first.toml"), join(folder, "second.toml")] });
  const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ name }) => name === "revised");
  const browser = await openBrowser(clean);
  const query = `left=${id}&left_revision=1&right=${id}&right_revision=2`;
  const found = await gauntlet.get(`/api/v1/compare?${query}`);
  const page = await browser.open(`${gauntlet.url}/experiments/${id}`);

  await t.test("its page leads to the results of both revisions", async () => {
    await page.getByText("What a revision changed").click();
    await page.getByRole("link", { name: "Their results side by side" }).click();
    await page.waitForURL(`**/compare?${query}`);
    await untilSays(page.locator(".picture .meaning").first(), /First: revised with the cells of revision 1 and the pairs that were complete on .*, when revision 2 began/);
  });

  await t.test("kept cells stand as they stood then and as they stand now, with the API's numbers", async () => {
    const [line] = found.series;
    assert.equal(line.points.length, 2);
    const rows = page.locator("table.list").first().locator("tbody tr");
    await untilCount(rows, 3);
    for (const [place, { left, right, left_cell: then, right_cell: now, left_pairs: before, right_pairs: after, difference }] of line.points.entries()) {
      assert.equal(then, now);
      assert.ok(before < after && after === 45, `${before} and ${after} pairs`);
      const rate = (gap) => (gap === null ? "–" : percent(gap.value));
      await untilSays(rows.nth(place), rate(left), rate(right), "one cell;", `${after - before} later pairs`);
      if (difference !== null) await untilSays(rows.nth(place), percent(Math.abs(difference.value)));
    }
    // What counts now is what the experiment's own page shows.
    const { series } = await gauntlet.get(`/api/v1/experiments/${id}`);
    const kept = series.find(({ label }) => label === "rave_k=100");
    assert.deepEqual(line.points.map(({ right }) => right.value), kept.points.map(({ rate }) => rate));
    const played = [...found.series.flatMap(({ points }) => points.map(({ left_pairs: pairs }) => pairs)), ...found.only_left.flatMap(({ points }) => points.map(({ pairs }) => pairs))];
    assert.ok(played.reduce((sum, pairs) => sum + pairs) >= 10, `${played} pairs when the second revision began`);
  });

  await t.test("closed and added cells are there with their results", async () => {
    for (const [side, alone, label] of [["first", found.only_left, "rave_k=10 "], ["second", found.only_right, "rave_k=1000 "]]) {
      const rows = page.getByRole("region", { name: `Cells only in the ${side}` }).locator("tbody tr");
      const cells = alone.flatMap(({ title, points }) => points.map((point) => ({ title, ...point })));
      assert.equal(cells.length, 2);
      await untilCount(rows, 2);
      for (const [place, { title, rate, pairs }] of cells.entries()) {
        assert.ok(title.startsWith(label), title);
        await untilSays(rows.nth(place), title, rate === null ? "–" : percent(rate.value), String(pairs));
      }
    }
  });

  await t.test("each choice is an address, and back undoes it", async () => {
    const second = page.getByRole("group", { name: "Second" });
    await second.getByLabel("Revision").selectOption("");
    await untilAddress(page, "right_revision", false);
    await untilSays(page.locator(".picture .meaning").first(), "Second: revised with the cells of its newest revision and all pairs until now.");
    await page.goBack();
    await untilAddress(page, "right_revision=2");
    assert.equal(await second.getByLabel("Revision").inputValue(), "2");
    const lost = await browser.open(`${gauntlet.url}/compare?left=${id}&left_revision=7&right=${id}`, { expected: /404/ });
    await lost.getByText("it has revisions 1 to 2", { exact: false }).waitFor();
    await lost.close();
  });

  await t.test("an experiment in the archive has its name and its revisions", async () => {
    await gauntlet.command(["experiment", "archive", id]);
    await page.reload();
    const first = page.getByRole("group", { name: "First" });
    const chosen = () => first.getByLabel("Experiment").evaluate((select) => select.selectedOptions[0].text);
    await until(async () => (await chosen()) === "revised", async () => `its name instead of ${await chosen()}`);
    await untilCount(first.getByLabel("Revision").locator("option"), 3);
    await untilCount(first.getByLabel("Experiment").locator("optgroup option", { hasText: "revised" }), 1);
    await page.goto(`${gauntlet.url}/games`);
    await page.getByLabel("Experiment").selectOption({ label: "revised" });
    await untilAddress(page, `experiment=${id}`);
    assert.equal(await page.getByLabel("Experiment").evaluate((select) => select.selectedOptions[0].text), "revised");
    await page.goto(`${gauntlet.url}/compare?${query}`);
    await gauntlet.command(["experiment", "unarchive", id]);
  });

  await t.test("it fits a telephone, and screen readers find no fault", async () => {
    for (const [width, dark] of [[400, true], [1600, false]]) {
      const view = await browser.open(`${gauntlet.url}/compare?${query}`, { width, dark });
      await view.locator("table.list").first().waitFor();
      assert.equal(await overflow(view), 0);
      assert.deepEqual(await accessibilityFaults(view), []);
      await view.close();
    }
  });
});

scenario("results of two versions of the engine", async (clean) => {
  const folder = await temporaryFolder(clean);
  const kept = join(folder, "kept.toml");
  const planned = (games) => file({ name: "kept", exploration: 0.9, values: "", games, sims: 20, openings: 0 }).replace("0.9", "0.9, rave_k = 100");
  await writeFile(kept, planned(12));
  await play(folder, kept);
  await makeOlder(join(folder, "gauntlet.db"), 2);
  await writeFile(kept, planned(24));
  const gauntlet = await servePlayed(clean, { folder, files: [kept] });
  const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ name }) => name === "kept");
  const report = await gauntlet.get(`/api/v1/experiments/${id}`);
  const [now, before] = [report.series, report.earlier].map(([line]) => line);
  assert.ok(before.semantics < now.semantics);
  assert.deepEqual([now, before].map(({ points }) => points.map(({ games }) => games)), [[24, 24], [12, 12]]);

  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/experiments/${id}`);
  await page.getByRole("button", { name: "Engine version", exact: true }).click();
  await untilAddress(page, "chart=version");
  // A picture for each size, with both versions in it.
  const panels = page.locator(".panel:not(.running)", { has: page.locator(".point") });
  await untilCount(panels, 2);
  for (const [place, size] of [3, 4].entries()) {
    const words = await panels.nth(place).locator(".point").evaluateAll((points) => points.map((point) => point.getAttribute("aria-label")));
    assert.equal(words.length, 2);
    for (const line of [before, now]) {
      const { rate } = line.points.find((point) => point.size === size);
      assert.ok(words.some((text) => text.includes(`${percent(rate)}\u00a0%`)), `${percent(rate)} of version ${line.semantics} in: ${words}`);
    }
    await untilSays(panels.nth(place), String(before.semantics), String(now.semantics));
  }
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
});
