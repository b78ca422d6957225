// What the tests ask of a page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { launchBrowser } from "../scripts/browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How long a slow machine may take for what a page does by itself. */
const PATIENCE_MS = 300_000;
/** How long a slow machine may take to play the games of a test. */
export const PLAYED_MS = 1_200_000;
/** For how long a page may settle after its window has changed. */
const SETTLED_MS = 120_000;

const STREAMS = new WeakMap();

/**
 * A browser and its pages. Every page is watched: no other host, no error in the console but
 * those expected. */
export async function openBrowser(clean) {
  const browser = await launchBrowser();
  clean.up(() => browser.close());
  return {
    open: async (url, { width = 1280, height = 900, dark = false, expected = /(?!)/ } = {}) => {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
      page.setDefaultTimeout(PATIENCE_MS);
      const complaints = [];
      const own = new URL(url).origin;
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== own && protocol !== "blob:") complaints.push(`request to ${request.url()}`);
      });
      const streams = new Set();
      STREAMS.set(page, streams);
      page.on("request", (request) => request.url().endsWith("/api/v1/events") && streams.add(request));
      for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => streams.delete(request));
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !expected.test(message.text())) complaints.push(message.text());
      });
      clean.up(() => assert.deepEqual(complaints, [], `${url} complained`));
      clean.up(() => keepPicture(page, `${width}${dark ? "-dark" : ""}`));
      await page.goto(url);
      return page;
    },
  };
}

/** Pictures of the last state of every page are kept in the folder that GAUNTLET_PICTURES names. */
const PICTURES = process.env.GAUNTLET_PICTURES;
let pictures = 0;

/** `name` is what the picture shows; without one, it is named after the test and the address. */
export async function keepPicture(page, look, name) {
  if (PICTURES === undefined || page.isClosed()) return;
  pictures += 1;
  const place = new URL(page.url()).pathname.replace(/[^a-z0-9]+/gi, "-").slice(0, 60);
  const file = name ?? `${basename(process.argv[1], ".test.mjs")}-${pictures}${place}`;
  await page.screenshot({ path: join(PICTURES, `${file}-${look}.png`), fullPage: true, animations: "disabled" });
}

/** Event streams that the page holds open. */
export function openStreams(page) {
  return STREAMS.get(page).size;
}

/**
 * Waits until something holds, which may ask the page or the coordinator; gives what it found. What throws is tried again: a page
 * or an answer may be there only in part. The last error is the cause of a wait in vain.
 */
export async function until(holds, what, patience = PATIENCE_MS) {
  const deadline = Date.now() + patience;
  for (;;) {
    let cause;
    try {
      const found = await holds();
      if (found) return found;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`waited in vain for ${await inWords(what)}`, { cause });
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** What a wait was for; how things stand is asked of the page, which may fail, too. */
async function inWords(what) {
  if (typeof what === "string") return what;
  try {
    return await what();
  } catch (error) {
    return `something that cannot be told: ${error.message}`;
  }
}

/**
 * Points the mouse at a place of an element, its middle unless told, until what it points at answers. A page that still
 * loads moves the element away, so that each try asks anew where it is.
 */
export async function pointAt(page, element, answers, place = ({ width, height }) => [width / 2, height / 2]) {
  const pointed = async () => {
    await element.scrollIntoViewIfNeeded();
    const box = await element.boundingBox();
    if (box === null) return false;
    const [x, y] = place(box);
    await page.mouse.move(box.x + x, box.y + y);
    return answers();
  };
  await until(pointed, () => `an answer of ${element}`);
}

/** A rate in per cent, rounded as the coordinator and the page do: a quarter goes to the even tenth. */
export function percent(rate) {
  const value = 100 * rate;
  return (4 * value) % 4 === 1 ? `${Math.trunc(value)}.2` : value.toFixed(1);
}

/** Chooses a file from the menu of a picture or a table; gives what is saved. */
export async function saved(page, exports, format) {
  await exports.locator(".opens-menu").click();
  const waiting = page.waitForEvent("download");
  await exports.locator(".menu").getByText(format, { exact: true }).click();
  return readFile(await (await waiting).path());
}

/** Waits until there are so many of something. */
export const untilCount = (locator, count) =>
  until(async () => (await locator.count()) === count, async () => `${count} of ${locator}; there are ${await locator.count()}`);

/** Waits until an element has all these words, one after another or not. */
export async function untilSays(locator, ...parts) {
  let words = "";
  const says = (part) => (typeof part === "string" ? words.includes(part) : part.test(words));
  await until(
    async () => ((words = (await locator.innerText()).replace(/\s+/g, " ")), parts.every(says)),
    () => `${parts.find((part) => !says(part))} in: ${words}`,
  );
}

/** Waits until the address has a part, or no longer has it. */
export const untilAddress = (page, part, has = true) => page.waitForURL((url) => url.href.includes(part) === has);

/** Everything that axe-core finds fault with, in words. */
export async function accessibilityFaults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** By how many pixels the page is wider than its window, once its pictures have taken the window's width. */
export async function overflow(page) {
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await until(async () => (await wider()) === 0, "a page of the window's width", SETTLED_MS).catch(() => undefined);
  return wider();
}

/** The points of the picture: what they say, and the rate at whose height they stand. */
export function drawnPoints(page, panel) {
  return page.evaluate((key) => {
    const chart = document.querySelector(`.panel[data-panel="${CSS.escape(key)}"] .chart > svg`);
    // The axis, read as a person does: from two of its marks.
    const marks = [...chart.querySelectorAll("text[text-anchor=end]")].map((text) => [Number(text.textContent), Number(text.getAttribute("y"))]);
    const [bottom, bottomY] = marks.find(([value]) => value === 0);
    const [top, topY] = marks.find(([value]) => value === 100);
    const rateAt = (y) => bottom + ((y - bottomY) / (topY - bottomY)) * (top - bottom);
    return [...chart.querySelectorAll(".point")].map((point) => {
      const [light, dark, marker] = point.querySelectorAll("path");
      const endsOf = (bar) => /^M[\d.]+ ([\d.-]+)V([\d.-]+)/.exec(bar.getAttribute("d")).slice(1).map((end) => rateAt(Number(end)));
      const [[low, high], [cs_low, cs_high]] = [endsOf(dark), endsOf(light)];
      const [, , y] = /translate\(([\d.-]+) ([\d.-]+)\)/.exec(marker.getAttribute("transform"));
      return {
        case: point.dataset.case,
        size: Number(point.dataset.size),
        words: point.getAttribute("aria-label"),
        rate: rateAt(Number(y)),
        low,
        high,
        cs_low,
        cs_high,
      };
    });
  }, panel);
}
