import { expect, test } from "vitest";
import { arrange } from "../src/charts/panels";
import { casesWithout, figuresOf, readPublished, referencesOf } from "../src/charts/references";
import { point, report, series } from "./report";

const CSV = "figure,series,size,winrate,commented_out\nf,500,4,85.10,0\nf,500,5,86.52,1\nf,uct,4,50,0\nf,7,4,1,0\ng,500,4,2,0\n";
const POINTS = readPublished(CSV);

test("a series belongs to the label it equals or whose value it is", () => {
  expect(referencesOf(POINTS, "f", ["rave_k=50", "rave_k=500", "uct"])).toEqual([
    { label: "rave_k=500", size: 4, rate: 0.851 },
    { label: "uct", size: 4, rate: 0.5 },
  ]);
});

test("a figure or column that is not there is an error that names what is", () => {
  expect(() => referencesOf(POINTS, "h", [])).toThrow("it has f, g");
  expect(() => readPublished("a,b\n1,2\n")).toThrow("no column figure, series, size, winrate");
});

test("the figures of a file are listed in its order", () => {
  expect(figuresOf(POINTS)).toEqual(["f", "g"]);
  expect(() => readPublished("")).toThrow("no column");
});

test("fields in quotes stay whole, and move no column", () => {
  const file = '\ufeffWinrate,note,figure,series,size\r\n"61.5 %","of ""a"", b\nand c",f,"x, y",4\r\n';
  expect(readPublished(file)).toEqual([{ figure: "f", series: "x, y", size: 4, rate: 0.615 }]);
});

test("what is no point is an error that names the row and the column", () => {
  const read = (row: string) => () => readPublished(`figure,series,size,winrate,commented_out\nf,a,4,50,0\n${row}\n`);
  expect(read("f,a,5,,0")).toThrow('row 3, column winrate: a percentage from 0 to 100 is wanted, not ""');
  expect(read("f,a,5,n/a,0")).toThrow('row 3, column winrate: a percentage from 0 to 100 is wanted, not "n/a"');
  expect(read("f,a,5,150,0")).toThrow("row 3, column winrate");
  expect(read("f,a,large,50,0")).toThrow("row 3, column size");
  expect(read("f,,5,50,0")).toThrow("row 3, column series");
  expect(read("f,a")).toThrow("row 3, column size");
  expect(read('f,"a,5,50,0')).toThrow("row 3, field 2: a quotation mark has no partner");
  expect(read("f,a,,,1")()).toHaveLength(1);
});

test("cases whose labels repeat are hidden by the keys of their picture", () => {
  const cell = [point(4, 80, 200, 7)];
  const own = report([series("k=1", cell), series("k=2", cell, { name: "mix k=2 (fpu=1)", group: "mix" }), series("k=2", cell, { name: "mix k=2 (fpu=2)", group: "mix" })]);
  const hidden = casesWithout([{ label: "k=1", size: 4, rate: 0.5 }], own);
  expect(hidden).toEqual(["mix/mix k=2 (fpu=1)", "mix/mix k=2 (fpu=2)"]);
  expect(arrange(own).cases.map(({ key }) => key)).toEqual(expect.arrayContaining(hidden));
});
