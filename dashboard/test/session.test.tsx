import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Header } from "../src/parts/header";

const frame = { overview: undefined, at: 0, trouble: undefined, session: { name: null, scopes: "" } };

test("a page that asks for a token has the only form for it", () => {
  const forms = (locked: boolean, page: "home" | "access") => render(<Header frame={frame} locked={locked} page={page} />).match(/<form/g)?.length ?? 0;
  expect([forms(false, "home"), forms(false, "access"), forms(true, "home")]).toEqual([1, 0, 0]);
});
