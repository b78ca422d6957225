/** What tunes and studies have in common: a recommendation, how it came about, and what the model says. */

import { fetchStudyPoints, fetchStudySurface, fetchTunePoints, fetchTuneSurface } from "./api";
import type { PastRecommendation, PlayedPoints, StudyStatus, TuneStatus, TuneStrategy, TuneSurface } from "./api";

export interface Tuned {
  id: string;
  name: string;
  /** Against whom the win rates are. */
  against: string;
  strategy: TuneStrategy | undefined;
  /** Games that the recommendation follows from. */
  games: number;
  results_seen: number;
  course: readonly PastRecommendation[];
  course_is_complete: boolean;
  /** What measures the win rate of the setting. */
  measuredBy: string;
  /** These do not change, so that what was fetched by them stays. */
  fetchPoints: (id: string) => Promise<PlayedPoints>;
  fetchSurface: (id: string, x: string, y: string, size: number | undefined) => Promise<TuneSurface>;
}

export function tuneOf(status: TuneStatus): Tuned {
  const { experiment, name, baseline, tune, games_played, imported, results_seen, course, course_is_complete } = status;
  return {
    id: experiment,
    name,
    against: baseline,
    strategy: tune.strategy,
    games: games_played + imported,
    results_seen,
    course,
    course_is_complete,
    measuredBy: "only the last games of the tune measure the win rate",
    fetchPoints: fetchTunePoints,
    fetchSurface: fetchTuneSurface,
  };
}

export function studyOf(status: StudyStatus): Tuned {
  const { id, name, strategy, games_told, results_seen, course, course_is_complete } = status;
  return {
    id,
    name,
    against: "the baseline",
    strategy,
    games: games_told,
    results_seen,
    course,
    course_is_complete,
    measuredBy: "only games of the setting that had no part in choosing it measure its win rate",
    fetchPoints: fetchStudyPoints,
    fetchSurface: fetchStudySurface,
  };
}
