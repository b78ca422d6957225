// Judges pages of a running dashboard with Lighthouse, and lists what it finds fault with. The package is fetched when it is used: it
// is larger than everything else here, and building needs it never.
//
//   npm run lighthouse -- [--desktop] URL...

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { browserPath } from "./browser.mjs";

const PACKAGE = "lighthouse@12.8.2";
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const TIMES = { "first-contentful-paint": "first paint", "largest-contentful-paint": "largest paint", "total-blocking-time": "blocked" };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { desktop: { type: "boolean", default: false } } });
if (positionals.length === 0) {
  console.error("usage: npm run lighthouse -- [--desktop] URL...");
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), "gauntlet-lighthouse-"));
try {
  console.log(`| page | ${CATEGORIES.join(" | ")} | ${Object.values(TIMES).join(" | ")} |`);
  console.log(`| --- |${" ---: |".repeat(CATEGORIES.length + Object.keys(TIMES).length)}`);
  const faults = [];
  for (const url of positionals) {
    const output = join(folder, "report.json");
    const flags = process.getuid?.() === 0 ? "--headless=new --no-sandbox" : "--headless=new";
    const options = [url, "--quiet", "--output=json", `--output-path=${output}`, `--only-categories=${CATEGORIES}`, `--chrome-flags=${flags}`];
    const command = ["--yes", PACKAGE, ...options, ...(values.desktop ? ["--preset=desktop"] : [])];
    await promisify(execFile)("npx", command, { env: { ...process.env, CHROME_PATH: browserPath() } });
    const { categories, audits } = JSON.parse(await readFile(output, "utf8"));
    const scores = CATEGORIES.map((name) => Math.round(100 * categories[name].score));
    const times = Object.keys(TIMES).map((name) => audits[name].displayValue);
    const page = new URL(url).pathname;
    console.log(`| ${page} | ${scores.join(" | ")} | ${times.join(" | ")} |`);
    for (const { auditRefs } of Object.values(categories)) {
      for (const { id, weight } of auditRefs) {
        const { score, title, displayValue = "" } = audits[id];
        if (weight > 0 && score !== null && score < 0.9) faults.push(`${page}: ${title} ${displayValue}`.trim());
      }
    }
  }
  console.log(faults.length === 0 ? "\nNo fault." : `\n${faults.join("\n")}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
