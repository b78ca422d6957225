import { expect, test } from "vitest";
import { figuresOf, readReferences } from "../src/charts/references";

const CSV = "figure,series,size,winrate,commented_out\nf,500,4,85.10,0\nf,500,5,86.52,1\nf,uct,4,50,0\nf,7,4,1,0\ng,500,4,2,0\n";

test("a series belongs to the label it equals or whose value it is", () => {
  expect(readReferences(CSV, "f", ["rave_k=50", "rave_k=500", "uct"])).toEqual([
    { label: "rave_k=500", size: 4, rate: 0.851 },
    { label: "uct", size: 4, rate: 0.5 },
  ]);
});

test("a figure or column that is not there is an error that names what is", () => {
  expect(() => readReferences(CSV, "h", [])).toThrow("it has f, g");
  expect(() => readReferences("a,b\n1,2\n", "f", [])).toThrow("no column figure, series, size, winrate");
});

test("the figures of a file are listed in its order", () => {
  expect(figuresOf(CSV)).toEqual(["f", "g"]);
  expect(() => figuresOf("")).toThrow("no column");
});
