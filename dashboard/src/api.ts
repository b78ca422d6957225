/**
 * The coordinator's API as the dashboard uses it: the only file that talks to a server.
 *
 * The types mirror `protocol/src/report.rs`, whose doc comments say what each number means. Rates are fractions
 * from 0 to 1 from the case's point of view; all of them are computed by the coordinator.
 */

export type ExperimentState = "active" | "finished" | "stuck" | "superseded";
export type Budget = { sims: number } | { reference_seconds: number };
export type ParamSet = Record<string, boolean | number | string>;

export type Scope = "work" | "read" | "experiment" | "admin";

/** Who looks: `scopes` are words, separated by spaces. */
export interface Session {
  name: string | null;
  scopes: string;
}

export interface Overview {
  experiments: ExperimentSummary[];
  /** The first workers, those in quarantine and those present before the others. */
  workers: WorkerReport[];
  fleet: Fleet;
  /** Why results cannot be stored; missing while they can. */
  trouble?: string;
  version: string;
}

/** All workers in numbers. */
export interface Fleet {
  workers: number;
  alive: number;
  slots: number;
  quarantined: number;
  labels: string[];
}

export interface ExperimentSummary {
  id: string;
  name: string;
  question: string;
  state: ExperimentState;
  cells: number;
  games_planned: number;
  games_done: number;
  pairs_in_flight: number;
  pairs_aside: number;
  games_per_minute: number;
  seconds_left: number | null;
  /** Why nothing of it is played though games are missing; missing while something is. */
  stalled?: string;
  created_ms: number;
}

export interface Speed {
  size: number;
  sims_per_s: number;
  factor: number;
  drift: number;
}

export interface WorkerReport {
  id: string;
  name: string;
  version: string;
  slots: number;
  seconds_since_seen: number;
  alive: boolean;
  pairs_held: number;
  games: number;
  speeds: Speed[];
  no_work: string | null;
  resting: string | null;
  directive: Directive;
  labels: string[];
  /** Why it is in quarantine; missing when it is not. */
  quarantine?: string;
  /** Why it seems to choose which games it delivers; left out when it does not. */
  suspicion?: string;
  /** How its games differ from those of other machines in favour of one side; missing when they do not. */
  biased?: string;
}

export type Directive = "work" | "pause" | "drain";
export type Machines = "all" | { label: string } | { named: string };

export interface JoinCode {
  code: string;
  expires_ms: number;
  machines: number;
  /** Of a certificate that no authority vouches for. */
  certificate_sha256?: string;
}

export interface ExperimentReport {
  summary: ExperimentSummary;
  sizes: number[];
  series: Series[];
  confidence: number;
  interval_method: string;
  aside: AsidePair[];
}

export interface AsidePair {
  cell: string;
  what: string;
  pair: number;
  failures: number;
  why: string;
  since_ms: number;
}

export interface Series {
  label: string;
  group: string;
  case: ParamSet;
  baseline_label: string;
  baseline: ParamSet;
  budget: Budget;
  points: Point[];
}

export interface Point {
  cell: string;
  size: number;
  games: number;
  games_planned: number;
  pairs_in_flight: number;
  pairs_aside: number;
  /** What the pairs could hide that were started and are missing; left out when none are. */
  missing?: { pairs: number; low: number; high: number; words: string };
  wins: number;
  draws: number;
  losses: number;
  pairs: number;
  pair_counts: [number, number, number, number, number, number];
  rate: number | null;
  low: number | null;
  high: number | null;
  elo: number | null;
  design_effect: number | null;
  first_move_rate: number | null;
  win_kinds: [number, number, number];
  mean_plies: number | null;
}

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

async function get<T>(path: string): Promise<T> {
  const response = await fetch(path, {
    headers: { accept: "application/json" },
    cache: "no-store",
    signal: AbortSignal.timeout(TIMEOUT_MS),
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
  return get("/api/v1/session");
}

export async function signIn(token: string): Promise<void> {
  await send("POST", "/api/v1/session", { token });
}

export async function signOut(): Promise<void> {
  await send("DELETE", "/api/v1/session");
}

export async function makeJoinCode(machines: number, expires_in_ms: number): Promise<JoinCode> {
  return (await send<JoinCode>("POST", "/api/v1/join-codes", { machines, expires_in_ms }))!;
}

export async function direct(machines: Machines, directive: Directive): Promise<void> {
  await send("POST", "/api/v1/workers/directive", { machines, directive });
}

/** Ends the quarantine of machines. */
export async function release(machines: Machines): Promise<void> {
  await send("POST", "/api/v1/workers/quarantine", { machines });
}

export function fetchOverview(): Promise<Overview> {
  return get("/api/v1/overview");
}

/** Some of the workers, after as many as `offset`. */
export async function fetchWorkers(offset: number, limit: number): Promise<WorkerReport[]> {
  const page: { workers: WorkerReport[] } = await get(`/api/v1/workers?offset=${offset}&limit=${limit}`);
  return page.workers;
}

export function fetchExperiment(id: string): Promise<ExperimentReport> {
  return get(experimentPath(id));
}

/** Where an experiment's JSON export is, for a download link. */
export function experimentPath(id: string): string {
  return `/api/v1/experiments/${encodeURIComponent(id)}`;
}

/** Where an experiment's CSV export is, for a download link. */
export function experimentCsvPath(id: string): string {
  return `${experimentPath(id)}?format=csv`;
}

/** Listens for changes. The events say that something changed, not what: fetch again. */
export function openEvents(onChange: () => void, onOpen: () => void, onBreak: () => void): EventSource {
  const events = new EventSource("/api/v1/events");
  events.onopen = onOpen;
  events.onerror = onBreak;
  events.onmessage = onChange;
  events.addEventListener("change", onChange);
  return events;
}
