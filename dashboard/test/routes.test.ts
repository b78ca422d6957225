import { expect, test } from "vitest";
import { PATHS, pathOf, readRoute } from "../src/routes";
import type { PageName } from "../src/routes";

test("every page is found at its own address, whatever its id is", () => {
  for (const page of Object.keys(PATHS) as PageName[]) {
    for (const id of PATHS[page].includes("{id}") ? ["0b-0c", "a/b ?#", "<script>", "$&", "é 🎲", "{id}"] : [""]) {
      expect(readRoute(pathOf(page, id))).toEqual({ page, id });
    }
  }
});

test("a slash at the end changes nothing", () => {
  expect(readRoute("/games/")).toEqual({ page: "games", id: "" });
  expect(readRoute("/games/7/")).toEqual({ page: "game", id: "7" });
});

test("other addresses are no pages", () => {
  for (const path of ["/experiments", "/experiments/", "/games/1/2", "/controls", "/api"]) expect(readRoute(path).page).toBe("unknown");
});

test("what cannot be decoded is taken as it is", () => {
  expect(readRoute("/games/%E0%A4%A")).toEqual({ page: "game", id: "%E0%A4%A" });
});
