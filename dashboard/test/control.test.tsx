import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Control } from "../src/parts/header";

const control = { words: "players score 50.2 % in 700 pairs against themselves", cells: 7, pairs: 700, rate: 0.502, log_e_value: -2 };

test("a green control is short, and its words are in the title", () => {
  const shown = render(<Control control={{ ...control, light: "green" }} />);
  expect(shown).toContain("Control green");
  expect(shown).toContain('title="players score 50.2 %');
  expect(shown).not.toContain("<span>");
});

test("any other control says what is wrong", () => {
  for (const light of ["amber", "red"] as const) {
    const shown = render(<Control control={{ ...control, light }} />);
    expect(shown).toContain(`Control ${light}`);
    expect(shown).toContain("<span>: players score");
  }
});

test("a control with too few games is grey, and short", () => {
  const shown = render(<Control control={{ ...control, light: "grey" }} />);
  expect(shown).toContain('data-light="grey"');
  expect(shown).toContain("Control grey");
  expect(shown).not.toContain("<span>");
});
