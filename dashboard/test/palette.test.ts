import { expect, test } from "vitest";
import { lookOf, PAPER, SCREEN } from "../src/charts/palette";

/** Relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

test("every colour can be read as text on its background", () => {
  for (const pair of SCREEN.series) {
    const [light, dark] = /light-dark\((#\w{6}), (#\w{6})\)/.exec(pair)!.slice(1);
    expect(contrast(light!, "#ffffff"), pair).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark!, "#1b1f24"), pair).toBeGreaterThanOrEqual(4.5);
  }
  expect(PAPER.series).toHaveLength(SCREEN.series.length);
});

test("the first 32 series all look different", () => {
  expect(new Set(Array.from({ length: 32 }, (_, i) => JSON.stringify(lookOf(i)))).size).toBe(32);
});
