// Chromium as the tests and the screenshots drive it.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const USUAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

export async function launchBrowser() {
  const wish = process.env.CHROMIUM;
  const executablePath = wish ?? USUAL.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error("no Chromium found: install the package `chromium`, or name the program in CHROMIUM");
  // Chromium's own sandbox refuses root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args: [...args, "--disable-dev-shm-usage"] });
}
