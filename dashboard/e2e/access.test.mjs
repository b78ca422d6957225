// The page of tokens and of the audit log.

import assert from "node:assert/strict";
import { startGauntlet, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

scenario("an admin makes and revokes tokens and reads who did what", async (clean) => {
  const gauntlet = await startGauntlet(clean, { folder: await temporaryFolder(clean) });
  const admin = (await gauntlet.command(["token", "add", "ada", "--scope", "admin"])).trim();
  const browser = await openBrowser(clean);
  const page = await browser.open(`${gauntlet.url}/access`);
  const main = page.locator("main");
  await main.getByText("Tokens and the audit log are for those with a token of the scope admin", { exact: false }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await untilCount(page.getByLabel("Token"), 1);
  await main.getByLabel("Token").fill(admin);
  await main.getByRole("button", { name: "Sign in" }).click();

  await main.getByLabel("Name").fill("<b>guest</b>");
  await main.getByLabel("Scope").selectOption("read");
  await main.getByRole("button", { name: "Make a token" }).click();
  const secret = await main.locator(".command pre").innerText();
  const may = async () => (await fetch(`${gauntlet.url}/api/v1/session`, { headers: { authorization: `Bearer ${secret}` } })).status;
  assert.equal(await may(), 200);

  // The consequence is said first.
  await main.getByRole("button", { name: "Revoke <b>guest</b>" }).click();
  await main.getByText("The person or machine that has it is locked out at once", { exact: false }).waitFor();
  await main.getByRole("button", { name: "Keep it" }).click();
  assert.equal(await may(), 200);
  await main.getByRole("button", { name: "Revoke <b>guest</b>" }).click();
  await main.getByRole("button", { name: "Revoke it" }).click();
  await main.locator("tr.gone", { hasText: "guest" }).waitFor();
  assert.equal(await may(), 401);
  const audit = main.getByRole("region", { name: "Changes on this page" });
  await audit.locator("tr", { hasText: "revoke" }).first().waitFor();
  await untilSays(audit, "ada");
  for (const width of [400, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
  }
});
