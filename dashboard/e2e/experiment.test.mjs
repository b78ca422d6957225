// The page of an experiment: its pictures, its ranking, its files, and what may be done to it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { MANY, servePlayed, startGauntlet, temporaryFolder, TINY, TOURNAMENT } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, saved, until, untilAddress, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

scenario("an experiment in pictures, numbers and files", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [MANY] });
  const browser = await openBrowser(clean);
  const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ name }) => name === "many cases");
  const plain = `${gauntlet.url}/experiments/${id}`;
  const address = `${plain}?chart=size`;
  const page = await browser.open(plain);
  const analysis = await gauntlet.get(`/api/v1/experiments/${id}/analysis`);

  await t.test("opens on its best picture: a sweep of two numbers is a map of both", async () => {
    await untilCount(page.locator(".field"), 36);
    await page.goto(address);
    await page.locator(".point").first().waitFor();
  });

  await t.test("ranks the cases of one size as its analysis does, with claims of their own", async () => {
    const one = await gauntlet.get(`/api/v1/experiments/${id}/analysis?size=4`);
    await page.getByRole("group", { name: "Ranking over" }).getByRole("button", { name: "4", exact: true }).click();
    await page.getByRole("heading", { name: "Ranking on size 4" }).waitFor();
    await untilAddress(page, "rank=4");
    const rows = page.locator(".ranking tbody tr");
    for (const [place, own] of one.sweep.fields[0].cases.slice(0, 12).entries()) {
      await untilSays(rows.nth(place), own.case, percent(own.rate), percent(own.shrunken), String(own.pairs));
    }
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.goBack();
    await page.getByRole("heading", { name: "Ranking over all sizes" }).waitFor();
  });

  await t.test("ranks the cases as the analysis does, by shrunken rates", async () => {
    const rows = page.locator(".ranking tbody tr");
    await rows.first().waitFor();
    await page.getByRole("button", { name: "All 18 cases" }).click();
    const [field] = analysis.sweep.fields;
    await untilCount(rows, field.cases.length);
    for (const [place, own] of field.cases.entries()) await untilSays(rows.nth(place), percent(own.shrunken));
  });

  await t.test("shows Elo differences, and every case of a size below each other", async () => {
    await page.getByRole("button", { name: "Elo", exact: true }).click();
    await page.getByText("Elo difference").first().waitFor();
    await page.getByRole("button", { name: "Case", exact: true }).click();
    await page.locator(".chart .shrunken, .chart [role=img]").first().waitFor();
    // A picture for each size; games that took longer have a picture of games over time, too.
    await untilCount(page.locator(".panel:not(.running)"), 2);
    await untilAddress(page, "chart=cases");
    // A picture has one stop of the tab key, and the arrow keys move among its marks.
    const picture = page.locator(".panel:not(.running) .chart > svg").first();
    await untilCount(picture.locator("a[tabindex='0']"), 1);
    await picture.locator("a[tabindex='0']").focus();
    await page.keyboard.press("ArrowDown");
    const place = () => picture.locator("a").evaluateAll((marks) => [marks.indexOf(document.activeElement), marks.findIndex((mark) => mark.tabIndex === 0)].join());
    await until(async () => (await place()) === "1,1", place);
    await page.keyboard.press("End");
    await until(async () => (await place()) === "7,7", place);
    await page.goBack();
    await page.locator(".point").first().waitFor();
    await page.getByRole("button", { name: "%", exact: true }).click();
  });

  await t.test("back leads to where the page was", async () => {
    await page.goto(address);
    const cell = page.locator(".ranking tbody a.of-size").first();
    await cell.waitFor();
    // A page that still loads keeps in view what is there, and so scrolls by itself.
    const leave = (link) => {
      scrollTo(0, 700);
      const place = scrollY;
      link.click();
      return place;
    };
    const before = await cell.evaluate(leave);
    assert.ok(before > 0, "the page is too short to be scrolled");
    await page.locator("h1", { hasText: "against" }).waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.goBack();
    const place = () => page.evaluate(() => scrollY);
    await until(async () => (await place()) === before, async () => `${before} instead of ${await place()}`);
    await page.goForward();
    await page.locator("h1", { hasText: "against" }).waitFor();
    await until(async () => (await place()) === 0, async () => `the top instead of ${await place()}`);
  });

  await t.test("says what is stale or missing, and why, while the overview is live", async () => {
    const own = await browser.open(address, { expected: /500/ });
    await own.locator(".ranking tbody tr").first().waitFor();
    const fails = (route) => route.fulfill({ status: 500, json: { error: { code: "internal", message: "the disk is full" } } });
    await own.route(/\/api\/v1\/experiments\/[^/]+\?since=/, fails);
    await untilSays(own.getByTestId("stale"), /The experiment was not fetched again since .*: the disk is full\./);
    assert.ok((await own.locator(".ranking tbody tr").count()) > 0, "the old numbers are gone");
    await own.unroute(/\/api\/v1\/experiments\/[^/]+\?since=/);
    await own.route(/\/analysis$/, fails);
    await own.reload();
    await untilSays(own.getByTestId("stale"), "The analysis could not be fetched: the disk is full.");
    await own.locator(".chart .nothing", { hasText: "The cases are not ranked: the disk is full." }).waitFor();
    await untilSays(own.locator("section[aria-labelledby=numbers]"), "The cases are not ranked: the disk is full.");
    assert.deepEqual(await accessibilityFaults(own), []);
    await own.close();
  });

  await t.test("every choice is a link, and back undoes the last one", async () => {
    await page.goto(address);
    await page.locator(".ranking tbody tr").first().waitFor();
    const choices = [
      [() => page.getByRole("button", { name: "Elo", exact: true }).click(), "unit=elo"],
      [() => page.getByRole("button", { name: "Fit", exact: true }).click(), "axis=fit"],
      [() => page.getByRole("button", { name: "All", exact: true }).click(), "cases=all"],
      [() => page.locator(".finder .cases input").first().click(), "hide="],
      [() => page.getByRole("button", { name: "Long", exact: true }).click(), "detail=long"],
      [() => page.getByRole("button", { name: "All 18 cases" }).click(), "all=ranking"],
      [() => page.getByText("What a revision changed").click(), "open=revisions"],
      [() => page.getByRole("button", { name: "Two parameters" }).click(), "chart=heat"],
      [() => page.getByLabel("Across").selectOption("exploration"), "across=exploration"],
    ];
    for (const [choose, part] of choices) {
      await choose();
      await untilAddress(page, part);
    }
    const again = await browser.open(page.url());
    await again.locator(".field").first().waitFor();
    await untilCount(again.locator(".ranking tbody tr"), 18);
    await again.getByText("Revision 1 adds").waitFor();
    assert.equal(await again.getByLabel("Across").inputValue(), "exploration");
    await again.close();
    for (const [, part] of choices.toReversed()) {
      await untilAddress(page, part);
      await page.goBack();
      await untilAddress(page, part, false);
    }
    await page.waitForURL(address);
    // Letters of a search are no steps: back leaves the page that they were typed on.
    await page.getByRole("searchbox", { name: "Find cases" }).pressSequentially("rave_k=30");
    await page.waitForURL(/find=rave_k%3D30/);
    await page.goBack();
    await untilAddress(page, "find=", false);
  });

  await t.test("says how much better the best is than the next", async () => {
    await page.goto(address);
    // Every case has one opponent: a rating list would repeat the ranking.
    await untilCount(page.getByRole("region", { name: /^Ratings with/ }), 0);
    const [first] = analysis.comparisons;
    const row = page.getByRole("region", { name: /less other cases$/ }).locator(`tr[data-case="${first.case}"]`);
    await untilSays(row.first(), `${first.openings} opening`, ...(first.saved === null ? [] : [`${Math.round(100 * Math.abs(first.saved))} %`]));
  });

  await t.test("gives a picture in every format", async () => {
    const save = (name) => saved(page, page.locator(".panel .exports").first(), name);
    await page.locator(".point").first().waitFor();
    assert.deepEqual([...(await save("PNG")).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.match((await save("SVG")).toString(), /^<svg /);
    const rows = (await save("CSV")).toString().trim().split("\n");
    assert.equal(rows.length, 1 + (await page.locator(".point").count()));
    assert.equal(JSON.parse(await save("JSON")).length, rows.length - 1);
    const latex = (await save("LaTeX")).toString();
    assert.equal(latex.match(/\\addlegendentry/g).length, 8);
    assert.match(latex, /error bars/);
  });

  await t.test("compares a case with another as the coordinator does", async () => {
    const [best, next] = analysis.sweep.fields[0].cases.map((own) => own.case);
    const query = new URLSearchParams({ left: id, right: id, left_case: best, right_case: next });
    const expected = await gauntlet.get(`/api/v1/compare?${query}`);
    await page.goto(`${gauntlet.url}/compare?${query}`);
    await page.getByRole("heading", { name: "First less second" }).waitFor();
    await untilSays(page.locator(".list tbody tr").first(), percent(expected.series[0].points[0].left.value));
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  await t.test("draws published points beside its own", async () => {
    const own = (await gauntlet.get(`/api/v1/experiments/${id}`)).series[0];
    const csv = `figure,series,size,winrate\nfig:a,nobody,4,50\nfig:b,${own.label},${own.points[0].size},61.5\n`;
    await page.goto(`${gauntlet.url}/compare?left=${id}`);
    const chosen = (text) => page.getByLabel("Table of points").setInputFiles({ name: "points.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await chosen("a,b\n1,2\n");
    await page.getByRole("alert").getByText("no column figure").waitFor();
    await chosen(csv);
    await page.getByText("No case of many cases has the name of a series of fig:a").waitFor();
    await page.getByLabel("Figure").selectOption("fig:b");
    await page.getByText("Hollow markers: fig:b of points.csv").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await overflow(page), 0);
  });

  await t.test("tells what a revision changed", async () => {
    const changes = await gauntlet.get(`/api/v1/experiments/${id}/revisions/1/changes`);
    await page.goto(address);
    await page.getByText("What a revision changed").click();
    await page.getByText(`Revision 1 adds ${changes.cells.added} cells.`).waitFor();
    const rows = page.getByRole("region", { name: "Cases that the revision adds or changes" }).locator("tbody tr");
    await untilCount(rows, changes.cases.length);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  await t.test("gives all pictures as a bitmap and for LaTeX, and every table as files", async () => {
    await page.goto(`${plain}?chart=parallel`);
    await page.locator(".ranking tbody tr").first().waitFor();
    const save = async (place, name) => {
      const waiting = page.waitForEvent("download");
      await place.getByText(name, { exact: true }).click();
      return readFile(await (await waiting).path());
    };
    assert.deepEqual([...(await save(page.locator(".downloads"), "PNG")).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.match((await save(page.locator(".downloads"), "LaTeX")).toString(), /\\begin\{(figure|table)\}/);
    const revisions = (await saved(page, page.getByRole("group", { name: "Export many cases, revisions" }), "CSV")).toString();
    assert.match(revisions, /^revision,applied,who,content\n1,/);
  });

  await t.test("a case is confirmed and promoted after the consequences were said", async () => {
    const token = (await gauntlet.command(["token", "add", "ada", "--scope", "admin"])).trim();
    const view = await browser.open(address, { expected: /4\d\d/ });
    await view.locator(".session").getByText("Sign in", { exact: true }).first().click();
    await view.locator(".session").getByLabel("Token").fill(token);
    await view.locator(".session").getByRole("button", { name: "Sign in" }).click();
    const best = analysis.sweep.fields[0].cases[0].case;
    const dialog = view.locator("dialog");

    await view.getByRole("button", { name: `Actions on ${best}`, exact: true }).click();
    await view.getByRole("button", { name: `Promote ${best}`, exact: true }).click();
    await untilSays(dialog, /becomes a named baseline that never changes.*cannot be taken back/);
    assert.ok(await dialog.getByRole("button", { name: "Promote", exact: true }).isDisabled(), "it is not confirmed");
    assert.deepEqual(await accessibilityFaults(view), []);
    await dialog.getByRole("checkbox").check();
    await dialog.getByLabel("Name of the baseline").fill("x".repeat(10_000));
    await dialog.getByRole("button", { name: "Promote", exact: true }).click();
    const refusal = dialog.getByRole("alert");
    await refusal.waitFor();
    assert.ok((await refusal.innerText()).length < 500, await refusal.innerText());
    assert.equal(await overflow(view), 0);
    await dialog.getByLabel("Name of the baseline").fill("champion");
    await dialog.getByRole("button", { name: "Promote", exact: true }).click();
    await view.locator(".tag", { hasText: "baseline champion" }).waitFor();
    assert.ok((await gauntlet.get("/api/v1/baselines")).some(({ name }) => name === "champion"));

    await view.getByRole("button", { name: `Actions on ${best}`, exact: true }).click();
    await view.getByRole("button", { name: `Confirm ${best}`, exact: true }).click();
    await dialog.getByText("A new experiment", { exact: false }).waitFor();
    await untilSays(dialog, /Each cell is tested:.*It takes about .* pairs if H0 is true/);
    await view.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal((await gauntlet.get("/api/v1/overview")).experiments.filter(({ confirms }) => confirms !== undefined).length, 0, "nothing began");
    await view.getByRole("button", { name: `Actions on ${best}`, exact: true }).click();
    await view.getByRole("button", { name: `Confirm ${best}`, exact: true }).click();
    await dialog.getByRole("button", { name: "Begin" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await gauntlet.get("/api/v1/overview")).experiments.filter(({ confirms }) => confirms !== undefined).length, 1);
    await view.close();
  });

  await t.test("has a bundle of everything", async () => {
    const waiting = page.waitForEvent("download");
    await page.locator(".downloads").getByText("Bundle", { exact: true }).click();
    const file = await (await waiting).path();
    assert.match(await gauntlet.shell(`gauntlet rerun ${file} --games 3 --seed 1`), /3 of 3 replayed games agree/);
  });

  await t.test("fits every width and is open to everybody", async () => {
    for (const [query, width] of [["chart=cases&unit=elo&axis=fit", 400], ["detail=long", 400], ["rank=3&open=ranking%2C+method", 400], ["detail=short&cases=all", 2200]]) {
      const view = await browser.open(`${plain}?${query}`, { dark: true, width });
      await view.locator(".ranking tbody tr").first().waitFor();
      assert.equal(await overflow(view), 0, query);
      assert.deepEqual(await accessibilityFaults(view), [], query);
      await view.close();
    }
  });
});

scenario("a tournament has a rating list of all players", async (clean) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [TOURNAMENT] });
  const browser = await openBrowser(clean);
  const [{ id }] = (await gauntlet.get("/api/v1/overview")).experiments.filter(({ name }) => name === "three players");
  const [list] = (await gauntlet.get(`/api/v1/experiments/${id}/analysis`)).sweep.ratings;
  assert.deepEqual([list.players.length, list.sizes], [3, [3, 4]]);
  const page = await browser.open(`${gauntlet.url}/experiments/${id}`);
  const rows = page.getByRole("region", { name: /^Ratings with/ }).locator("tbody tr");
  await untilCount(rows, 3);
  for (const [place, player] of list.players.entries()) await untilSays(rows.nth(place), player.player);
  await page.getByText("What the ratings mean").click();
  await page.getByText(`Elo points above ${list.anchor} by the average score on size 3, 4`, { exact: false }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
});

scenario("what is done to an experiment is said first", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  const token = (await gauntlet.command(["token", "add", "ada", "--scope", "admin"])).trim();
  await gauntlet.command(["apply", TINY]);
  const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ name }) => name === "tiny sweep");
  const summary = async () => (await gauntlet.get(`/api/v1/experiments/${id}`)).summary;
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/experiments/${id}`, { expected: /401/ });
  await page.locator(".question").waitFor();
  assert.equal(await page.getByRole("button", { name: "Pause…" }).count(), 0, "who reads changes nothing");
  await page.locator(".session").getByText("Sign in", { exact: true }).first().click();
  await page.locator(".session").getByLabel("Token").fill(token);
  await page.locator(".session").getByRole("button", { name: "Sign in" }).click();

  const dialog = page.locator("dialog");
  await page.getByRole("button", { name: "Pause…" }).click();
  await untilSays(dialog, "tiny sweep hands out no more games: 432 games stay missing until it is resumed");
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal((await summary()).state, "active");

  await page.getByRole("button", { name: "Pause…" }).click();
  await dialog.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume…" }).waitFor();
  assert.equal((await summary()).state, "paused");

  await page.getByRole("button", { name: "Weight…" }).click();
  await dialog.getByLabel("Weight").fill("-3 apples");
  await untilSays(dialog, "A weight is a number above 0");
  assert.ok(await dialog.getByRole("button", { name: "Save" }).isDisabled());
  await dialog.getByLabel("Weight").fill("4");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal((await summary()).weight, 4);

  await page.getByRole("button", { name: "Tags…" }).click();
  await dialog.getByLabel("Tags").fill("first, <b>bold</b>");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.locator(".tag", { hasText: "<b>bold</b>" }).waitFor();

  await page.getByRole("button", { name: "Stop…" }).click();
  await untilSays(dialog, /ends for good: 432 games will never be played.*hold at any look/);
  await dialog.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("a person stopped this experiment").waitFor();
  assert.equal((await summary()).state, "stopped");
  await untilCount(page.getByRole("button", { name: "Resume…" }), 0);

  await page.getByRole("button", { name: "Archive…" }).click();
  await untilSays(dialog, /leaves the lists.*All results stay stored/);
  await dialog.getByRole("button", { name: "Archive", exact: true }).click();
  await until(async () => (await summary()).state === "archived", "the archive");
  await page.locator(".timeline").first().getByText("archive", { exact: true }).waitFor();
  // On a phone the details of a change have the width of the page.
  await page.setViewportSize({ width: 390, height: 844 });
  const details = page.getByRole("region", { name: "List of changes" }).getByText("revision 1: 18 cells added", { exact: false });
  await until(async () => (await details.boundingBox()).width > 300, "details that can be read");
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(gauntlet.url);
  await page.getByRole("button", { name: "Archived experiments" }).click();
  await page.getByRole("region", { name: "Archived experiments" }).getByRole("link", { name: "tiny sweep" }).click();
  await page.getByRole("button", { name: "Take out of the archive…" }).waitFor();
  await page.goBack();
  await page.getByRole("region", { name: "Archived experiments" }).waitFor();
});
