import { expect, test } from "vitest";
import { changed } from "../src/changes";
import { point, report, series } from "./report";

test("a report with changes has the new points in their places, and keeps the lines that stand still", () => {
  const cells = (size: number, name: string, wins: number) => ({ ...point(size, wins, 100, 5), cell: `${name}${size}` });
  const known = report([series("a", [cells(3, "a", 40), cells(4, "a", 41)]), series("b", [cells(3, "b", 50)])], [3, 4]);
  const news = { ...report([series("a", [cells(4, "a", 60)])], [3, 4]), edition: "x-2", since: "x-1" };
  const now = changed(known, news);
  expect(now.series.map(({ label }) => label)).toEqual(["a", "b"]);
  expect(now.series[0]!.points).toEqual([known.series[0]!.points[0], news.series[0]!.points[0]]);
  expect(now.series[1]).toBe(known.series[1]);
  expect(now.edition).toBe("x-2");
});
