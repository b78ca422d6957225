import { expect, test } from "vitest";
import { spread } from "../src/charts/winrate-layout";

/** A small generator, the same numbers on every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test("labels that are apart stay where they want to be", () => {
  expect(spread([10, 60, 200], 16, 0, 300)).toEqual([10, 60, 200]);
});

test("two at one place move apart by the same amount", () => {
  expect(spread([100, 100], 16, 0, 300)).toEqual([92, 108]);
});

test("a crowd at the edge stays inside", () => {
  expect(spread([0, 0, 1], 16, 0, 300)).toEqual([0, 16, 32]);
});

test("labels that cannot fit share the room there is", () => {
  expect(spread([5, 5, 5], 16, 0, 20)).toEqual([0, 10, 20]);
});

test("whatever is asked, gaps, bounds and order hold", () => {
  const random = numbers(7);
  for (let round = 0; round < 300; round++) {
    const wanted = Array.from({ length: 1 + Math.floor(random.next().value * 12) }, () => random.next().value * 300);
    const placed = spread(wanted, 16, 0, 300);
    const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]!);
    for (const [i, label] of order.entries()) {
      expect(placed[label]).toBeGreaterThanOrEqual(-1e-9);
      expect(placed[label]).toBeLessThanOrEqual(300 + 1e-9);
      if (i > 0) expect(placed[label]! - placed[order[i - 1]!]!).toBeGreaterThanOrEqual(16 - 1e-9);
    }
  }
});
