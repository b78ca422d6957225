// Experiments of 150 cases and of 10,000 cells: a reader finds the best, and the page draws no more than a browser lays out quickly.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, PLAYED_MS, until, untilAddress, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

/** An experiment file of a sweep. */
const file = (name, sweep, sizes) => `[experiment]
name = "${name}"
question = "Which of many players wins with 5 simulations?"

[[baseline]]
id = "uct"
preset = "uct"

[[test]]
id = "grid"
sweep = { ${sweep} }

[sizes]
${sizes.map((size) => `${size} = 1`).join("\n")}

[[budget]]
id = "quick"
sims = 5

[play]
games_per_cell = 4
opening_plies = 2
`;

const K = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10000, 20000];
const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** More elements would be slow to lay out everywhere. */
const MOST_ELEMENTS = 20_000;

/** A coordinator with the experiment, and real games on a few of its cells. */
async function withGames(clean, text, games) {
  const folder = await temporaryFolder(clean);
  const gauntlet = await startGauntlet(clean, { folder });
  await writeFile(join(folder, "large.toml"), text);
  await gauntlet.command(["apply", join(folder, "large.toml")]);
  const code = /\S+-\S+-\S+/.exec(await gauntlet.command(["token", "join"]))[0].split("@")[0];
  const options = ["--join", `${code}@127.0.0.1:${gauntlet.port}`, "--calibration-runs", "1", "--calibration-sims", "2000"];
  const stop = await gauntlet.work(clean, options);
  const own = async () => (await gauntlet.get("/api/v1/overview")).experiments.find(({ is_control }) => !is_control);
  await until(async () => (await own()).games_done >= games, `${games} games`, PLAYED_MS);
  const { id } = await own();
  return { gauntlet, id, stop, work: () => gauntlet.work(clean, options) };
}

/** The time of a layout depends on the machine, so that elements are counted instead. */
async function assertFewElements(page, what) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < MOST_ELEMENTS, `${what}: ${elements} elements`);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 60; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`60 presses of Tab do not lead to ${selector}`);
}

/** The three best cases are found with the keyboard alone, and how sure that is. */
async function findsTheBest(page, gauntlet, id) {
  await page.locator(".ranking tbody tr").first().waitFor();
  await page.locator("#main").focus();
  await tabTo(page, ".finder [name=order]");
  // A busy page takes letters far apart for the beginnings of two words.
  const chosen = async () => {
    await page.keyboard.type("by win");
    return page.waitForURL(/sort=rate/, { timeout: 2_000 }).then(() => true, () => false);
  };
  await until(chosen, "the order by win rate");
  const listed = async () => (await page.locator(".finder li label").allInnerTexts()).slice(0, 3).map((text) => text.trim());
  let expected;
  const agrees = async () => {
    const { fields } = (await gauntlet.get(`/api/v1/experiments/${id}/analysis`)).sweep;
    expected = fields[0].cases.slice(0, 3);
    return (await listed()).join() === expected.map(({ case: name }) => name).join();
  };
  await until(agrees, async () => `${expected.map(({ case: name }) => name)} instead of ${await listed()}`);
  // Each with its rate.
  for (const [place, own] of expected.entries()) {
    await untilSays(page.locator(".ranking tbody tr").nth(place), own.case, percent(own.rate));
  }
}

scenario("150 cases", async (clean, t) => {
  const text = file("150 cases", `rave_k = [${K.slice(0, 15)}], exploration = [${TENTHS}]`, [3, 4]);
  const { gauntlet, id, stop } = await withGames(clean, text, 200);
  await stop();
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/experiments/${id}?chart=size`);
  await page.locator(".panel svg").first().waitFor();

  await t.test("the keyboard finds the three best and how sure that is", () => findsTheBest(page, gauntlet, id));

  await t.test("one case is isolated with one press", async () => {
    await page.locator(".finder li button").first().focus();
    await page.keyboard.press("Enter");
    await page.getByText("1 of 150 cases drawn").waitFor();
  });

  await t.test("all of them are listed on a narrow page, which nothing runs over", async () => {
    const narrow = await browser.open(`${gauntlet.url}/experiments/${id}?chart=size&cases=all`, { width: 400 });
    await narrow.locator(".finder li").first().waitFor();
    await narrow.locator(".finder").getByRole("button", { name: "All 150 cases" }).click();
    await untilCount(narrow.locator(".finder li"), 150);
    // The list is in the address, and back makes it short again.
    await untilAddress(narrow, "all=group");
    const again = await browser.open(narrow.url(), { width: 400 });
    await untilCount(again.locator(".finder li"), 150);
    await again.close();
    await narrow.goBack();
    await untilCount(narrow.locator(".finder li"), 100);
    await narrow.goForward();
    await untilCount(narrow.locator(".finder li"), 150);
    assert.equal(await overflow(narrow), 0);
    assert.deepEqual(await accessibilityFaults(narrow), []);
  });
});

scenario("10,000 cells", async (clean, t) => {
  const text = file("ten thousand cells", `rave_k = [${K}], exploration = [${TENTHS}], fpu = [${TENTHS}]`, [3, 4, 5, 6]);
  const { gauntlet, id, stop, work } = await withGames(clean, text, 60);
  await stop();
  const browser = await openBrowser(clean);
  const page = await browser.open(gauntlet.url);
  const answers = [];
  page.on("requestfinished", async (request) => {
    if (!request.url().includes(`/experiments/${id}?since=`)) return;
    const body = await request.response().then((response) => response.body()).catch(() => undefined);
    // An answer that comes while the page is closed has no body.
    if (body !== undefined) answers.push({ since: new URL(request.url()).searchParams.get("since"), bytes: body.length });
  });
  await page.locator(".experiments li").first().waitFor();

  await t.test("the first page and the experiment come up", async () => {
    await page.getByRole("link", { name: "Which of many players wins with 5 simulations?" }).first().click();
    await page.locator(".finder li").first().waitFor();
    await page.locator(".panel svg").first().waitFor();
    await untilCount(page.locator(".finder li"), 100);
    await assertFewElements(page, "the page");
    await page.locator(".finder").getByRole("button", { name: "200 more of 2 500 cases" }).click();
    await untilCount(page.locator(".finder li"), 300);
    await untilAddress(page, "all=300");
    assert.equal(await overflow(page), 0);
  });

  await t.test("words find a case, and the keyboard the three best", async () => {
    await page.getByRole("searchbox", { name: "Find cases" }).pressSequentially("rave_k=500 fpu=0.3 exploration=0.5");
    await page.waitForFunction(() => document.querySelectorAll(".finder li").length === 2);
    await assertFewElements(page, "the search");
    await page.getByRole("searchbox", { name: "Find cases" }).fill("");
    await page.waitForFunction(() => document.querySelectorAll(".finder li").length >= 100);
    await findsTheBest(page, gauntlet, id);
  });

  await t.test("every picture of all cases is drawn with few elements, and says its numbers", async () => {
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByText("2 500 of 2 500 cases drawn").waitFor();
    await assertFewElements(page, "all cases");
    for (const kind of ["Case", "Parameter", "Two parameters", "All parameters", "Board size"]) {
      await page.getByRole("button", { name: kind, exact: true }).click();
      await page.waitForFunction((wanted) => document.querySelector("#picture").textContent.endsWith(wanted), kind.toLowerCase());
      await page.locator(".panel svg").first().waitFor();
      await assertFewElements(page, kind);
    }
    for (const detail of ["Long", "Rates"]) {
      await page.getByRole("button", { name: detail, exact: true }).click();
      await untilAddress(page, "detail=long", detail === "Long");
      await assertFewElements(page, detail);
    }
  });

  await t.test("a live beat sends what has changed, and not the whole", async () => {
    const before = answers.length;
    await work();
    await until(() => answers.slice(before).some(({ since, bytes }) => since !== "" && bytes > 2_000), "an answer with changes", PLAYED_MS);
    const [first, ...later] = answers;
    assert.equal(first.since, "");
    for (const { since, bytes } of later) {
      assert.notEqual(since, "");
      assert.ok(bytes < first.bytes / 4, `${bytes} of ${first.bytes} bytes`);
    }
    // The page puts the same together as the coordinator.
    await page.waitForFunction(() => document.querySelectorAll(".ranking tbody tr").length > 0);
  });
});
