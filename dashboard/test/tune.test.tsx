import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { ExperimentSummary, Overview, PastRecommendation, PlayedPoint, Recommended, StudyStatus, TunedParameter, TuneShares, TuneStatus, TuneSurface } from "../src/api";
import { axesOf, gamesAxis, rateAxis, type Axis } from "../src/charts/axis";
import type { Picture } from "../src/charts/picture";
import { alikeWords, courseMarks, courseOf, coursePicture, expectedPicture } from "../src/charts/study/course";
import { pointsPicture, pointWords } from "../src/charts/study/points";
import { responsePicture } from "../src/charts/study/response";
import { surfacePicture } from "../src/charts/study/surface";
import { weightPicture } from "../src/charts/study/weight";
import { FrameContext } from "../src/frame";
import { readStudyView, StudyShown, writeStudyView } from "../src/pages/study";
import { chosenWords, pairOf } from "../src/parts/study-pictures";
import { studyOfProgram, studyOfTune } from "../src/study";
import { onPage, onPaper } from "./drawn";

const K: TunedParameter = { name: "rave_k", kind: "real", low: 10, high: 1000, scale: "log", start: 100 };
const ROLLOUTS: TunedParameter = { name: "rollouts", kind: "whole", low: 1, high: 4, scale: "linear", start: 1 };
const KEEP: TunedParameter = { name: "keep_tree", kind: "flag", start: false };
const AXES = axesOf([K, ROLLOUTS, KEEP]);
const [kAxis, rolloutsAxis, keepAxis] = AXES as [(typeof AXES)[0], (typeof AXES)[0], (typeof AXES)[0]];

const rate = (value: number, reach: number) => ({ rate: value, low: value - reach, high: value + reach });

const RECOMMENDED: Recommended = {
  label: "keep_tree=true rave_k=100 rollouts=2",
  params: {},
  is_final: false,
  measured: [],
  words: "This is the recommendation so far.",
  size: null,
  point: { rave_k: 100, rollouts: 2, keep_tree: true },
  parameters: [
    { name: "rave_k", values: [50, 200] },
    { name: "rollouts", values: [1, 3] },
    { name: "keep_tree", values: [true] },
  ],
  predicted: [{ size: 4, ...rate(0.6, 0.1) }],
  overall: rate(0.6, 0.1),
  verdict: "nothing_better",
  responses: [],
};

const past = (games: number, k: number): PastRecommendation => ({
  trials: games / 2,
  games,
  point: { rave_k: k, rollouts: 1, keep_tree: false },
  parameters: [{ name: "rave_k", values: [k / 3, Math.min(1000, 3 * k)] }],
  rate: rate(0.5, 0.2),
});

const STATUS = { games_played: 100, imported: 0, results_seen: 50, course: [past(20, 400), past(50, 200), past(100, 120)], given_up: 0, tune: {}, sizes: [], recommendations: [] } as unknown as TuneStatus;

const isCommitted = (picture: Picture, file: string) => expect(onPage(picture)).toMatchFileSnapshot(`data/${file}`);

test("the course of a number is a line with its band, and ends at what is recommended now: the committed picture", async () => {
  const course = courseOf(studyOfTune(STATUS), RECOMMENDED);
  expect(course.map(({ games }) => games)).toEqual([20, 50, 100]);
  expect(course.at(-1)!.point).toEqual(RECOMMENDED.point);
  await isCommitted(coursePicture(course, kAxis), "tune-course.svg");
});

test("a response is a line with its band, 50 % and the recommended value: the committed picture", async () => {
  const values = [10, 31.6, 100, 316, 1000];
  const response = { name: "rave_k", rates: values.map((value, i) => [value, rate(0.6 - 0.03 * (i - 2) ** 2, 0.02 + 0.02 * Math.abs(i - 2))] as [number, ReturnType<typeof rate>]) };
  await isCommitted(responsePicture(response, kAxis, RECOMMENDED), "tune-response.svg");
});

test("the response of a flag has marks apart, without a line", () => {
  const picture = responsePicture({ name: "keep_tree", rates: [[false, rate(0.4, 0.1)], [true, rate(0.6, 0.1)]] }, keepAxis, RECOMMENDED);
  const text = onPage(picture);
  expect(text).not.toContain("stroke-linejoin");
  expect(text).toContain("keep_tree=true: 60.0\u00a0%, interval 50.0–70.0 %");
});

test("what the model expected is told for looks that had games against the baseline", () => {
  const { rate: _, ...unknown } = past(10, 500);
  expect(onPage(expectedPicture([unknown, past(20, 400)])!).match(/aria-label="[^"]*"/g)).toEqual(['aria-label="After 20 games: the model expected 50.0\u00a0%"']);
  expect(expectedPicture([unknown])).toBeUndefined();
});

test("two parameters are fields with a ring at what is recommended: the committed picture", async () => {
  const [xs, ys] = [[10, 31.6, 100, 316, 1000], [1, 2, 3, 4]];
  const surface: TuneSurface = { x: "rave_k", y: "rollouts", xs, ys, at: [100, 2], rates: ys.map((_, j) => xs.map((_, i) => rate(0.62 - 0.04 * (i - 2) ** 2 - 0.03 * (j - 1) ** 2, 0.1))) };
  await isCommitted(surfacePicture(surface, kAxis, rolloutsAxis), "tune-surface.svg");
});

test("points are lines across all parameters that end at their scores: the committed picture", async () => {
  const point = (number: number, k: number, rollouts: number, keep: boolean, wins: number): PlayedPoint => ({
    cell: `00000000-0000-8000-8000-00000000000${number}`,
    number,
    point: { rave_k: k, rollouts, keep_tree: keep },
    size: 4,
    outcome: { wins, draws: 0, losses: 2 - wins },
    rate: wins / 2,
  });
  const points = [point(0, 100, 1, false, 1), point(1, 20, 4, false, 0), point(2, 300, 2, true, 2)];
  const picture = pointsPicture(points, AXES, RECOMMENDED.point);
  await isCommitted(picture, "tune-points.svg");
  expect(onPage(picture).split('href="/cells/')).toHaveLength(4);
  expect(onPaper(picture)).not.toContain("href");
});

test("a parameter that a point does not use has no value", () => {
  const final: TunedParameter = { name: "final_move", kind: "word", values: ["visits", "value"], start: "visits" };
  const own: TunedParameter = { name: "final_rave_k", kind: "whole", low: 0, high: 500, scale: "linear", start: 0, only_if: { parameter: "final_move", values: ["value"] } };
  const axes = axesOf([final, own]);
  const point = (final_move: string, final_rave_k: number) => ({ final_move, final_rave_k });
  expect(axes.map(({ isUsed }) => isUsed(point("visits", 0)))).toEqual([true, false]);
  const played = { cell: "", number: 0, point: point("visits", 0), opponent: point("value", 200), size: 4, outcome: { wins: 1, draws: 0, losses: 1 }, rate: 0.5 } as PlayedPoint;
  expect(pointWords(played, axes)).toBe("final_move=visits against final_move=value, final_rave_k=200, size 4: 50.0\u00a0% of 2 games");
  const course = [{ ...past(20, 100), point: point("value", 200) }, { ...past(40, 100), point: point("visits", 0) }];
  expect(courseMarks(course, axes[1]!).map(({ words }) => words)).toEqual(["After 20 games: final_rave_k=200"]);
  expect(onPage(pointsPicture([played], axes, point("value", 200))).match(/>unused</g)).toHaveLength(1);
});

test("the weight along a parameter is bars: the committed picture", async () => {
  const shares: TuneShares = { name: "rollouts", parts: [1, 2, 3, 4].map((value, i) => ({ from: value, to: value, share: [0.2, 0.5, 0.3, 0][i]! })) };
  await isCommitted(weightPicture(shares, rolloutsAxis, rolloutsAxis.place(2)), "tune-weight.svg");
});

test("axes have round marks, by the parameter's scale", () => {
  const texts = (of: Pick<Axis, "ticks">) => of.ticks(5).map(({ text }) => text);
  expect(texts(kAxis)).toEqual(["10", "20", "50", "100", "200", "500", "1k"]);
  expect(kAxis.place(100)).toBeCloseTo(0.5);
  expect(texts(rolloutsAxis)).toEqual(["1", "2", "3", "4"]);
  expect(texts(keepAxis)).toEqual(["false", "true"]);
  expect(keepAxis.place(true)).toBe(0.75);
  expect(texts(rateAxis([0.42, 0.71]))).toEqual(["40", "45", "50", "55", "60", "65", "70", "75"]);
  expect(texts(gamesAxis(0))).toEqual(["0", "1"]);
});

test("values that are alike are a range of numbers or a list", () => {
  expect([alikeWords([50, 200]), alikeWords([false, true]), alikeWords(["a"]), alikeWords([])]).toEqual(["50 to 200", "false, true", "a", ""]);
});

test("what is shown is in the address", () => {
  const view = { x: "rave_k", y: "c p", size: 6 };
  expect(readStudyView(new URL(writeStudyView("tune", "abc", view), "http://host"))).toEqual(view);
  expect(writeStudyView("tune", "abc", {})).toBe("/experiments/abc/tune");
  expect(writeStudyView("study", "abc", { size: 6 })).toBe("/studies/abc?size=6");
  expect(readStudyView(new URL("http://host/experiments/abc/tune?size=six"))).toEqual({});
});

test("two parameters of the address are shown, or the first ones", () => {
  const names = ["a", "b", "c"];
  expect([pairOf(names, {}), pairOf(names, { x: "c" }), pairOf(names, { y: "a" }), pairOf(names, { x: "b", y: "b" }), pairOf(names, { x: "z", y: "c" })]).toEqual([
    ["a", "b"],
    ["c", "a"],
    ["b", "a"],
    ["b", "a"],
    ["a", "c"],
  ]);
  expect(pairOf(["a"], {})).toBeUndefined();
});

test("a tune is headed by its question, and by fixed words without one", () => {
  const status = { ...STATUS, experiment: "e", name: "t", state: "active", sizes: [], recommendations: [], concentrations: [], tune: { games: 200, parameters: [] } } as unknown as TuneStatus;
  const headed = (question: string) => {
    const overview = { experiments: [{ id: "e", question } as ExperimentSummary] } as Overview;
    const page = (
      <FrameContext.Provider value={{ overview, at: 0, trouble: undefined, session: undefined }}>
        <StudyShown study={studyOfTune(status)} view={{}} go={() => undefined} />
      </FrameContext.Provider>
    );
    return /<h1>(.*?)<\/h1>/s.exec(renderToString(page))?.[1];
  };
  expect(headed("Best RAVE setting?")).toBe("Best RAVE setting?");
  expect(headed("")).toBe("Which setting is best?");
});

test("why a curve may be higher beside what is recommended follows from the strategy", () => {
  expect(chosenWords("clop")).toContain("by their weight");
  expect(chosenWords("halving")).toBe("The recommendation is what the strategy chooses by a rule of its own, so a curve may be higher beside it.");
});

test("a study shows its progress, its setting in words and what was given up", () => {
  const status = {
    id: "s",
    name: "chess",
    who: "ada",
    created_ms: 0,
    archived: false,
    parameters: [{ name: "rave_k", kind: "real", low: 10, high: 1000, scale: "log", start: 100 }],
    strategy: "clop",
    games: 400,
    sizes: [],
    asked: 52,
    told: 48,
    failed: 1,
    given_up: 7,
    games_told: 96,
    games_left: 298,
    recommendations: [RECOMMENDED],
    words: ["Nothing better than the baseline was found."],
    results_seen: 48,
    course: [],
    course_is_complete: true,
    concentrations: [{ size: null, points: 0, effective_points: 0, shares: [] }],
  } as unknown as StudyStatus;
  const text = renderToString(
    <FrameContext.Provider value={{ overview: undefined, at: 0, trouble: undefined, session: undefined }}>
      <StudyShown study={studyOfProgram(status)} view={{}} go={() => undefined} />
    </FrameContext.Provider>,
  ).replaceAll(/<[^>]*>/g, " ");
  for (const words of ["96 of 400 games told", "298 left", "3 points without a result", "7 points given up", "Nothing better than the baseline was found. The model expects"]) expect(text.replaceAll(/\s+/g, " ")).toContain(words);
});
