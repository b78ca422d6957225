import { expect, test } from "vitest";
import { pathOf, PATHS, readRoute, rootOf, type PageName } from "../src/routes";

test("every page is found at its own address, whatever its id is", () => {
  for (const page of Object.keys(PATHS) as PageName[]) {
    for (const id of PATHS[page].includes("{id}") ? ["0b-0c", "a/b ?#", "<script>", "$&", "é 🎲", "{id}"] : [""]) {
      expect(readRoute(pathOf(page, id))).toEqual({ page, id });
    }
  }
});

test("pages are below whatever prefix a proxy strips", () => {
  const root = rootOf("https://host/tune/assets/index-1a2b.js");
  expect(root).toBe("/tune/");
  expect(rootOf("http://127.0.0.1:8437/assets/index-1a2b.js")).toBe("/");
  for (const page of Object.keys(PATHS) as PageName[]) {
    const id = PATHS[page].includes("{id}") ? "0b-0c" : "";
    expect(pathOf(page, id, root)).toMatch(/^\/tune\//);
    expect(readRoute(pathOf(page, id, root), root)).toEqual({ page, id });
  }
  expect(readRoute("/games", root).page).toBe("unknown");
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
