// Fails when a page of a site links to a page, a heading or a file that is not there, when a page of docs/ is not in the
// site, and when a file of the repository's top folder links to a missing file.
//
//   node docs/links.mjs SITE

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const docs = dirname(fileURLToPath(import.meta.url));
const site = resolve(process.argv[2]);
// Combined or without content: their links are those of the other pages.
const GENERATED = ["print.html", "404.html", "toc.html"];

const files = (folder, ending) =>
  readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(ending)).map((file) => join(folder, file));
const isOutside = (link) => /^[a-z]+:/.test(link);
const broken = [];

const ids = new Map();
const idsOf = (page) => {
  if (!ids.has(page)) ids.set(page, new Set([...readFileSync(page, "utf8").matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)));
  return ids.get(page);
};

for (const page of files(site, ".html").filter((page) => !GENERATED.includes(relative(site, page)))) {
  const main = readFileSync(page, "utf8").split("<main>")[1]?.split("</main>")[0] ?? "";
  for (const [, link] of main.matchAll(/ (?:href|src)="([^"]*)"/g)) {
    if (isOutside(link)) continue;
    const [path, id] = decodeURI(link).split("#");
    const to = path === "" ? page : resolve(dirname(page), path);
    if (!existsSync(to)) broken.push(`${relative(site, page)}: ${link}`);
    else if (id && to.endsWith(".html") && !idsOf(to).has(id)) broken.push(`${relative(site, page)}: ${link} (no such heading)`);
  }
}

for (const page of files(docs, ".md").filter((page) => !page.endsWith("SUMMARY.md"))) {
  const name = relative(docs, page).replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");
  if (!existsSync(join(site, name))) broken.push(`docs/SUMMARY.md: ${relative(docs, page)} is missing`);
}

const top = dirname(docs);
for (const page of readdirSync(top).filter((file) => file.endsWith(".md"))) {
  for (const [, link] of readFileSync(join(top, page), "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
    if (!isOutside(link) && !existsSync(join(top, link))) broken.push(`${page}: ${link}`);
  }
}

for (const link of broken) console.error(`broken link in ${link}`);
if (broken.length > 0) process.exit(1);
