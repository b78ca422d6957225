/**
 * The coordinator's API as the dashboard uses it: the only file that talks to a server.
 *
 * Its types and calls are generated from the Rust crate `protocol`. Rates are fractions from 0 to 1 from the case's point of
 * view; the coordinator computes all of them.
 */

import * as Api from "./api-types";
import { changed } from "./changes";
import { ROOT } from "./routes";

export type * from "./api-types";

/** The coordinator answered, but not with what was asked for. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 15_000;
/** The coordinator itself gives up on a request after 45 s. */
const LONG_TIMEOUT_MS = 50_000;

/** The address of a call, for links. */
const addressOf = ({ path }: Api.Call<unknown>) => ROOT + path;

async function respond({ method, path, body }: Api.Call<unknown>, timeout: number): Promise<Response> {
  const headers = { accept: "application/json", ...(method !== "GET" && { "content-type": "application/json" }) };
  const sent = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  const response = await fetch(ROOT + path, { cache: "no-store", signal: AbortSignal.timeout(timeout), ...sent });
  if (response.ok) return response;
  const answer = (await response.json().catch(() => undefined)) as { error: { code: string; message: string } } | undefined;
  const { code, message } = answer?.error ?? { code: "unreadable", message: `the coordinator answered ${response.status}` };
  throw new ApiError(response.status, code, message);
}

/** Makes a call; the answer, if it has content. */
async function ask<T>(call: Api.Call<T>, timeout = TIMEOUT_MS): Promise<T> {
  const response = await respond(call, timeout);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

/** The fields of a query in an address. */
const fields = <Query>(query: string) => Object.fromEntries(new URLSearchParams(query)) as Query;

/* Sessions and access */

export const fetchSession = () => ask(Api.getSession());
export const signIn = (token: string) => ask(Api.openSession({ token }));
export const signOut = () => ask(Api.closeSession());
export const fetchTokens = () => ask(Api.listTokens());
export const makeToken = (name: string, scopes: Api.Scope) => ask(Api.createToken({ name, scopes }));
export const revokeToken = (id: string) => ask(Api.revokeToken(id));
/** Changes before this one, the latest first. */
export const fetchAudit = (before: number | undefined, limit: number) => ask(Api.listChanges({ limit, before }));

/* Machines */

export const makeJoinCode = (machines: number, expires_in_ms: number) => ask(Api.createJoinCode({ machines, expires_in_ms }));
export const direct = (machines: Api.Machines, directive: Api.Directive) => ask(Api.directWorkers({ machines, directive }));
/** Puts machines in quarantine for a reason, or lifts their quarantine without one. */
export const quarantine = (machines: Api.Machines, why: string | undefined) => ask(Api.quarantineWorkers({ machines, ...(why !== undefined && { why }) }));
/** Some of the workers, after as many as `offset`. */
export const fetchWorkers = async (offset: number, limit: number) => (await ask(Api.listWorkers({ offset, limit }))).workers;
/** A worker in full. While it is asked for, it tells its log and its spool. */
export const fetchMachine = (id: string) => ask(Api.getWorker(id));

/* Experiments */

export const fetchOverview = () => ask(Api.getOverview());
/** Who leads, what is decided, and how many games came lately. */
export const fetchNews = () => ask(Api.getNews());
export const fetchControl = () => ask(Api.getControl());
/** All experiments in short, those in the archive too. */
export const fetchExperiments = () => ask(Api.listExperiments({ all: true }));

/** The reports that were fetched last, by the names they were asked for with, the oldest first. */
const reports = new Map<string, Api.ExperimentReport>();

/** Two experiments are compared with each other at most. */
const REPORTS = 2;

/** An experiment in full. Of one that was fetched before, only the changes are sent. */
export async function fetchExperiment(id: string): Promise<Api.ExperimentReport> {
  const known = reports.get(id);
  const news = await ask(Api.getExperiment(id, { since: known?.edition ?? "" }));
  const report = known === undefined || news.since === undefined ? news : changed(known, news);
  reports.delete(id);
  reports.set(id, report);
  for (const oldest of [...reports.keys()].slice(0, -REPORTS)) reports.delete(oldest);
  return report;
}

/** An experiment with its best lines alone, for each baseline and budget so many. */
export const fetchBest = (id: string, best: number) => ask(Api.getExperiment(id, { best }));

const rules = new Map<string, { at: string; rule: Promise<Api.Stopping | undefined> }>();

/** The stopping rule of an experiment with a single cell, if it has one. It is asked for again when `at`, its state and its games, is another. */
export function fetchOnlyRule(id: string, at: string): Promise<Api.Stopping | undefined> {
  const known = rules.get(id);
  if (known?.at === at) return known.rule;
  const rule = fetchBest(id, 1).then(({ series }) => series[0]?.points[0]?.stopping);
  rules.set(id, { at, rule });
  rule.catch(() => rules.delete(id));
  return rule;
}

const analysisOf = (id: string, size?: number) => ask(Api.getAnalysis(id, { size }), LONG_TIMEOUT_MS);
/** The analysis of an experiment: rankings, claims, curves, importance of parameters. A new revision has another. */
export const fetchAnalysis = unhurried((id: string, _revision: number) => analysisOf(id));
/** The analysis of one size: its cells alone, with claims of their own. */
export const fetchAnalysisOfSize = unhurried((id: string, _revision: number, size: number) => analysisOf(id, size));

/** The revisions of an experiment, and what people changed while it ran. */
export const fetchHistory = (id: string) => ask(Api.getHistory(id));
/** What was applied as a revision, as it would be applied again. */
export const revisionPath = (id: string, number: number) => addressOf(Api.getRevision(id, number));
/** What a revision has otherwise than an earlier one. */
export const fetchRevisionChanges = (id: string, number: number, since: number) => ask(Api.getRevisionChanges(id, number, { since }));
/** Pauses, weighs, archives, tags an experiment, or notes something on its timeline. */
export const changeExperiment = (id: string, change: Api.ExperimentChange) => ask(Api.changeExperiment(id, change));
/** Begins the confirmation of a case on fresh openings, or says what it would play. */
export const confirmCase = (id: string, request: Api.ConfirmRequest) => ask(Api.confirmCase(id, request));
/** Makes a case a named baseline. */
export const promoteCase = (id: string, request: Api.PromoteRequest) => ask(Api.promoteCase(id, request));
/** Two experiments side by side, or a revision or a case of each, as the query names them. */
export const fetchComparison = (query: string) => ask(Api.compareExperiments(fields(query)));

/* Downloads of an experiment */

export const experimentPath = (id: string) => addressOf(Api.getExperiment(id));
export const experimentCsvPath = (id: string) => addressOf(Api.getExperiment(id, { format: "csv" }));
export const experimentBundlePath = (id: string) => ROOT + Api.getBundle(id);

/* Studies: those that the scheduler plays, and those of other programs */

export const fetchTune = (id: string) => ask(Api.getTune(id));
export const fetchStudies = () => ask(Api.listStudies());
export const fetchStudy = (id: string) => ask(Api.getStudy(id));
/** The points that have results; of many, some. */
export const fetchTunePoints = (id: string) => ask(Api.getTunePoints(id));
export const fetchStudyPoints = (id: string) => ask(Api.getStudyPlayed(id));

/** The fitted win rate over two parameters; with an optimum for each size, on one of them. */
type FetchSurface = (id: string, x: string, y: string, size: number | undefined) => Promise<Api.TuneSurface>;
export const fetchTuneSurface: FetchSurface = (id, x, y, size) => ask(Api.getTuneSurface(id, { x, y, size }));
export const fetchStudySurface: FetchSurface = (id, x, y, size) => ask(Api.getStudySurface(id, { x, y, size }));

/* Cells and games */

/** A cell by its id or its first digits. */
export const fetchCell = (id: string) => ask(Api.getCell(id));
/** How the result of a cell came about, pair by pair. */
export const fetchRunningCell = (id: string) => ask(Api.getRunningCell(id));

/** Answers that took long are asked for again only after ten times as long, and so are refusals. */
export function unhurried<A extends readonly (string | number | undefined)[], T>(load: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let last: { key: string; answer: Promise<T>; due: number } | undefined;
  return async (...args) => {
    const key = JSON.stringify(args);
    if (last?.key === key && Date.now() < last.due) return last.answer;
    const began = Date.now();
    const answer = load(...args);
    const rest = () => void (last = { key, answer, due: Date.now() + 10 * (Date.now() - began) });
    // A connection that broke says nothing of how long the next answer takes.
    await answer.then(rest, (error: unknown) => !(error instanceof TypeError) && rest());
    return answer;
  };
}

/** Pages of a search that are asked for until there is something to show. */
const PAGES_AT_ONCE = 6;

/** A page of the games that a search finds. */
export const fetchGames = (query: string) => ask(Api.searchGames(fields(query)));

/** The games that a search finds, from its place on. */
export const searchGames = unhurried(async (query: string): Promise<Api.FoundGames> => {
  let found = await fetchGames(query);
  for (let page = 1; page < PAGES_AT_ONCE && found.games.length === 0 && found.next !== undefined; page++) {
    const further = new URLSearchParams(query);
    further.set("after", found.next);
    const next = await fetchGames(further.toString());
    found = { ...next, looked_at: found.looked_at + next.looked_at };
  }
  return found;
});

/** Sums over the games that a search finds, by move number. */
export const sumGames = unhurried((query: string) => ask(Api.sumGames(fields(query))));
/** The game of a lease that is played at the moment. Its worker tells the moves as long as they are asked for. */
export const fetchGameInPlay = (lease: string) => ask(Api.getGameInPlay(lease));
export const fetchPairsInPlay = () => ask(Api.listPairsInPlay());
/** One play of a game: that of a lease, or the one that counts. */
export const fetchGameView = (id: string, lease: string | undefined) => ask(Api.getGameView(id, { lease }));
/** Where a play is as a game file, and as the coordinator keeps it. */
export const gameFilePath = (id: string, lease: string) => ROOT + Api.getGameFile(id, { lease });
export const gameJsonPath = (id: string, lease: string) => addressOf(Api.getGame(id, { lease }));
export const fetchGameFile = async (id: string, lease: string) => (await respond({ method: "GET", path: Api.getGameFile(id, { lease }) }, TIMEOUT_MS)).text();

/** Listens for changes. The events say that something changed, not what: fetch again. */
export function openEvents(onChange: () => void, onOpen: () => void, onBreak: () => void): EventSource {
  const events = new EventSource(ROOT + Api.streamEvents());
  events.onopen = onOpen;
  events.onerror = onBreak;
  events.onmessage = onChange;
  events.addEventListener("change", onChange);
  return events;
}
