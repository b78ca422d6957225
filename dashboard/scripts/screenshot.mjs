// Takes a picture of a running dashboard.
//
//   npm run screenshot -- http://127.0.0.1:8080/ out.png [--width 1280] [--height 860] [--scale 2] [--dark] [--full]

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "./browser.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: "string", default: "1280" },
    height: { type: "string", default: "860" },
    scale: { type: "string", default: "1" },
    dark: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
  },
});
const [url, output] = positionals;
if (url === undefined || output === undefined) {
  console.error("usage: npm run screenshot -- URL out.png [--width N] [--height N] [--scale N] [--dark] [--full]");
  process.exit(2);
}

const browser = await launchBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: Number(values.height) },
    deviceScaleFactor: Number(values.scale),
    colorScheme: values.dark ? "dark" : "light",
  });
  await page.goto(url);
  // The page has its data when it says that it is live, and its picture or its notice after that.
  await page.locator('[data-link="live"]').waitFor();
  await page.locator("main h1").first().waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".chart")].every((chart) => chart.querySelector("svg") !== null));
  await page.screenshot({ path: resolve(process.env.INIT_CWD ?? process.cwd(), output), fullPage: values.full, animations: "disabled" });
} finally {
  await browser.close();
}
