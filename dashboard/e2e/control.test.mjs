// The page of the control: the light, and every cell that it is made of.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { servePlayed, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, percent, saved, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const CONTROL = join(dirname(fileURLToPath(import.meta.url)), "control.toml");

scenario("the control shows every cell with its bars", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [CONTROL] });
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/control`);
  const rows = page.getByRole("region", { name: "Control cells" }).locator("tbody tr");
  await rows.first().waitFor();
  const { control, cells } = await gauntlet.get("/api/v1/control");

  await t.test("with the numbers of the API, and links to the cells", async () => {
    assert.equal(cells.length, 2);
    await untilCount(page.locator("tr[data-cell]"), 2);
    // In the order of the sizes.
    const sizes = await page.locator("tr[data-cell] td:nth-child(3)").allInnerTexts();
    assert.deepEqual(sizes.map(Number), cells.map(({ point }) => point.size).sort((a, b) => a - b));
    for (const { experiments } of cells) await untilSays(page.getByRole("table", { name: "Control cells" }), experiments[0].name);
    for (const { point } of cells) {
      await untilSays(page.locator(`tr[data-cell="${point.cell}"]`), percent(point.rate));
      await untilCount(page.locator(`.chart a[href="/cells/${point.cell}"]`), 1);
    }
    await page.getByText(control.words, { exact: false }).first().waitFor();
    const csv = (await saved(page, page.getByRole("group", { name: "Export control" }), "CSV")).toString();
    assert.equal(csv.trim().split("\n").length, 3);
    await page.locator(".chart a").first().click();
    await page.getByText("plays against itself", { exact: false }).first().waitFor();
  });

  for (const [width, dark] of [[400, true], [1600, false]]) {
    await t.test(`at ${width} pixels`, async () => {
      const view = await browser.open(`${gauntlet.url}/control`, { width, dark });
      await view.locator(".chart a").first().waitFor();
      assert.equal(await overflow(view), 0);
      assert.deepEqual(await accessibilityFaults(view), []);
    });
  }
});
