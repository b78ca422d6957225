// Draws an exported experiment as SVG with the page's own chart code.
//
//   npm run figure -- report.json out.svg [--width 960] [--axis fit] [--hide group/label]... [--panel KEY]
//                     [--reference values.csv --figure fig:ravegraph --reference-name "published values"]

import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createServer } from "vite";

const USAGE = "usage: npm run figure -- report.json out.svg [--width N] [--axis full|fit] [--hide group/label]... [--panel KEY] [--reference values.csv --figure NAME [--reference-name TEXT]]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: "string", default: "960" },
    axis: { type: "string", default: "full" },
    hide: { type: "string", multiple: true, default: [] },
    panel: { type: "string" },
    reference: { type: "string" },
    figure: { type: "string" },
    "reference-name": { type: "string" },
  },
});
const [input, output] = positionals;
if (input === undefined || output === undefined || (values.reference !== undefined && values.figure === undefined)) {
  console.error(USAGE);
  process.exit(2);
}

// npm runs scripts in the package's folder; paths are meant from where the user stands.
const here = process.env.INIT_CWD ?? process.cwd();
const report = JSON.parse(await readFile(resolve(here, input), "utf8"));

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vite = await createServer({ root, appType: "custom", logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
try {
  const { figureSvg } = await vite.ssrLoadModule("/src/charts/figure-svg.ts");
  const reference =
    values.reference === undefined
      ? undefined
      : { csv: await readFile(resolve(here, values.reference), "utf8"), figure: values.figure, name: values["reference-name"] };
  const svg = figureSvg(report, {
    view: { hidden: values.hide, axis: values.axis === "fit" ? "fit" : "full", ...(values.panel && { panel: values.panel }) },
    width: Number(values.width),
    reference,
  });
  await writeFile(resolve(here, output), svg);
} finally {
  await vite.close();
}
