// Every page and every state of a page, narrow, wide and dark: nothing runs over an edge, and axe finds no fault. With
// GAUNTLET_PICTURES a picture of each is kept.

import assert from "node:assert/strict";
import { servePlayed, startGauntlet, temporaryFolder, TINY } from "./gauntlet.mjs";
import { accessibilityFaults, keepPicture, openBrowser, overflow } from "./page.mjs";
import { scenario } from "./scenario.mjs";

/** What axe finds in a wide page it finds in a very wide one. */
const LOOKS = [
  { width: 400, height: 800, dark: true, isHeard: true },
  { width: 1200, height: 900, isHeard: true },
  { width: 2200, height: 1200, isHeard: false },
];

async function isSound(page, look, name) {
  const what = `${name} at ${look.width} pixels`;
  assert.equal(await overflow(page), 0, what);
  if (look.isHeard) assert.deepEqual(await accessibilityFaults(page), [], what);
  await keepPicture(page, `${look.width}${look.dark ? "-dark" : ""}`, name);
}

/** Opens an address in every look, and checks what every page must be. */
async function everyLook(browser, name, address, selector, expected = /(?!)/) {
  for (const look of LOOKS) {
    const page = await browser.open(address, { ...look, expected });
    await page.locator(selector).first().waitFor();
    await isSound(page, look, name);
    // Dozens of open pages would all go on fetching.
    await page.close();
  }
}

scenario("every page in every look", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [TINY] });
  const browser = await openBrowser(clean);
  const { url } = gauntlet;
  const { experiments } = await gauntlet.get("/api/v1/overview");
  const { id } = experiments.find(({ is_control }) => !is_control);
  const { cell } = (await gauntlet.get(`/api/v1/experiments/${id}`)).series[0].points[0];
  const [game] = (await gauntlet.get("/api/v1/games?limit=1")).games;
  const [machine] = (await gauntlet.get("/api/v1/workers?offset=0&limit=1")).workers;
  const control = experiments.find(({ is_control }) => is_control);

  const pages = {
    home: [url, ".experiments li"],
    experiment: [`${url}/experiments/${id}`, ".ranking tbody tr"],
    response: [`${url}/experiments/${id}?chart=response&axis=fit`, ".panel svg"],
    cases: [`${url}/experiments/${id}?chart=cases`, ".panel svg"],
    cell: [`${url}/cells/${cell}`, "[data-line], .chart svg"],
    games: [`${url}/games`, "tbody tr"],
    game: [`${url}/games/${game.id}`, "main svg"],
    workers: [`${url}/workers`, "main a"],
    worker: [`${url}/workers/${machine.id}`, "main h1"],
    control: [`${url}/control`, "main h1"],
    access: [`${url}/access`, "main h1"],
    compare: [`${url}/compare?left=${id}&right=${control?.id ?? id}`, "main h1"],
    unknown: [`${url}/nothing/here`, "main h1"],
  };
  for (const [name, [address, selector]] of Object.entries(pages)) {
    await t.test(name, () => everyLook(browser, name, address, selector, /40[0134]/));
  }
});

scenario("a page whose coordinator is gone, in every look", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  await gauntlet.command(["apply", TINY]);
  const browser = await openBrowser(clean);
  const address = await gauntlet.experiment();
  const open = [];
  for (const look of LOOKS) {
    const page = await browser.open(address, { ...look, expected: /./ });
    await page.locator(".panel svg").first().waitFor();
    open.push({ page, look });
  }
  await gauntlet.kill();
  for (const { page, look } of open) {
    await page.locator('[data-link="lost"]').waitFor();
    await isSound(page, look, "stale");
    await page.close();
  }
});

scenario("a coordinator without experiments in every look", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  const browser = await openBrowser(clean);
  await everyLook(browser, "empty", gauntlet.url, "main h1, main h2");
});

scenario("a coordinator that asks who looks, in every look", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean), listen: "0.0.0.0" });
  const browser = await openBrowser(clean);
  await everyLook(browser, "locked", gauntlet.url, "main input", /40[13]/);
});
