// Chromium as the tests and the screenshots drive it.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const USUAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** Where Chromium is. */
export function browserPath() {
  const path = process.env.CHROMIUM ?? USUAL.find((usual) => existsSync(usual));
  if (path === undefined) throw new Error("no Chromium found: install the package `chromium`, or name the program in CHROMIUM");
  return path;
}

export async function launchBrowser() {
  const executablePath = browserPath();
  // Chromium's own sandbox refuses root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args: [...args, "--disable-dev-shm-usage"] });
}
