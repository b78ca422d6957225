// The frame: every page has an address, links and the way back work, and the keyboard gets everywhere.

import assert from "node:assert/strict";
import { MANY, startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const PLACES = { Overview: "/", Games: "/games", Workers: "/workers", Compare: "/compare", Control: "/control", Access: "/access" };

scenario("the frame", async (clean, t) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  await gauntlet.command(["apply", MANY]);
  const browser = await openBrowser(clean);

  await t.test("the navigation leads to every place, and back again, without loading anything anew", async () => {
    const page = await browser.open(gauntlet.url);
    await page.evaluate(() => (globalThis.neverReloaded = true));
    for (const [name, path] of Object.entries(PLACES)) {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
      await page.waitForURL((url) => url.pathname === path);
      await page.locator("nav [aria-current=page]", { hasText: name }).waitFor();
      await page.waitForFunction((title) => document.title.startsWith(title), name);
      await page.locator("main h1").waitFor();
      await page.waitForFunction((id) => document.activeElement.id === id, path === "/" ? "" : "main");
      assert.deepEqual(await accessibilityFaults(page), []);
    }
    for (const path of Object.values(PLACES).reverse().slice(1)) {
      await page.goBack();
      await page.waitForURL((url) => url.pathname === path);
      await page.locator("main h1").waitFor();
    }
    assert.equal(await page.evaluate(() => globalThis.neverReloaded), true);
  });

  await t.test("the keyboard skips the navigation, or walks through it", async () => {
    const page = await browser.open(`${gauntlet.url}/workers`);
    await page.locator("main h1").waitFor();
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => document.activeElement.innerText === "To the content");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "main");
    assert.equal(page.url(), `${gauntlet.url}/workers`, "the address has a view, which stays");
    await page.locator(".brand").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Games" }).first().waitFor();
  });

  await t.test("an address of no page is 404 and leads on, with all that it takes to go on", async () => {
    for (const path of ["/nothing", "/experiments", "/games/1/2"]) {
      assert.equal((await fetch(gauntlet.url + path)).status, 404, path);
    }
    const page = await browser.open(`${gauntlet.url}/nothing/here`, { expected: /404/ });
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    await page.getByRole("link", { name: "To the first page" }).click();
    await page.getByRole("heading", { name: "Experiments", exact: true }).waitFor();
    await page.goto(`${gauntlet.url}/experiments/gone`);
    await page.getByRole("heading", { name: "No such experiment" }).waitFor();
  });

  await t.test("addresses of older versions still show what they showed", async () => {
    const page = await browser.open(`${gauntlet.url}/?chart=heat&axis=fit`);
    await page.getByRole("heading", { name: "Win rate by two parameters" }).waitFor();
    await page.waitForURL(`${await gauntlet.experiment()}?chart=heat&axis=fit`);
  });

  await t.test("every place fits a phone and a wide screen", async () => {
    for (const width of [400, 2200]) {
      const page = await browser.open(gauntlet.url, { width, dark: width === 400 });
      for (const path of Object.values(PLACES)) {
        await page.goto(gauntlet.url + path);
        await page.locator("main h1").waitFor();
        assert.equal(await overflow(page), 0, `${path} at ${width}`);
        assert.deepEqual(await accessibilityFaults(page), []);
      }
      await page.close();
    }
  });
});
