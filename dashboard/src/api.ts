/**
 * The coordinator's API as the dashboard uses it: the only file that talks to a server.
 *
 * Its types are generated from the Rust crate `protocol`. Rates are fractions from 0 to 1 from the case's point of
 * view; the coordinator computes all of them.
 */

import type {
  AuditPage,
  ByMoveNumber,
  CellReport,
  ConfirmAnswer,
  ConfirmRequest,
  ControlPage,
  Directive,
  ExperimentAnalysis,
  ExperimentChange,
  ExperimentHistory,
  ExperimentReport,
  ExperimentSummary,
  FoundGames,
  GameInPlay,
  GameView,
  JoinCode,
  JoinCodeRequest,
  MachineReport,
  Machines,
  NewToken,
  News,
  Overview,
  PromoteRequest,
  PairsInPlay,
  PlayedPoints,
  RevisionChanges,
  RunningCell,
  Scope,
  Session,
  SideBySide,
  SignIn,
  Stopping,
  StudyStatus,
  StudySummary,
  TokenLine,
  TokenRequest,
  TuneStatus,
  TuneSurface,
  WorkerReport,
  WorkersPage,
} from "./api-types";
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

/** Below this are all calls. */
const API = `${ROOT}api/v1`;

const TIMEOUT_MS = 15_000;
/** The coordinator itself gives up on a request after 45 s. */
const LONG_TIMEOUT_MS = 50_000;

async function get<T>(path: string, timeout = TIMEOUT_MS): Promise<T> {
  const response = await fetch(path, {
    headers: { accept: "application/json" },
    cache: "no-store",
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw await failure(response);
  return (await response.json()) as T;
}

/** Sends something; the answer's body, if there is one. */
async function send<T>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<T | undefined> {
  const response = await fetch(path, {
    method,
    headers: { accept: "application/json", "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
    cache: "no-store",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw await failure(response);
  return response.status === 204 ? undefined : ((await response.json()) as T);
}

async function failure(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return new ApiError(response.status, error.code, error.message);
  } catch {
    return new ApiError(response.status, "unreadable", `the coordinator answered ${response.status}`);
  }
}

export function fetchSession(): Promise<Session> {
  return get(`${API}/session`);
}

export async function signIn(token: string): Promise<void> {
  await send("POST", `${API}/session`, { token } satisfies SignIn);
}

export async function signOut(): Promise<void> {
  await send("DELETE", `${API}/session`);
}

export async function makeJoinCode(machines: number, expires_in_ms: number): Promise<JoinCode> {
  const request: JoinCodeRequest = { machines, expires_in_ms };
  return (await send<JoinCode>("POST", `${API}/join-codes`, request))!;
}

export async function direct(machines: Machines, directive: Directive): Promise<void> {
  await send("POST", `${API}/workers/directive`, { machines, directive });
}

/** Puts machines in quarantine for a reason, or lifts their quarantine without one. */
export async function quarantine(machines: Machines, why: string | undefined): Promise<void> {
  await send("POST", `${API}/workers/quarantine`, why === undefined ? { machines } : { machines, why });
}

export function fetchTokens(): Promise<TokenLine[]> {
  return get(`${API}/tokens`);
}

export async function makeToken(name: string, scopes: Scope): Promise<NewToken> {
  const request: TokenRequest = { name, scopes };
  return (await send<NewToken>("POST", `${API}/tokens`, request))!;
}

export async function revokeToken(id: string): Promise<void> {
  await send("POST", `${API}/tokens/${encodeURIComponent(id)}/revoke`);
}

/** Changes before this one, the latest first. */
export function fetchAudit(before: number | undefined, limit: number): Promise<AuditPage> {
  return get(`${API}/audit?limit=${limit}${before === undefined ? "" : `&before=${before}`}`);
}

export function fetchOverview(): Promise<Overview> {
  return get(`${API}/overview`);
}

/** All experiments in short, those in the archive too. */
export function fetchExperiments(): Promise<ExperimentSummary[]> {
  return get(`${API}/experiments?all=true`);
}

/** Every control cell with its result. */
export function fetchControl(): Promise<ControlPage> {
  return get(`${API}/control`);
}

/** Some of the workers, after as many as `offset`. */
export async function fetchWorkers(offset: number, limit: number): Promise<WorkerReport[]> {
  const page = await get<WorkersPage>(`${API}/workers?offset=${offset}&limit=${limit}`);
  return page.workers;
}

/** A worker in full. While somebody asks, it tells its log and its spool. */
export function fetchMachine(id: string): Promise<MachineReport> {
  return get(`${API}/workers/${encodeURIComponent(id)}`);
}

/** The reports that were fetched last, by the names they were asked for with, the oldest first. */
const reports = new Map<string, ExperimentReport>();

/** Two experiments are compared with each other at most. */
const REPORTS = 2;

/** An experiment in full. Of one that was fetched before, only the changes are sent. */
export async function fetchExperiment(id: string): Promise<ExperimentReport> {
  const known = reports.get(id);
  const news = await get<ExperimentReport>(`${experimentPath(id)}?since=${encodeURIComponent(known?.edition ?? "")}`);
  const report = known === undefined || news.since === undefined ? news : changed(known, news);
  reports.delete(id);
  reports.set(id, report);
  for (const oldest of [...reports.keys()].slice(0, -REPORTS)) reports.delete(oldest);
  return report;
}

/** An experiment with its best lines alone, for each baseline and budget so many. */
export function fetchBest(id: string, lines: number): Promise<ExperimentReport> {
  return get(`${experimentPath(id)}?best=${lines}`);
}

const rules = new Map<string, { at: string; rule: Promise<Stopping | undefined> }>();

/** The stopping rule of an experiment with a single cell, if it has one. It is asked for again when `at`, its state and its games, is another. */
export function fetchOnlyRule(id: string, at: string): Promise<Stopping | undefined> {
  const known = rules.get(id);
  if (known?.at === at) return known.rule;
  const rule = fetchBest(id, 1).then(({ series }) => series[0]?.points[0]?.stopping);
  rules.set(id, { at, rule });
  rule.catch(() => rules.delete(id));
  return rule;
}

/** Who leads, what is decided, and how many games came lately. */
export function fetchNews(): Promise<News> {
  return get(`${API}/news`);
}

/** The analysis of an experiment: rankings, claims, curves, importance of parameters. With a new revision it is asked for anew. */
export const fetchAnalysis = unhurried((id: string, _revision: number): Promise<ExperimentAnalysis> => get(`${experimentPath(id)}/analysis`, LONG_TIMEOUT_MS));

/** The analysis of one size of an experiment: its cells alone, with claims of their own. */
export const fetchAnalysisOfSize = unhurried(
  (id: string, _revision: number, size: number): Promise<ExperimentAnalysis> => get(`${experimentPath(id)}/analysis?size=${size}`, LONG_TIMEOUT_MS),
);

/** How a tune stands. */
export function fetchTune(id: string): Promise<TuneStatus> {
  return get(`${experimentPath(id)}/tune`);
}

/** The points that a tune has played; of many, some. */
export function fetchTunePoints(id: string): Promise<PlayedPoints> {
  return get(`${experimentPath(id)}/tune/points`);
}

/** The fitted win rate over two parameters; with an optimum for each size, on one of them. */
export function fetchTuneSurface(id: string, x: string, y: string, size: number | undefined): Promise<TuneSurface> {
  return get(`${experimentPath(id)}/tune/surface?${pairQuery(x, y, size)}`);
}

/** All studies of other programs, the newest first. */
export function fetchStudies(): Promise<StudySummary[]> {
  return get(`${API}/studies`);
}

/** How a study stands. */
export function fetchStudy(id: string): Promise<StudyStatus> {
  return get(studyPath(id));
}

/** The points of a study that have results; of many, some. */
export function fetchStudyPoints(id: string): Promise<PlayedPoints> {
  return get(`${studyPath(id)}/played`);
}

/** The fitted win rate over two parameters of a study. */
export function fetchStudySurface(id: string, x: string, y: string, size: number | undefined): Promise<TuneSurface> {
  return get(`${studyPath(id)}/surface?${pairQuery(x, y, size)}`);
}

function studyPath(id: string): string {
  return `/api/v1/studies/${encodeURIComponent(id)}`;
}

function pairQuery(x: string, y: string, size: number | undefined): string {
  return new URLSearchParams({ x, y, ...(size !== undefined && { size: String(size) }) }).toString();
}

/** The revisions of an experiment, and what people changed while it ran. */
export function fetchHistory(id: string): Promise<ExperimentHistory> {
  return get(`${experimentPath(id)}/history`);
}

/** What was applied as a revision, as it would be applied again. */
export function revisionPath(id: string, number: number): string {
  return `${experimentPath(id)}/revisions/${number}`;
}

/** What a revision has otherwise than an earlier one. */
export function fetchRevisionChanges(id: string, number: number, since: number): Promise<RevisionChanges> {
  return get(`${revisionPath(id, number)}/changes?since=${since}`);
}

/** Pauses, weighs, archives, tags an experiment, or notes something on its timeline. */
export async function changeExperiment(id: string, change: ExperimentChange): Promise<void> {
  await send("POST", `${experimentPath(id)}/change`, change);
}

/** Begins the confirmation of a case on fresh openings, or says what it would play. */
export async function confirmCase(id: string, request: ConfirmRequest): Promise<ConfirmAnswer> {
  return (await send<ConfirmAnswer>("POST", `${experimentPath(id)}/confirm`, request))!;
}

/** Makes a case a named baseline. */
export async function promoteCase(id: string, request: PromoteRequest): Promise<void> {
  await send("POST", `${experimentPath(id)}/promote`, request);
}

/** Two experiments side by side, or a revision or a case of each, as the query names them. */
export function fetchComparison(query: string): Promise<SideBySide> {
  return get(`${API}/compare?${query}`);
}

/** Where an experiment's JSON export is, for a download link. */
export function experimentPath(id: string): string {
  return `${API}/experiments/${encodeURIComponent(id)}`;
}

/** Where an experiment's CSV export is, for a download link. */
export function experimentCsvPath(id: string): string {
  return `${experimentPath(id)}?format=csv`;
}

/** Where an experiment's reproducibility bundle is, for a download link. */
export function experimentBundlePath(id: string): string {
  return `${experimentPath(id)}/bundle`;
}

/** A cell by its id or its first digits. */
export function fetchCell(id: string): Promise<CellReport> {
  return get(`${API}/cells/${encodeURIComponent(id)}`);
}

/** How the result of a cell came about, pair by pair. */
export function fetchRunningCell(id: string): Promise<RunningCell> {
  return get(`${API}/cells/${encodeURIComponent(id)}/running`);
}

/** Answers that took long are asked for again only after ten times as long, and so are refusals. */
export function unhurried<A extends readonly (string | number)[], T>(load: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
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
export function fetchGames(query: string): Promise<FoundGames> {
  return get(`${API}/games?${query}`);
}

/** The games that a search finds, from its place on. */
export const searchGames = unhurried(async (query: string): Promise<FoundGames> => {
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
export const sumGames = unhurried((query: string): Promise<ByMoveNumber> => get(`${API}/games/by-move?${query}`));

/** The game of a lease that is played at the moment. Who asks is somebody who looks: then its worker tells the moves. */
export function fetchGameInPlay(lease: string): Promise<GameInPlay> {
  return get(`${API}/games/in-play/${encodeURIComponent(lease)}`);
}

export function fetchPairsInPlay(): Promise<PairsInPlay> {
  return get(`${API}/games/in-play`);
}

/** One play of a game: that of a lease, or the one that counts. */
export function fetchGameView(id: string, lease: string | undefined): Promise<GameView> {
  return get(`${API}/games/${encodeURIComponent(id)}/view${ofLease(lease)}`);
}

/** Where the game file of a play is, for a download link. */
export function gameFilePath(id: string, lease: string): string {
  return `${API}/games/${encodeURIComponent(id)}/sgf${ofLease(lease)}`;
}

/** Where a play as the coordinator keeps it is, for a download link. */
export function gameJsonPath(id: string, lease: string): string {
  return `${API}/games/${encodeURIComponent(id)}${ofLease(lease)}`;
}

/** A play as a game file. */
export async function fetchGameFile(id: string, lease: string): Promise<string> {
  const response = await fetch(gameFilePath(id, lease), { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw await failure(response);
  return response.text();
}

function ofLease(lease: string | undefined): string {
  return lease === undefined ? "" : `?lease=${encodeURIComponent(lease)}`;
}

/** Listens for changes. The events say that something changed, not what: fetch again. */
export function openEvents(onChange: () => void, onOpen: () => void, onBreak: () => void): EventSource {
  const events = new EventSource(`${API}/events`);
  events.onopen = onOpen;
  events.onerror = onBreak;
  events.onmessage = onChange;
  events.addEventListener("change", onChange);
  return events;
}
