import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { useAttempt, type Attempt } from "../src/parts/dialog";

/** What a part of a page gets. */
function attempted(): Attempt["attempt"] {
  let own: Attempt | undefined;
  function Part() {
    own = useAttempt();
    return <></>;
  }
  render(<Part />);
  return own!.attempt;
}

test("a double click does what it asks for once, and a later click does it again", async () => {
  const attempt = attempted();
  const made: number[] = [];
  const make = () => attempt(async () => void made.push(made.length));
  expect(await Promise.all([make(), make()])).toEqual([true, false]);
  expect(await make()).toBe(true);
  expect(made).toEqual([0, 1]);
});

test("what failed was not done, and may be tried again", async () => {
  const attempt = attempted();
  expect(await attempt(() => Promise.reject(new Error("the disk is full")))).toBe(false);
  expect(await attempt(() => undefined)).toBe(true);
});
