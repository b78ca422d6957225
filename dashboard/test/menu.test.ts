import { expect, test } from "vitest";
import { placed } from "../src/parts/menu";

test("a menu stays in the window wherever its button is", () => {
  for (const [wanted, length] of [[-300, 120], [900, 120], [100, 120], [0, 5_000]] as const) {
    const at = placed(wanted, length, 390);
    expect(at).toBeGreaterThanOrEqual(4);
    if (length < 380) expect(at + length).toBeLessThanOrEqual(386);
  }
  expect(placed(100, 120, 390)).toBe(100);
});
