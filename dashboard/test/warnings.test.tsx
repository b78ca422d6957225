import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Warnings } from "../src/pages/experiment";
import { report } from "./report";

test("what speaks against the results stands above them, and nothing stands there when nothing does", () => {
  const doubted = { ...report([]), warnings: ["2 games of machine ada, which is in quarantine, still count"] };
  expect(render(<Warnings report={doubted} />)).toContain("<p>2 games of machine ada, which is in quarantine, still count.</p>");
  expect(render(<Warnings report={report([])} />)).toBe("");
});
