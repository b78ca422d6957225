import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Here } from "../src/frame";
import { Now } from "../src/live";
import { Ago } from "../src/parts/elements";
import { Fold, useMore } from "../src/parts/fold";

function List() {
  const [shown, more] = useMore(9, 3, "cases", "cases");
  return (
    <>
      {shown} {more}
    </>
  );
}

test("lists and folds ask for the address alone: neither the clock nor a beat makes them anew", () => {
  const page = render(
    <Here.Provider value={new URL("http://localhost/?open=numbers")}>
      <Fold name="numbers" summary="The numbers">
        <List />
      </Fold>
    </Here.Provider>,
  );
  expect(page).toContain("<details open");
  expect(page).toContain("All 9 cases");
});

test("an age is that of the clock, and no event is in the future", () => {
  const at = (now: number) =>
    render(
      <Now.Provider value={now}>
        <Ago since={60_000} />
      </Now.Provider>,
    );
  expect([at(0), at(90_000), at(180_000)]).toEqual(["just now", "30\u00a0s ago", "2\u00a0min ago"]);
});
