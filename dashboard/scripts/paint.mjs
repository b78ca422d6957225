// Measures how soon pages of a running dashboard are there: medians over loads with an empty cache.
//
//   npm run paint -- [--runs 7] [--width 1280] URL...

import { parseArgs } from "node:util";
import { launchBrowser } from "./browser.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "7" }, width: { type: "string", default: "1280" } },
});
if (positionals.length === 0) {
  console.error("usage: npm run paint -- [--runs 7] [--width 1280] URL...");
  process.exit(2);
}

/** Headings come with the data of a page. */
const CONTENT = "main h1, main h2";

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function load(browser, url) {
  const context = await browser.newContext({ viewport: { width: Number(values.width), height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.blocked = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.blocked = Math.max(globalThis.blocked, duration);
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto(url);
  // Times are taken in the page: the way to this process does not count.
  const content = await page.waitForFunction((selector) => document.querySelector(selector) !== null && performance.now(), CONTENT, { polling: "raf" });
  const picture = await page
    .waitForFunction(() => document.querySelector(".chart svg") !== null && performance.now(), undefined, { polling: "raf", timeout: 20_000 })
    .then((found) => found.jsonValue())
    .catch(() => undefined);
  await page.waitForTimeout(1_000);
  const found = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    bytes: performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0),
    blocked: globalThis.blocked,
  }));
  const times = { ...found, content: await content.jsonValue(), picture };
  await context.close();
  return times;
}

const browser = await launchBrowser();
try {
  console.log("| page | first paint, ms | content, ms | picture, ms | longest busy, ms | received, kB |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
  for (const url of positionals) {
    const loads = [];
    for (let run = 0; run < Number(values.runs); run++) loads.push(await load(browser, url));
    const of = (name) => {
      const numbers = loads.map((times) => times[name]).filter((number) => number !== undefined);
      return numbers.length === 0 ? "–" : Math.round(median(numbers));
    };
    const kilobytes = Math.round(median(loads.map(({ bytes }) => bytes)) / 1000);
    console.log(`| ${new URL(url).pathname} | ${of("paint")} | ${of("content")} | ${of("picture")} | ${of("blocked")} | ${kilobytes} |`);
  }
} finally {
  await browser.close();
}
