import { expect, test } from "vitest";
import { operand, option, quoted } from "../src/shell";

test("words are quoted where a shell would read them otherwise", () => {
  for (const plain of ["my-sweep", "http://host:8437", "K7F3-9QXM-2TBD@https://host#sha256=0f"]) {
    expect(quoted(plain)).toBe(plain);
  }
  for (const strange of ["", "a b", "[::1]:1", "$HOME", "~", "=ls", "#1", "größe", "a;b", "a\nb"]) {
    expect(quoted(strange)).toBe(`'${strange}'`);
  }
  expect(quoted("it's")).toBe("'it'\\''s'");
});

test("a name that begins with a hyphen is no option", () => {
  expect([operand("sweep"), operand("-my sweep")]).toEqual(["sweep", "-- '-my sweep'"]);
  expect([option("--name", "x y"), option("--name", "-x")]).toEqual(["--name 'x y'", "--name=-x"]);
});
