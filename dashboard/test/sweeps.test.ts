import { expect, test } from "vitest";
import { figureSvg } from "../src/charts/figure-svg";
import { fieldsOf, heatMapsOf } from "../src/charts/kinds/heat";
import { arrange } from "../src/charts/panels";
import { chartsOf } from "../src/charts/pictures";
import { layoutResponse } from "../src/charts/response-layout";
import { responsesOf } from "../src/charts/responses";
import { place, sweepsOf } from "../src/charts/sweeps";
import { RATE } from "../src/charts/unit";
import { point, report, series, SWEEP } from "./report";

const one = report(
  [1000, 10, 100].map((rave_k, i) => series(`rave_k=${rave_k}`, [point(4, 100 + 10 * i, 200, 5), point(6, 120, 200, 5)], { swept: { rave_k }, logarithmic: ["rave_k"] })),
  [4, 6],
);
const two = report(
  [0, 0.5].flatMap((fpu) =>
    [10, 20, 30].map((rave_k) => series(`${fpu} ${rave_k}`, [point(4, 2 * rave_k, 200, 5)], { swept: { fpu, rave_k } })),
  ),
  [4],
);
const sweepOf = (of: typeof one) => sweepsOf(arrange(of).panels[0]!.lines)[0]!;

test("values stand as numbers, as logarithms where the coordinator says so, and evenly where neither is possible", () => {
  const { values, scale } = sweepOf(one).parameters[0]!;
  expect(values).toEqual([10, 100, 1000]);
  expect(scale).toBe("log");
  expect(place({ name: "", values, scale }, 100)).toBeCloseTo(0.5, 12);
  expect(place({ name: "", values, scale: "linear" }, 100)).toBeCloseTo(1 / 11, 12);
  const scaleOf = (all: (number | string | boolean)[], logarithmic: string[]) =>
    sweepOf(report(all.map((rave_k) => series(String(rave_k), [point(4, 1, 2, 5)], { swept: { rave_k }, logarithmic })), [4])).parameters[0]!.scale;
  expect(scaleOf([1, 2, 1900], [])).toBe("linear");
  expect(scaleOf([0, 1, 1000], ["rave_k"])).toBe("even");
  expect(scaleOf([1, "off"], [])).toBe("even");
});

test("a sweep of one parameter has a curve for each size, with the points in the order of the values", () => {
  const responses = responsesOf(sweepOf(one), [4, 6]);
  expect(responses).toHaveLength(1);
  const layout = layoutResponse(responses[0]!, { unit: RATE, width: 800, height: 400, domain: [0, 1], hasEndLabels: true });
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

test("the reader chooses the parameters of the axes", () => {
  const [response] = responsesOf(sweepOf(two), [4], "fpu");
  expect([response!.parameter.name, response!.curves.length]).toEqual(["fpu", 3]);
  const axes = (wanted: (string | undefined)[]) => heatMapsOf(sweepOf(two), [4], wanted).map(({ across, upwards }) => [across.name, upwards.name])[0];
  expect(axes([undefined, undefined])).toEqual(["rave_k", "fpu"]);
  expect(axes(["fpu", undefined])).toEqual(["fpu", "rave_k"]);
  expect(axes([undefined, "rave_k"])).toEqual(["fpu", "rave_k"]);
  expect(axes(["gone", "gone"])).toEqual(["rave_k", "fpu"]);
});

test("curves beyond the eighth are said to be left out", () => {
  const wide = report(
    Array.from({ length: 10 }, (_, fpu) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((rave_k) => series(`${fpu} ${rave_k}`, [point(4, 100, 200, 5)], { swept: { fpu, rave_k } }))).flat(),
    [4],
  );
  const [response] = responsesOf(sweepOf(wide), [4]);
  expect(response!.curves).toHaveLength(8);
  expect(response!.cut).toMatch(/^The first 8 of 10 curves are drawn/);
});

/** The points of a tune: every case has values of its own. */
const tune = (cases: number) =>
  report(
    Array.from({ length: cases }, (_, i) => series(`point ${i}`, [point(4, i % 20, 20, 5)], { swept: { rave_k: i + 0.25, fpu: ((i * 7919) % cases) / cases, c: i / 7 } })),
    [4],
  );

test("a tune with thousands of points has one mark for each of its most played cases", () => {
  const many = tune(5_000);
  const sweep = sweepOf(many);
  const [map, ...more] = heatMapsOf(sweep, [4]);
  const [response] = responsesOf(sweep, [4]);
  layoutResponse(response!, { unit: RATE, width: 800, height: 400, domain: [0, 1], hasEndLabels: false });
  expect(more).toEqual([]);
  expect([map!.scattered, map!.fields.length, response!.scattered, response!.curves.length]).toEqual([true, 1_000, true, 500]);
  expect(fieldsOf(map!, RATE).height).toBeLessThan(600);
  expect(map!.cut.join(" ")).toMatch(/1000 cases with most games of 5000/);
  expect(response!.cut).toMatch(/500 cases with most games of 5000/);
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
  await expect(figureSvg(two, { view: { chart: "heat", unit: "elo" } })).toMatchFileSnapshot("data/heat-elo.svg");
  await expect(figureSvg(tune(30), { view: { chart: "heat" } })).toMatchFileSnapshot("data/heat-tune.svg");
  await expect(figureSvg(tune(30), { view: { chart: "response" } })).toMatchFileSnapshot("data/response-tune.svg");
});
