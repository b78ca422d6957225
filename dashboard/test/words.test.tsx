import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { captionOf } from "../src/charts/selection";
import { plain } from "../src/format";
import { Words } from "../src/parts/elements";
import { ProgressWords, Stalled } from "../src/parts/experiments";
import { report } from "./report";

test("what stands between backticks is code, and nothing else is", () => {
  expect(render(<Words of="Is `tuned` better than `rave`?" />)).toBe("Is <code>tuned</code> better than <code>rave</code>?");
  expect(render(<Words of="one ` alone and <b>" />)).toBe("one ` alone and &lt;b>");
  expect(plain("Is `tuned` better than `rave`?")).toBe("Is tuned better than rave?");
});

test("why nothing is played has its command as code", () => {
  const { summary } = report([]);
  const stalled = { ...summary, state: "active" as const, stalled: "it was started by `gauntlet run`" };
  expect(render(<Stalled summary={stalled} />)).toContain("started by <code>gauntlet run</code>");
});

test("a sign of per cent is never alone on a line", () => {
  expect(render(<Words of="nothing speaks against 50 %" />)).toBe("nothing speaks against 50\u00a0%");
  expect(render(<Words of="a name %s stays" />)).toBe("a name %s stays");
  const { summary } = report([]);
  expect(render(<ProgressWords summary={summary} />)).not.toMatch(/\d %/);
});

test("a caption has no backticks", () => {
  const asked = report([]);
  asked.summary.question = "Does `rave` win?";
  expect(captionOf(asked, "against uct")).toMatch(/^Does rave win\? Against uct\. Each dark bar is the 95\u00a0% interval/);
});
