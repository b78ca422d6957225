/** The figure as text, outside a browser. */

import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ExperimentAnalysis, ExperimentReport } from "../api";
import { DEFAULT_VIEW } from "../url";
import { Figure, type FigureProps } from "./figure";
import { readPublished, referencesOf } from "./references";
import { Analysed } from "./standing";

export interface FigureOptions {
  analysis?: ExperimentAnalysis;
  view?: Partial<FigureProps["view"]>;
  width?: number;
  reference?: { csv: string; figure: string; name?: string };
}

export function figureSvg(report: ExperimentReport, { analysis, view, width, reference }: FigureOptions = {}): string {
  const labels = report.series.map(({ label }) => label);
  const svg = h(Figure, {
    report,
    analysed: analysis && new Analysed(report, analysis),
    view: { ...DEFAULT_VIEW, chart: "size", ...view },
    ...(width !== undefined && { width }),
    ...(reference !== undefined && {
      references: referencesOf(readPublished(reference.csv), reference.figure, labels),
      referenceName: reference.name ?? reference.figure,
    }),
  });
  // A tag a line: differences between two figures stay readable.
  return `${renderToString(svg).replaceAll("><", ">\n<")}\n`;
}
