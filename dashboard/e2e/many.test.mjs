// An experiment with more cases than one picture can keep apart.

import assert from "node:assert/strict";
import { MANY, servePlayed, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, untilAddress, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

scenario("many cases", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [MANY] });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${await gauntlet.experiment()}?chart=size`);
  // The picture is made anew a moment after a choice.
  const drawn = (cases) =>
    page.waitForFunction((count) => new Set([...document.querySelectorAll(".point")].map((one) => one.dataset.case)).size === count, cases);

  await t.test("the best eight are drawn, and all of them when asked", async () => {
    await drawn(8);
    await untilSays(page.locator(".finder .drawn"), "8 of 18 cases drawn, the others as grey lines");
    // The ranking has the marks of the picture, and cases that are not drawn have none.
    await page.getByRole("button", { name: "All 18 cases" }).click();
    const marks = (selector) => page.locator(selector).evaluateAll((all) => all.map((mark) => [mark.closest("[data-case]").dataset.case, mark.getAttribute("d"), mark.getAttribute("fill")].join(" ")));
    const [ranked, pictured] = [await marks(".ranking th svg path"), await marks(".point > path:last-child")];
    assert.equal(ranked.length, 8);
    assert.deepEqual(new Set(ranked), new Set(pictured));
    await page.getByRole("button", { name: "All", exact: true }).click();
    await drawn(18);
  });

  await t.test("words find cases, one click isolates one, and the address keeps that", async () => {
    await page.getByRole("searchbox", { name: "Find cases" }).fill("rave_k=3000");
    await page.waitForFunction(() => document.querySelectorAll(".finder li").length === 3);
    await drawn(3);
    await page.locator(".finder").getByRole("button", { name: /^Only / }).first().click();
    await drawn(1);
    await untilAddress(page, "only=");
    const again = await browser.open(page.url());
    // One case on two sizes.
    await untilCount(again.locator(".point"), 2);
    await page.getByRole("searchbox", { name: "Find cases" }).fill("nothing like it");
    await page.getByText("No case has these words in its name").waitFor();
  });

  await t.test("a sweep of two parameters has pictures by one and by both", async () => {
    await page.goto(`${gauntlet.url}/?chart=response`);
    await page.locator(".curves").first().waitFor();
    // A picture for each size.
    await untilCount(page.locator(".panel:not(.running)"), 2);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole("button", { name: "Two parameters" }).click();
    await untilCount(page.locator(".field"), 36);
    const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ is_control }) => !is_control);
    const { series } = await gauntlet.get(`/api/v1/experiments/${id}`);
    const { swept, points } = series[7];
    const name = `rave_k=${swept.rave_k}, exploration=${swept.exploration}, board size ${points[0].size}: ${percent(points[0].rate)}\u00a0%`;
    await untilCount(page.locator(`.field[aria-label^="${name}"]`), 1);
    await page.goBack();
    await page.locator(".curves").first().waitFor();
  });

  await t.test("nothing runs over the edge of a narrow or a dark page, and screen readers find no fault", async () => {
    for (const query of ["", "?chart=response", "?chart=heat"]) {
      const narrow = await browser.open(`${await gauntlet.experiment()}${query}`, { dark: true, width: 400 });
      await narrow.locator(".panel svg").first().waitFor();
      assert.equal(await overflow(narrow), 0, query);
      assert.deepEqual(await accessibilityFaults(narrow), [], query);
    }
  });
});
