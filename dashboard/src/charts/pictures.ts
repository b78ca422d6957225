/** The pictures of a panel: by board size, by a parameter, or by two. */

import type { View } from "../url";
import { heatMapsOf } from "./heat";
import type { HeatMap } from "./heat";
import type { Case, Panel } from "./panels";
import { layoutResponse, responsesOf } from "./response-layout";
import type { ShownPanel } from "./selection";
import { sweepsOf } from "./sweeps";
import { layoutWinRates } from "./winrate-layout";
import type { Frame, Reference, WinRateLayout } from "./winrate-layout";

/** Lines by board size, whose names are in the legend of the page, or curves with names of their own. */
interface Lines {
  lines: number;
  layout: (frame: Frame) => WinRateLayout;
}

export interface Picture {
  key: string;
  /** What tells the picture from others of its panel; empty if it is the only one. */
  title: string;
  /** Lines with points, or a grid. */
  shows: Lines | (Lines & { curves: readonly Case[] }) | { heat: HeatMap };
}

/** The kinds of pictures that an experiment has. */
export function chartsOf(panels: readonly Panel[]): View["chart"][] {
  const parameters = panels.flatMap(({ lines }) => sweepsOf(lines)).map((sweep) => sweep.parameters.length);
  return ["size", ...(parameters.length > 0 ? (["response"] as const) : []), ...(parameters.some((n) => n > 1) ? (["heat"] as const) : [])];
}

export function picturesOf(
  panel: ShownPanel,
  sizes: readonly number[],
  chart: View["chart"],
  references: readonly Reference[] = [],
): Picture[] {
  if (chart === "size") {
    const { lines, others } = panel;
    return [
      {
        key: panel.key,
        title: "",
        shows: { lines: lines.length, layout: (frame) => layoutWinRates({ ...frame, lines, others, sizes, references }) },
      },
    ];
  }
  const sweeps = sweepsOf([...panel.lines, ...panel.others]);
  if (chart === "heat") {
    return sweeps.flatMap((sweep) => heatMapsOf(sweep, sizes)).map((heat) => ({ key: heat.title, title: heat.title, shows: { heat } }));
  }
  return sweeps
    .flatMap((sweep) => responsesOf(sweep, sizes))
    .map((response) => ({
      key: response.title,
      title: response.title,
      shows: {
        lines: response.curves.length,
        curves: response.curves.map((curve) => curve.case),
        layout: (frame) => layoutResponse(response, frame),
      },
    }));
}
