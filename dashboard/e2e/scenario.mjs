// A test that cleans up after itself, the last thing first.

import { test } from "node:test";

/** A machine that is three times slower than those of the developers still ends in time. */
const LIMIT_MS = 2_400_000;

/** A test whose helpers leave what is to be undone with `clean.up(task)`. */
export function scenario(name, body) {
  return test(name, { timeout: LIMIT_MS }, async (t) => {
    const tasks = [];
    const failures = [];
    try {
      await body({ up: (task) => tasks.push(task) }, t);
    } catch (error) {
      failures.push(error);
    }
    for (const task of tasks.reverse()) {
      try {
        await task();
      } catch (error) {
        failures.push(error);
      }
    }
    // What failed first is the reason; what the cleaning up found beside it is often its consequence.
    if (failures.length > 0) throw failures[0];
  });
}
