import { expect, test } from "vitest";
import { CHARTS } from "../src/charts/list";

const SOURCES = import.meta.glob<string>(["../src/**/*.{ts,tsx}", "!../src/api-types.ts"], { query: "?raw", import: "default", eager: true });
const STYLES = import.meta.glob<string>("../src/style/*.css", { query: "?raw", import: "default", eager: true });

const filesWith = (pattern: RegExp) => Object.entries(SOURCES).flatMap(([file, text]) => (pattern.test(text) ? [file.replace("../src/", "")] : []));

test("a chart of cases stands in two places: its file and the list", () => {
  for (const { key } of CHARTS) {
    const name = key.toUpperCase();
    const places = filesWith(new RegExp(`export const ${name}: ChartKind|import \\{[^}]*\\b${name}\\b[^}]*\\} from "[^"]*kinds/`));
    expect(places, key).toEqual([expect.stringMatching(/^charts\/kinds\//), "charts/list.ts"]);
  }
});

test("what is around a picture stands once: no other file draws it on the page or saves it", () => {
  expect(filesWith(/picture\.draw\(/)).toEqual(["parts/chart.tsx"]);
  expect(filesWith(/<PictureView\b/)).toEqual(["parts/picture.tsx"]);
  expect(filesWith(/new XMLSerializer/)).toHaveLength(1);
});

test("every class of the style sheets occurs in the page", () => {
  const all = Object.values(SOURCES).join("\n");
  const css = Object.values(STYLES).join("\n").replace(/\/\*.*?\*\/|"[^"]*"/gs, "");
  const classes = new Set([...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!));
  expect([...classes].filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(all))).toEqual([]);
});

test("no rule of the style sheets has the selector of another", () => {
  for (const [file, css] of Object.entries(STYLES)) {
    const outside = css.replace(/\/\*.*?\*\//gs, "").replace(/@media[^{]*\{(?:[^{}]*\{[^}]*\})*\s*\}/g, "");
    const selectors = [...outside.matchAll(/([^{}]+)\{[^}]*\}/g)].map(([, selector]) => selector!.trim());
    expect(selectors.filter((own, i) => selectors.indexOf(own) !== i), file).toEqual([]);
  }
});
