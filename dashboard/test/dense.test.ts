import { expect, test } from "vitest";
import { figureSvg } from "../src/charts/figure-svg";
import { point, report, series } from "./report";

/** A sweep of three parameters with so many cases, on two sizes. */
const sweep = (cases: number) =>
  report(
    Array.from({ length: cases }, (_, i) => {
      const swept = { rave_k: i % 10, fpu: Math.floor(i / 10) % 10, exploration: Math.floor(i / 100) };
      return series(`case ${i}`, [point(4, 20 + (i % 150), 200, 5), point(5, 100, 200, 5)], { swept });
    }),
    [4, 5],
  );
const elements = (svg: string) => svg.match(/<[a-z]/g)!.length;
const drawn = (cases: number, chart: "size" | "cases" | "parallel") => figureSvg(sweep(cases), { view: { pick: "all", chart } });

test("thousands of points are a few paths that show each of them", () => {
  const svg = drawn(1000, "size");
  expect(elements(svg)).toBeLessThan(100);
  const [, bars = ""] = /class="dense".*?<path.*?<path d="([^"]*)"/s.exec(svg)!;
  // An eighth of the cases has the first colour, each with a bar on either size.
  expect(bars.match(/M/g)).toHaveLength(250);
  expect(drawn(400, "size")).not.toContain('class="dense"');
});

test("thousands of strands are a few bundles, and the farthest from 50 % keep their words", () => {
  const svg = drawn(1000, "parallel");
  expect(svg.match(/class="strand"/g)!.length).toBe(2 * 300);
  const bundles = [...svg.matchAll(/class="bundle" d="([^"]*)"/g)].map(([, d]) => d!.match(/M/g)!.length);
  expect(bundles.reduce((sum, strands) => sum + strands, 0)).toBe(2 * 700);
  expect(drawn(300, "parallel")).not.toContain("bundle");
});

test("cases below each other are the first two hundred, and the picture says so", () => {
  expect(drawn(1000, "cases").match(/role="img" aria-label="case /g)!.length).toBe(2 * 200);
});
