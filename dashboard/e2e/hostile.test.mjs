// Names that want to break the page: they are shown as they are, and run over no edge.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGauntlet, temporaryFolder, TINY } from "./gauntlet.mjs";
import { accessibilityFaults, openBrowser, overflow, until, untilSays } from "./page.mjs";
import { scenario } from "./scenario.mjs";

// A name has 60 characters at most, a question 500.
const NAMES = {
  script: "<script>globalThis.broken = true</script>",
  image: '<img src=x onerror="globalThis.broken = true">',
  emoji: "🎲🎯🧪 ключ 鍵 مفتاح",
  word: "Donaudampfschifffahrt".repeat(2),
  template: "${globalThis.broken = true} {{7*7}} %s &amp; \"quoted\" 'it'",
};
const LONG = `${"Donaudampfschifffahrt".repeat(12)} ${"long ".repeat(49)}`.trim();

scenario("hostile names", async (clean, t) => {
  const folder = await temporaryFolder(clean);
  const gauntlet = await startGauntlet(clean, { folder });
  const tiny = await readFile(TINY, "utf8");
  const questions = new Map();
  for (const [kind, name] of Object.entries(NAMES)) {
    const file = join(folder, `${kind}.toml`);
    const question = kind === "word" ? LONG : name;
    questions.set(name, question);
    const text = tiny.replace(/^name = .*$/m, () => `name = ${JSON.stringify(name)}`).replace(/^question = .*$/m, () => `question = ${JSON.stringify(question)}`);
    await writeFile(file, text);
    await gauntlet.command(["apply", file]);
  }
  const { experiments: all } = await gauntlet.get("/api/v1/overview");
  const experiments = all.filter(({ is_control }) => !is_control);
  assert.equal(experiments.length, Object.keys(NAMES).length);
  const browser = await openBrowser(clean);

  for (const width of [400, 1280]) {
    await t.test(`the first page lists them at ${width} pixels`, async () => {
      const page = await browser.open(gauntlet.url, { width });
      const missing = async () => {
        const shown = await page.locator(".experiments .name").allInnerTexts();
        return Object.values(NAMES).filter((name) => !shown.some((text) => text.startsWith(name)));
      };
      await until(async () => (await missing()).length === 0, missing);
      assert.equal(await overflow(page), 0);
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await page.evaluate(() => globalThis.broken), undefined);
    });

    await t.test(`each has a page at ${width} pixels`, async () => {
      for (const { id, name } of experiments) {
        const page = await browser.open(`${gauntlet.url}/experiments/${id}`, { width });
        await page.locator("main h1").waitFor();
        assert.equal(await page.locator("main h1").innerText(), questions.get(name));
        await page.waitForFunction(() => document.title.startsWith("0 % "));
        assert.equal(await overflow(page), 0, name);
        assert.deepEqual(await accessibilityFaults(page), []);
        assert.equal(await page.evaluate(() => globalThis.broken), undefined);
        await page.close();
      }
    });
  }

  await t.test("very long notes, tags and reasons are refused or shown, and break nothing", async () => {
    const token = (await gauntlet.command(["token", "add", "ada", "--scope", "admin"])).trim();
    const [{ id }] = experiments;
    const page = await browser.open(`${gauntlet.url}/experiments/${id}`, { width: 400, expected: /4\d\d/ });
    await page.locator(".session").getByText("Sign in", { exact: true }).first().click();
    await page.locator(".session").getByLabel("Token").fill(token);
    await page.locator(".session").getByRole("button", { name: "Sign in" }).click();
    const dialog = page.locator("dialog");
    const say = async (action, label, text) => {
      await page.getByRole("button", { name: `${action}…` }).click();
      await dialog.getByLabel(label).fill(text);
      await dialog.getByRole("button", { name: "Save" }).click();
    };
    for (const [action, label] of [["Note", "Note"], ["Tags", "Tags"]]) {
      await say(action, label, "x".repeat(10_000));
      const alert = dialog.getByRole("alert");
      await untilSays(alert, /\d+ printable characters/);
      assert.equal(await overflow(page), 0, action);
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    // The longest that is let in.
    const note = `${NAMES.script} ${"w".repeat(3_900)}`;
    await say("Note", "Note", note);
    await dialog.waitFor({ state: "detached" });
    await page.locator(".timeline").getByText(note.slice(0, 60), { exact: false }).first().waitFor();
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    const post = (path, body) =>
      fetch(`${gauntlet.url}/api/v1/${path}`, { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, body: JSON.stringify(body) });
    const reason = await post("workers/quarantine", { machines: "all", why: "x".repeat(10_000) });
    assert.equal(reason.status, 422);
    assert.ok((await reason.text()).length < 500);
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
  });

  await t.test("a name of 10,000 characters is refused in a few words", async () => {
    const file = join(folder, "long.toml");
    await writeFile(file, tiny.replace(/^name = .*$/m, `name = "${"x".repeat(10_000)}"`));
    const refused = await gauntlet.command(["apply", file]).then(
      () => assert.fail("it was let in"),
      (error) => error.stderr,
    );
    assert.match(refused, /`name` takes one line of 1 to 60 characters/);
    assert.ok(refused.length < 2_000, `${refused.length} characters`);
  });

  await t.test("addresses with such names lead to a page that says that there is nothing", async () => {
    const page = await browser.open(gauntlet.url, { expected: /40[04]/ });
    for (const name of [...Object.values(NAMES), "x".repeat(3_000)]) {
      await page.goto(`${gauntlet.url}/games/${encodeURIComponent(name)}`);
      await page.locator("main h1").waitFor();
      assert.equal(await page.evaluate(() => globalThis.broken), undefined);
      assert.equal(await overflow(page), 0);
    }
  });
});
