import { expect, test } from "vitest";
import { picturesOf } from "../src/charts/pictures";
import { select } from "../src/charts/selection";
import { escapeLatex } from "../src/export/latex";
import { fileName } from "../src/export/save";
import { csv, json, latexTable, readCsv } from "../src/export/table";
import { DEFAULT_VIEW } from "../src/url";
import { point, report, series, SWEEP } from "./report";
import LATEX from "./data/latex.json";

const picture = (of: typeof SWEEP, chart: "size" | "cases" | "response" | "heat", unit: "rate" | "elo" = "rate") => picturesOf(select(of, { ...DEFAULT_VIEW, unit }), of.sizes, { chart })[0]!;
const GRID = report(
  [0, 1].flatMap((fpu) => [10, 100].map((rave_k) => series(`${fpu} ${rave_k}`, [point(4, rave_k, 200, 5)], { swept: { fpu, rave_k } }))),
  [4],
);

test("fields that could break a row are in quotes", () => {
  const table = { columns: ["a,b", 'say "x"'], rows: [["one\ntwo", null], [1.5, "plain"]] };
  expect(csv(table)).toBe('"a,b","say ""x"""\n"one\ntwo",\n1.5,plain\n');
  expect(JSON.parse(json(table))).toEqual([
    { "a,b": "one\ntwo", 'say "x"': null },
    { "a,b": 1.5, 'say "x"': "plain" },
  ]);
  expect(readCsv(csv(table))).toEqual([["a,b", 'say "x"'], ["one\ntwo", ""], ["1.5", "plain"]]);
});

test("a spreadsheet computes no text, and each text is read back", () => {
  const texts = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "'=1", "'s", "-0.5", "rave_k=5"];
  const file = csv({ columns: ["a"], rows: texts.map((text) => [text]) });
  expect(file.split("\n").slice(1, 6)).toEqual(["'=1+1", "'+cmd|' /C calc'!A0", "'-2+3", "'@SUM(A1)", "''=1"]);
  expect(readCsv(file).slice(1).flat()).toEqual(texts);
  expect(csv({ columns: ["a"], rows: [[-0.5], ["-0.5"]] })).toBe("a\n-0.5\n-0.5\n");
});

test("LaTeX prints names as they are", () => {
  for (const [text, printed] of LATEX) expect(escapeLatex(text!)).toBe(printed);
  expect(escapeLatex("rave_k=50% & $x^2$ {\\a} #1 <b>")).toBe("rave\\_k=50\\% \\& \\$x\\textasciicircum{}2\\$ \\{\\textbackslash{}a\\} \\#1 \\textless{}b\\textgreater{}");
  const text = latexTable({ columns: ["case", "rate"], rows: [["a_b", 0.512345]] }, "one\n\\end{document}");
  expect(text).toContain("    a\\_b & 0.5123 \\\\\n");
  expect(text).toContain("\\begin{tabular}{lr}");
  expect(text.match(/\\end\{document\}/g)).toHaveLength(1);
  expect(text).toMatch(/^% one \\end\{document\}\n/);
});

test("a picture's table has a row for each of its points, as the coordinator sent them", () => {
  const { columns, rows } = picture(SWEEP, "size").table();
  expect(rows).toHaveLength(8);
  expect(Object.fromEntries(columns.map((name, i) => [name, rows[0]![i]]))).toMatchObject({ case: "rave_k=50", size: 4, rate: 0.4, wins: 80, pairs: 100 });
  expect(picture(SWEEP, "cases").table().columns.slice(0, 3)).toEqual(["case", "shrunken", "size"]);
  expect(picture(GRID, "heat").table().rows).toHaveLength(4);
  const response = picture(GRID, "response").table();
  expect(response.columns.slice(0, 3)).toEqual(["case", "fpu", "size"]);
  expect(response.rows.map((row) => row[1])).toEqual(["0", "1", "0", "1"]);
});

test("a picture in LaTeX is pgfplots with both error bars and the line of equal players", () => {
  const rates = picture(SWEEP, "size").latex!("RAVE & UCT");
  expect(rates.match(/\\addplot/g)).toHaveLength(3);
  expect(rates).toContain("(0, 40.00) += (0, 7.00) -= (0, 7.00)");
  expect(rates).toContain("xticklabels={{4},{6},{8}}");
  expect(rates).toContain("extra y ticks={50.00}");
  expect(rates).toContain("\\caption{RAVE \\& UCT}");
  const open = rates.match(/\\begin\{(\w+)\}/g)!.map((word) => word.slice(7, -1));
  const closed = rates.match(/\\end\{(\w+)\}/g)!.map((word) => word.slice(5, -1));
  expect(closed.reverse()).toEqual(open);
  expect(picture(SWEEP, "cases").latex!("")).toContain("yticklabels={{rave\\_k=50}");
  expect(picture(GRID, "heat").latex!("")).toContain("\\begin{tabular}{rrrrrr}");
  // Nothing infinite gets onto an axis.
  expect(picture(SWEEP, "size", "elo").latex!("")).not.toMatch(/Infinity|NaN/);
});

test("LaTeX says how many points are infinite, and draws bars without an end to the edge", () => {
  const open = { ...point(4, 150, 200, 6), elo: 200, elo_low: 100 };
  const text = picture(report([series("a", [open, point(6, 200, 200, 0)])], [4, 6]), "size", "elo").latex!("Elo.");
  expect(text).toContain("(0, 200.0) += (0, 400.0) -= (0, 100.0)");
  expect(text.match(/\+=/g)).toHaveLength(1);
  expect(text).toContain("\\caption{Elo. 1 point is infinite and left out.}");
  expect(picture(SWEEP, "cases").latex!("Rates.")).toContain("\\caption{Rates.}");
});

test("LaTeX shows points of few pairs pale, and no line joins them", () => {
  const text = picture(report([series("a", [point(4, 2, 4, 20), point(6, 100, 200, 7)])], [4, 6]), "size").latex!("");
  expect(text).toMatch(/only marks, opacity=0.3, forget plot, mark=\*[^\n]*\n *\(0, 50.00\)[^\n]*\n *\};\n/);
  expect(text).toMatch(/addplot\+\[mark=\*[^\n]*\n *\(1, 50.00\)[^\n]*\n *\};\n/);
});

test("files have names that every system takes", () => {
  expect(fileName("../a b/<c>, size 4", "csv")).toBe("a-b-c-size-4.csv");
  expect(fileName("🎲", "svg")).toBe("gauntlet.svg");
  expect(fileName("x".repeat(10_000), "svg").length).toBeLessThan(100);
});

// The thorough tests of the command line give this file to LaTeX, where LaTeX is installed.
test("LaTeX of every picture, with every name, is the file that LaTeX takes", async () => {
  const texts = LATEX.map(([text]) => text!);
  const names = Array.from({ length: 6 }, (_, i) => texts.filter((_, at) => at % 6 === i).join(" "));
  const cases = names.map((name, i) => series(name, [point(4, 40 + i, 200, 5), point(6, 60 + i, 200, 5)]));
  const pictures = (["size", "cases"] as const).map((chart) => picture(report(cases, [4, 6]), chart));
  const all = [...pictures, picture(GRID, "response"), picture(GRID, "heat")].map((one) => one.latex!(texts.join(" ")));
  await expect(all.join("\\clearpage\n")).toMatchFileSnapshot("data/pictures.tex");
});
