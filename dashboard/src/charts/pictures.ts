/** The pictures of a view: by board size, budget, baseline or parameter, or as a grid. */

import type { Series } from "../api";
import { count } from "../format";
import type { Chart, View } from "../url";
import { heatMapsOf } from "./heat";
import type { HeatMap } from "./heat";
import { fitsOf, isPooled } from "./fits";
import { forestsOf } from "./forest";
import type { Forest } from "./forest";
import { budgetsOf, panelTitle } from "./panels";
import type { Case, Line, Panel } from "./panels";
import { parallelsOf } from "./parallel";
import type { Parallel } from "./parallel";
import { layoutResponse } from "./response-layout";
import { responsesOf } from "./responses";
import type { Selection, ShownPanel } from "./selection";
import type { Analysed } from "./standing";
import { sweepsOf } from "./sweeps";
import type { Parameter } from "./sweeps";
import { bySize, layoutColumns } from "./winrate-layout";
import type { Columns, Frame, Reference, Row, WinRateLayout } from "./winrate-layout";

/** Lines by board size, whose names are in the legend of the page, or curves with names of their own. */
interface Lines {
  lines: number;
  layout: (frame: Frame) => WinRateLayout;
}

export interface Picture {
  key: string;
  /** The panel that the picture belongs to. */
  panel: string;
  /** What tells the picture from others; empty if it is the only one. */
  title: string;
  /** The same with everything that the picture has in common with others. */
  words: string;
  /** What is known of the picture besides its marks, such as optima. */
  notes?: readonly string[];
  /** Lines with points, a grid, cases below each other, or lines across axes of parameters. */
  shows: Lines | (Lines & { curves: readonly Case[] }) | { heat: HeatMap } | { forest: Forest } | { parallel: Parallel };
}

/** How many cases or curves a picture shows. */
export function casesOf({ shows }: Picture): number {
  if ("lines" in shows) return shows.lines;
  if ("forest" in shows) return shows.forest.rows.length;
  return "heat" in shows ? shows.heat.fields.length : shows.parallel.lines.length;
}

/** What of a view decides which pictures it has. */
type Axes = { chart: Chart } & Pick<View, "across" | "upwards">;

/** What is drawn beside the cases, and what is known of them. */
interface Beside {
  references?: readonly Reference[] | undefined;
  analysed?: Analysed | undefined;
  /** The cases as earlier versions of the engine played them. */
  earlier?: readonly Series[] | undefined;
}

/** The kinds of pictures that an experiment has. */
export function chartsOf(panels: readonly Panel[], earlier: readonly Series[] = []): Chart[] {
  const parameters = panels.flatMap(({ lines }) => sweepsOf(lines)).map((sweep) => sweep.parameters.length);
  const most = Math.max(0, ...parameters);
  const different = (part: (panel: Panel) => string) => new Set(panels.map(part)).size > 1;
  const has: Record<Chart, boolean> = {
    size: true,
    cases: true,
    budget: different(({ budget }) => budget),
    baseline: different(({ baseline }) => baseline),
    version: earlier.length > 0,
    response: most > 0,
    heat: most > 1,
    parallel: most > 2,
  };
  return (Object.keys(has) as Chart[]).filter((chart) => has[chart]);
}

/**
 * The picture on which an experiment opens. Where all cases belong to sweeps of as many numbers, these are its axes: one number across, or
 * two; flags and words beside them make curves or maps. More numbers have no picture that is read at a glance, so that the cases stand
 * below each other, the best first.
 */
export function bestChart(panels: readonly Panel[]): Chart {
  const lines = panels.flatMap((panel) => panel.lines);
  const sweeps = sweepsOf(lines);
  const isWhole = sweeps.length > 0 && sweeps.reduce((sum, sweep) => sum + sweep.lines.length, 0) === lines.length;
  const isNumeric = ({ values }: Parameter) => values.every((value) => typeof value === "number");
  const numbers = new Set(sweeps.map(({ parameters }) => parameters.filter(isNumeric).length));
  const [number = 0] = numbers;
  if (!isWhole || number === 0 || numbers.size > 1) return "size";
  return number === 1 ? "response" : number === 2 ? "heat" : "cases";
}

/** The kind of pictures that a view wants, if the experiment has it. */
export function chosenChart(panels: readonly Panel[], wanted: Chart | undefined, earlier: readonly Series[] = []): Chart {
  const chart = wanted ?? bestChart(panels);
  return chartsOf(panels, earlier).includes(chart) ? chart : "size";
}

export function picturesOf(
  { visible, panels }: Pick<Selection, "visible" | "panels">,
  sizes: readonly number[],
  view: Axes,
  { references = [], analysed, earlier = [] }: Beside = {},
): Picture[] {
  const { chart } = view;
  if (chart === "budget" || chart === "baseline") return across(visible, sizes, chart);
  const told = new Set<string>();
  return visible.flatMap((panel) => {
    const name = panelTitle(panel, panels);
    const whole = panels.find(({ key }) => key === panel.key) ?? panel;
    const own = ownPictures(panel, sizes, view, { references, analysed, earlier, whole, told });
    return own.map(({ title, ...picture }) => {
      const full = [name, panel.group, title].filter((part) => part !== undefined && part !== "");
      const short = [visible.some(({ key }) => key !== panel.key) ? name : "", panel.group, title].filter((part) => part !== undefined && part !== "");
      return { ...picture, key: [panel.key, panel.group, picture.key].join(" "), panel: panel.key, title: short.join(", "), words: full.join(", ") };
    });
  });
}

function ownPictures(
  panel: ShownPanel,
  sizes: readonly number[],
  { chart, across, upwards }: Axes,
  { references, analysed, earlier = [], whole, told }: Beside & { whole: Panel; told: Set<string> },
): Omit<Picture, "panel" | "words">[] {
  if (chart === "size") {
    const columns = sizes.map(String);
    const shown: Columns = { axis: "Board size", columns, rows: bySize(panel.lines, sizes), others: bySize(panel.others, sizes), ...(references && { references }) };
    return [{ key: "", title: "", shows: { lines: panel.lines.length, layout: (frame) => layoutColumns(shown, frame) } }];
  }
  if (chart === "cases") {
    return forestsOf(panel, sizes, analysed, panel.best).map((forest) => ({
      key: String(forest.size),
      title: `size ${forest.size}`,
      shows: { forest },
      ...(forest.left_out > 0 && panel.best === undefined && { notes: [`The first ${forest.rows.length} cases; ${count(forest.left_out)} more are in the numbers below. Words in the search field choose among them.`] }),
    }));
  }
  if (chart === "version") return versionsOf(panel, sizes, earlier);
  const sweeps = sweepsOf([...panel.lines, ...panel.others]);
  if (chart === "heat") {
    return sweeps.flatMap((sweep) => heatMapsOf(sweep, sizes, [across, upwards])).map((heat) => ({
      key: heat.title,
      title: heat.title,
      ...(heat.cut !== undefined && { notes: [heat.cut] }),
      shows: { heat },
    }));
  }
  if (chart === "parallel") {
    return sweeps.flatMap((sweep) => parallelsOf(sweep, sizes)).map((parallel) => ({ key: parallel.title, title: parallel.title, shows: { parallel } }));
  }
  const field = analysed?.field(panel);
  return sweeps
    .flatMap((sweep) => responsesOf(sweep, sizes, across))
    .map((response) => {
      const pooled = isPooled(response.parameter.name, whole.lines);
      const fits = fitsOf(response, field?.curves ?? [], pooled);
      // Curves of all groups belong to no picture of one: they are told once.
      const words = fits.map((fit) => fit.words).filter((one) => !pooled || !told.has(`${panel.key} ${one}`));
      for (const one of words) told.add(`${panel.key} ${one}`);
      return {
        key: response.title,
        title: response.title,
        notes: [...(response.cut === undefined ? [] : [response.cut]), ...words],
        shows: {
          lines: response.curves.length,
          curves: response.scattered ? [] : response.curves.map((curve) => curve.case),
          layout: (frame: Frame) => layoutResponse(response, frame, pooled ? [] : fits),
        },
      };
    });
}

/** Pictures by version of the engine, one for each size: the same cases as earlier versions played them. */
function versionsOf(panel: ShownPanel, sizes: readonly number[], earlier: readonly Series[]): Omit<Picture, "panel" | "words">[] {
  const key = ({ group, label, name, baseline_label, budget }: Series) => JSON.stringify([group, label, name, baseline_label, budget]);
  const of = new Map<string, Series[]>();
  for (const series of earlier) of.set(key(series), [...(of.get(key(series)) ?? []), series]);
  const versions = (lines: readonly Line[]) => lines.map(({ case: owner, series }) => ({ owner, all: [...(of.get(key(series)) ?? []), series] }));
  const [lines, others] = [versions(panel.lines), versions(panel.others)];
  const numbers = [...new Set([...lines, ...others].flatMap(({ all }) => all.map(({ semantics }) => semantics)))].sort((a, b) => a - b);
  const columns = numbers.map((number) => `semantics ${number}`);
  const rows = (those: ReturnType<typeof versions>, size: number): Row[] =>
    those.map(({ owner, all }) => ({
      case: owner,
      label: owner.name,
      points: all
        .flatMap(({ semantics, points }) => points.filter((point) => point.size === size).map((point) => ({ column: numbers.indexOf(semantics), point })))
        .sort((a, b) => a.column - b.column),
    }));
  return sizes.map((size) => {
    const shown: Columns = { axis: "Engine version", columns, rows: rows(lines, size), others: rows(others, size) };
    return { key: String(size), title: `size ${size}`, shows: { lines: lines.length, layout: (frame: Frame) => layoutColumns(shown, frame) } };
  });
}

/** Pictures by budget, one for each baseline and size; or by baseline, one for each budget and size. */
function across(visible: readonly ShownPanel[], sizes: readonly number[], chart: "budget" | "baseline"): Picture[] {
  const [along, common] = chart === "budget" ? (["budget", "baseline"] as const) : (["baseline", "budget"] as const);
  const groups = new Set(visible.map((panel) => JSON.stringify([panel[common], panel.group])));
  return [...groups].flatMap((of) => {
    const panels = visible.filter((panel) => JSON.stringify([panel[common], panel.group]) === of);
    const ordered = chart === "budget" ? budgetsOf(panels) : panels;
    const columns = ordered.map((panel) => panel[along]);
    const { group } = panels[0]!;
    const title = (size: number) => {
      const parts = [groups.size > 1 ? (common === "baseline" ? `against ${panels[0]!.baseline}` : panels[0]!.budget) : "", group, `size ${size}`];
      return parts.filter((part) => part !== undefined && part !== "").join(", ");
    };
    return sizes.map((size) => {
      const rows = rowsOf(ordered, size, "lines");
      const shown: Columns = { axis: chart === "budget" ? "Budget" : "Baseline", columns, rows, others: rowsOf(ordered, size, "others") };
      const key = `${of} ${size}`;
      const shows = { lines: rows.length, layout: (frame: Frame) => layoutColumns(shown, frame) };
      return { key, panel: key, title: title(size), words: `by ${chart}, ${title(size)}`, shows };
    });
  });
}

/** The cases of several panels on one size, with a column for each panel. */
function rowsOf(panels: readonly ShownPanel[], size: number, part: "lines" | "others"): Row[] {
  const rows = new Map<string, { case: Case; label: string; points: Row["points"][number][] }>();
  panels.forEach((panel, column) => {
    for (const { case: owner, series } of panel[part]) {
      const row = rows.get(owner.key) ?? { case: owner, label: series.label, points: [] };
      const point = series.points.find((candidate) => candidate.size === size);
      if (point !== undefined) row.points.push({ column, point });
      rows.set(owner.key, row);
    }
  });
  return [...rows.values()];
}
