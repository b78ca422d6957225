/**
 * A study: an optimum that is looked for by games. The coordinator's scheduler plays the points of a tune, and another program those of
 * the others. Here both become one, with what differs as data.
 */

import type { ComponentChildren } from "preact";
import { fetchStudyPoints, fetchStudySurface, fetchTunePoints, fetchTuneSurface, type Measured, type StudyStatus, type StudySummary, type TunedParameter, type TuneRecommendation, type TuneStatus, type TuneStrategy } from "./api";
import { count, counted, interval, moment, percent } from "./format";
import { STATES } from "./parts/experiments";
import { pathOf } from "./routes";
import { DEFAULT_VIEW, writeView } from "./url";

/** A recommendation with what is said of it, and what measured it. */
export interface StudyRecommendation extends TuneRecommendation {
  words: string;
  measured: readonly Measured[];
  /** The command that makes it a baseline. */
  promote?: string | undefined;
}

export interface Study extends Pick<TuneStatus, "results_seen" | "course" | "course_is_complete" | "concentrations" | "confirmations" | "name"> {
  id: string;
  page: "tune" | "study";
  /** What stands above the heading. */
  above: ComponentChildren;
  /** The state in a word, and the look of its badge. */
  state: readonly [word: string, look: string];
  facts: readonly ComponentChildren[];
  /** Games of it that are played, and all of them. */
  played: number;
  planned: number;
  isOver: boolean;
  parameters: readonly TunedParameter[];
  /** Against whom the win rates are. */
  against: string;
  strategy: TuneStrategy | undefined;
  /** Games that the recommendation follows from. */
  games: number;
  recommendations: readonly StudyRecommendation[];
  /** Why nothing is confirmed. */
  ending: string | undefined;
  /** What measures the win rate of the setting. */
  measuredBy: string;
  /** These do not change, so that what was fetched by them stays. */
  fetchPoints: typeof fetchTunePoints;
  fetchSurface: typeof fetchTuneSurface;
}

export function studyOfTune(status: TuneStatus): Study {
  const { experiment, name, baseline, tune, state, games_played, games_left, imported, results_seen, given_up } = status;
  return {
    id: experiment,
    page: "tune",
    name,
    above: name,
    state: [STATES[state], state],
    facts: [
      `strategy ${tune.strategy ?? "foreign"}`,
      `against ${baseline}`,
      `size ${status.sizes.map(({ size }) => size).join(", ")}`,
      <span data-played={games_played}>{`${count(games_played)} of ${counted(tune.games, "game")} played`}</span>,
      <span data-left={games_left}>{count(games_left)} left</span>,
      `${counted(status.outstanding, "pair")} asked for and not finished`,
      <a href={writeView({ ...DEFAULT_VIEW, experiment, chart: "size" })}>All points as cases, history, and what can be done</a>,
      imported > 0 && `learns from ${counted(imported, "game")} of other experiments, too`,
      given_up > 0 && `${counted(given_up, "game")} given up, at points that excluded games chose`,
    ],
    played: games_played,
    planned: tune.games,
    isOver: status.recommendations.some(({ is_final }) => is_final),
    parameters: tune.parameters,
    against: baseline,
    strategy: tune.strategy,
    games: games_played + imported,
    results_seen,
    course: status.course,
    course_is_complete: status.course_is_complete,
    recommendations: status.recommendations.map((own) => ({ ...own, measured: own.measured_overall === undefined ? own.measured : [...own.measured, own.measured_overall] })),
    concentrations: status.concentrations,
    confirmations: status.confirmations,
    ending: status.ending,
    measuredBy: "only the last games of the tune measure the win rate",
    fetchPoints: fetchTunePoints,
    fetchSurface: fetchTuneSurface,
  };
}

/** What goes on with a study of another program, in a word. */
export function studyState({ archived, games_left, asked, told, failed }: Pick<StudySummary, "archived" | "games_left" | "asked" | "told" | "failed">): "archived" | "finished" | "active" {
  if (archived) return "archived";
  return games_left === 0 && asked === told + failed ? "finished" : "active";
}

/** What the model expects of a recommendation, in a sentence. */
const expected = ({ overall }: TuneRecommendation) =>
  overall === null ? "" : ` The model expects ${percent(overall.rate)} % against the baseline, with a 95 % interval of ${interval(overall.low, overall.high)} %.`;

export function studyOfProgram(status: StudyStatus): Study {
  const { id, name, who, strategy, sizes, games_told, games_left, games, asked, told, failed, given_up } = status;
  const state = studyState(status);
  return {
    id,
    page: "study",
    name,
    above: <a href={`${pathOf("home")}#studies`}>Studies</a>,
    state: [state, status.archived ? "archived" : "active"],
    facts: [
      `strategy ${strategy}`,
      `begun by ${who} on ${moment(status.created_ms)}`,
      sizes.length > 0 && `size ${sizes.map(({ size }) => size).join(", ")}`,
      <span data-played={games_told}>{`${count(games_told)} of ${counted(games, "game")} told`}</span>,
      <span data-left={games_left}>{count(games_left)} left</span>,
      `${counted(asked - told - failed, "point")} without a result`,
      failed > 0 && `${counted(failed, "point")} given back`,
      given_up > 0 && `${counted(given_up, "point")} given up, which results chose that were taken back`,
    ],
    played: games_told,
    planned: games,
    isOver: games_left === 0 && asked === told + failed,
    parameters: status.parameters,
    against: "the baseline",
    strategy,
    games: games_told,
    results_seen: status.results_seen,
    course: status.course,
    course_is_complete: status.course_is_complete,
    recommendations: status.recommendations.map((own, i) => ({ ...own, measured: [], words: (status.words[i] ?? "") + expected(own) })),
    concentrations: status.concentrations,
    confirmations: [],
    ending: undefined,
    measuredBy: "only games of the setting that had no part in choosing it measure its win rate",
    fetchPoints: fetchStudyPoints,
    fetchSurface: fetchStudySurface,
  };
}
