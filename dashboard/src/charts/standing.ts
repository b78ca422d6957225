/** Where cases stand among others, by the coordinator's analysis. */

import type { ExperimentAnalysis, ExperimentReport, Field, RankedCase, Series, SeriesNames } from "../api";
import { arrange, chosenPanels, nameOf, type Line, type Panel } from "./panels";

/** Places of cases by their keys, the best first. Cases without games have none. */
export type Standing = ReadonlyMap<string, number>;

/** A case of a panel with its numbers over all sizes. */
export interface Ranked {
  line: Line;
  result: RankedCase;
}

/** A report with its analysis. */
export class Analysed {
  private readonly names: ReadonlyMap<Series, SeriesNames>;

  constructor(
    report: ExperimentReport,
    readonly analysis: ExperimentAnalysis,
  ) {
    const { series } = analysis;
    // Of two revisions of a plan, until both are fetched again, one cannot name the series of the other.
    const known = new Set(report.series.flatMap((own) => [nameOf(own), own.baseline_label]));
    // A name that two players have is followed by a part of the id.
    const isKnown = (name: string) => known.has(name) || known.has(name.replace(/ \([0-9a-f]{8}\)$/, ""));
    const isOfReport = series.length === report.series.length && series.every((own) => isKnown(own.case) && isKnown(own.against));
    this.names = new Map(isOfReport ? report.series.map((own, i) => [own, series[i]!]) : []);
  }

  /** The field of a panel: its baseline and budget. None before there are games. */
  field(panel: Panel): Field | undefined {
    const names = panel.lines.map(({ series }) => this.names.get(series));
    return this.analysis.sweep.fields.find(({ against, budget }) => names.some((own) => own?.against === against && own.budget === budget));
  }

  /** The cases of a panel with games, the best shrunken rate first. */
  ranking(panel: Panel): Ranked[] {
    const results = new Map((this.field(panel)?.cases ?? []).map((result, place) => [result.case, { result, place }]));
    return panel.lines
      .flatMap((line) => {
        const found = results.get(this.names.get(line.series)?.case ?? "");
        return found === undefined ? [] : [{ line, ...found }];
      })
      .sort((a, b) => a.place - b.place);
  }

  /** The name of a case in the analysis. */
  name(line: Line): string | undefined {
    return this.names.get(line.series)?.case;
  }

  /** The order of the cases: of the first of these panels, then of cases that only later ones have. */
  standing(panels: readonly Panel[]): Standing {
    const keys = new Set(panels.flatMap((panel) => this.ranking(panel).map(({ line }) => line.case.key)));
    return new Map([...keys].map((key, place) => [key, place]));
  }
}

/** The order of the cases in a view with this panel; none before there is an analysis. Those of a tune are points, many with a pair alone: the most played come first. */
export function standingIn(report: ExperimentReport, analysed: Analysed | undefined, panel: string | undefined): Standing | undefined {
  const panels = chosenPanels(arrange(report).panels, panel);
  return report.summary.is_tune ? mostPlayed(panels) : analysed?.standing(panels);
}

function mostPlayed(panels: readonly Panel[]): Standing {
  const games = new Map<string, number>();
  for (const { case: owner, series } of panels.flatMap(({ lines }) => lines)) {
    games.set(owner.key, (games.get(owner.key) ?? 0) + series.points.reduce((sum, point) => sum + point.games, 0));
  }
  const played = [...games].filter(([, sum]) => sum > 0).sort(([, a], [, b]) => b - a);
  return new Map(played.map(([key], place) => [key, place]));
}

/** The order of the file, where there is no analysis. */
export function orderOfFile(report: ExperimentReport): Standing {
  return new Map(arrange(report).cases.map(({ key }, place) => [key, place]));
}
