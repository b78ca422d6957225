import { expect, test } from "vitest";
import { figureSvg } from "../src/charts/figure-svg";
import { heatMapsOf } from "../src/charts/heat";
import { arrange } from "../src/charts/panels";
import { chartsOf } from "../src/charts/pictures";
import { layoutResponse } from "../src/charts/response-layout";
import { responsesOf } from "../src/charts/responses";
import { RATE } from "../src/charts/unit";
import { place, sweepsOf } from "../src/charts/sweeps";
import { point, report, series, SWEEP } from "./report";

const one = report(
  [1000, 10, 100].map((rave_k, i) => series(`rave_k=${rave_k}`, [point(4, 100 + 10 * i, 200, 5), point(6, 120, 200, 5)], { swept: { rave_k } })),
  [4, 6],
);
const two = report(
  [0, 0.5].flatMap((fpu) =>
    [10, 20, 30].map((rave_k) => series(`${fpu} ${rave_k}`, [point(4, 2 * rave_k, 200, 5)], { swept: { fpu, rave_k } })),
  ),
  [4],
);
const sweepOf = (of: typeof one) => sweepsOf(arrange(of).panels[0]!.lines)[0]!;

test("values stand as numbers, as logarithms where they span much, and evenly where neither is possible", () => {
  const { values, scale } = sweepOf(one).parameters[0]!;
  expect(values).toEqual([10, 100, 1000]);
  expect(scale).toBe("log");
  expect(place({ name: "", values, scale }, 100)).toBeCloseTo(0.5, 12);
  expect(place({ name: "", values, scale: "linear" }, 100)).toBeCloseTo(1 / 11, 12);
  const scaleOf = (all: (number | string | boolean)[]) =>
    sweepOf(report(all.map((rave_k) => series(String(rave_k), [point(4, 1, 2, 5)], { swept: { rave_k } })), [4])).parameters[0]!.scale;
  expect(scaleOf([1, 2, 19])).toBe("linear");
  expect(scaleOf([0, 1, 2])).toBe("linear");
  expect(scaleOf([0, 1, 1000])).toBe("even");
  expect(scaleOf([1, "off"])).toBe("even");
});

test("a sweep of one parameter has a curve for each size, with the points in the order of the values", () => {
  const responses = responsesOf(sweepOf(one), [4, 6]);
  expect(responses).toHaveLength(1);
  const layout = layoutResponse(responses[0]!, { unit: RATE, width: 800, height: 400, domain: [0, 1], endLabels: true });
  expect(layout.axis).toBe("rave_k (logarithmic)");
  expect(layout.columns.map(({ text }) => text)).toEqual(["10", "100", "1000"]);
  expect(layout.lines.map(({ case: { name } }) => name)).toEqual(["size 4", "size 6"]);
  expect(layout.lines[0]!.points.map(({ point: { wins } }) => wins)).toEqual([110, 120, 100]);
  expect(layout.lines[0]!.points[0]!.name).toBe("rave_k=10, board size 4");
});

test("a sweep of two has a curve for each value of the other, and a heat map", () => {
  const [response] = responsesOf(sweepOf(two), [4]);
  expect(response!.parameter.name).toBe("rave_k");
  expect(response!.curves.map(({ case: { name }, points }) => [name, points.length])).toEqual([
    ["fpu=0", 3],
    ["fpu=0.5", 3],
  ]);
  const [map] = heatMapsOf(sweepOf(two), [4]);
  expect([map!.across.name, map!.upwards.name, map!.fields.length]).toEqual(["rave_k", "fpu", 6]);
});

test("an experiment offers the pictures that it has", () => {
  const charts = (of: typeof one) => chartsOf(arrange(of).panels);
  expect(charts(SWEEP)).toEqual(["size", "cases"]);
  expect(charts(one)).toEqual(["size", "cases", "response"]);
  expect(charts(two)).toEqual(["size", "cases", "response", "heat"]);
});

test("the response and the heat map are the committed ones", async () => {
  await expect(figureSvg(one, { view: { chart: "response" } })).toMatchFileSnapshot("data/response.svg");
  await expect(figureSvg(two, { view: { chart: "heat" } })).toMatchFileSnapshot("data/heat.svg");
});
