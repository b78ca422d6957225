import { expect, test } from "vitest";
import { tokenOf } from "../src/parts/session";

test("only a link that was made to sign in has a token", () => {
  expect(tokenOf("#token=0f1e2d")).toBe("0f1e2d");
  for (const hash of ["", "#", "#token=", "#?size=4", "#main"]) expect(tokenOf(hash)).toBeUndefined();
});
