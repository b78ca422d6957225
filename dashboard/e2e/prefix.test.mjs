// The page behind a reverse proxy that strips a prefix, such as `location /tune/ { proxy_pass http://127.0.0.1:8437/; }`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { MANY, servePlayed, temporaryFolder } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, saved, until, untilCount, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

const PREFIX = "/a/tune";

/** A proxy that has the coordinator below the prefix, and other programs beside it; gives its address and what they were sent. */
async function proxy(clean, port) {
  const elsewhere = [];
  const server = createServer((incoming, answer) => {
    if (!incoming.url.startsWith(`${PREFIX}/`)) {
      elsewhere.push({ url: incoming.url, cookie: incoming.headers.cookie });
      answer.writeHead(404).end("another program");
      return;
    }
    const { method, headers } = incoming;
    const forwarded = request({ host: "127.0.0.1", port, method, path: incoming.url.slice(PREFIX.length), headers: { ...headers, "x-forwarded-for": "127.0.0.1" } }, (found) => {
      answer.writeHead(found.statusCode, found.headers);
      found.pipe(answer);
    });
    forwarded.on("error", () => answer.destroy());
    answer.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  clean.up(() => (server.closeAllConnections(), new Promise((closed) => server.close(closed))));
  return { root: `http://127.0.0.1:${server.address().port}`, elsewhere };
}

scenario("behind a proxy that strips a prefix", async (clean, t) => {
  const gauntlet = await servePlayed(clean, { folder: await temporaryFolder(clean), files: [MANY] });
  const { root, elsewhere } = await proxy(clean, gauntlet.port);
  const browser = await openBrowser(clean);
  const page = await browser.open(`${root}${PREFIX}/`);
  const token = (await gauntlet.command(["token", "add", "ada", "--scope", "admin"])).trim();
  const { id } = (await gauntlet.get("/api/v1/overview")).experiments.find(({ name }) => name === "many cases");
  const { games } = await gauntlet.get("/api/v1/games?limit=1");

  await t.test("a page signs in, and its cookie goes to no other program of the host", async () => {
    await page.locator(".session").getByText("Sign in", { exact: true }).first().click();
    await page.locator(".session").getByLabel("Token").fill(token);
    await page.locator(".session").getByRole("button", { name: "Sign in" }).click();
    await page.locator(".session").getByRole("button", { name: "Sign out" }).waitFor();
    await page.getByRole("heading", { name: "Experiments" }).waitFor();
    assert.equal((await page.context().cookies(`${root}/other/`)).length, 0);
    assert.equal((await page.context().cookies(`${root}${PREFIX}/api/v1/overview`)).length, 1);
  });

  await t.test("every page is loaded by its address, and all links stay below the prefix", async () => {
    const paths = ["", "games", "games?show=moves", `games/${games[0].id}`, "workers", "control", "compare", "access", `experiments/${id}`, `experiments/${id}/`, `cells/${games[0].cell}`];
    for (const path of paths) {
      await page.goto(`${root}${PREFIX}/${path}`);
      await page.locator("[data-link=live]").waitFor();
      await page.locator("main h1").first().waitFor({ state: "attached" });
      const strays = await page.locator("a[href]").evaluateAll(
        (links, prefix) => links.map((link) => link.getAttribute("href")).filter((href) => !href.startsWith("#") && !new URL(href, document.baseURI).pathname.startsWith(`${prefix}/`)),
        PREFIX,
      );
      assert.deepEqual(strays, [], path);
      assert.equal(await page.locator("main").getByText("No such page").count(), 0, path);
    }
  });

  await t.test("links lead on without loading anew, and back", async () => {
    await page.goto(`${root}${PREFIX}/`);
    await page.evaluate(() => (globalThis.same = true));
    await page.locator(".experiments a").first().click();
    await page.waitForURL(`**${PREFIX}/experiments/**`);
    await untilCount(page.locator(".field"), 36);
    await page.locator(".chart a").first().click();
    await page.waitForURL(`**${PREFIX}/cells/**`);
    await page.goBack();
    await untilCount(page.locator(".field"), 36);
    assert.ok(await page.evaluate(() => globalThis.same), "without loading anew");
  });

  await t.test("files are saved: drawn by the page, and by the coordinator", async () => {
    assert.match((await saved(page, page.locator(".panel .exports").first(), "SVG")).toString(), /^<svg /);
    const waiting = page.waitForEvent("download");
    await page.locator(".downloads").getByText("CSV", { exact: true }).click();
    assert.match(await readFile(await (await waiting).path(), "utf8"), /rave_k/);
  });

  await t.test("a change is made, and told by the stream of events", async () => {
    await page.getByRole("button", { name: "Note…" }).click();
    await page.locator("dialog").getByLabel("Note").fill("through a proxy");
    await page.locator("dialog").getByRole("button", { name: "Save" }).click();
    await page.locator(".timeline").getByText("through a proxy").waitFor();
  });

  await t.test("the line for a machine names the prefix", async () => {
    await page.goto(`${root}${PREFIX}/workers`);
    await page.getByRole("button", { name: "1 machine", exact: true }).click();
    const line = page.locator("[data-join]");
    await untilSays(line, `@${root}${PREFIX}`);
    const words = (await line.innerText()).match(/gauntlet work --join (\S+)/);
    await gauntlet.work(clean, ["--join", words[1], "--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"]);
    await until(async () => (await gauntlet.get("/api/v1/overview")).fleet.alive > 0, "the machine that joined");
  });

  await t.test("signing out ends it", async () => {
    await page.locator(".session").getByRole("button", { name: "Sign out" }).click();
    await page.locator(".session").getByText("Sign in", { exact: true }).first().waitFor();
    assert.equal((await page.context().cookies(`${root}${PREFIX}/api/v1/overview`)).length, 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(elsewhere.filter(({ url }) => url !== "/favicon.ico"), [], "nothing was asked of the host itself");
  });
});
