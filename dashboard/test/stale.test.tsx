import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { FrameContext } from "../src/frame";
import { UNANSWERED } from "../src/live";
import { Loaded, WaitingPage } from "../src/parts/loaded";

const shown = (data: string | undefined, trouble: string | undefined, all?: string) =>
  render(
    <FrameContext.Provider value={{ overview: undefined, at: 0, trouble: all, session: undefined }}>
      <Loaded of={{ data, trouble, unknown: false, at: 1_700_000_000_000 }} what="report">
        {(own) => <p>{own}</p>}
      </Loaded>
    </FrameContext.Provider>,
  );

test("old numbers stay, under a word that says since when and why", () => {
  expect(shown("numbers", undefined)).toBe("<p>numbers</p>");
  const stale = shown("numbers", "the disk is full");
  expect(stale).toContain("<p>numbers</p>");
  expect(stale).toMatch(/The report was not fetched again since .*: the disk is full\./);
});

test("while nothing is fetched the header says so, once", () => {
  expect(shown("numbers", UNANSWERED, UNANSWERED)).toBe("<p>numbers</p>");
});

test("a coordinator that refuses is there, and its own words are shown", () => {
  expect(shown(undefined, "006f is the beginning of two ids")).toContain("006f is the beginning of two ids");
  expect(render(<WaitingPage trouble="006f is the beginning of two ids" />)).not.toContain("gauntlet serve");
  expect(render(<WaitingPage trouble={UNANSWERED} />)).toContain("gauntlet serve");
});
