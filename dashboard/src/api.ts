/**
 * The coordinator's API as the dashboard uses it: the only file that talks to a server.
 *
 * Its types are generated from the Rust crate `protocol`. Rates are fractions from 0 to 1 from the case's point of
 * view; the coordinator computes all of them.
 */

import type {
  Directive,
  ExperimentReport,
  JoinCode,
  JoinCodeRequest,
  Machines,
  Overview,
  Session,
  SignIn,
  WorkerReport,
  WorkersPage,
} from "./api-types";

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
  await send("POST", "/api/v1/session", { token } satisfies SignIn);
}

export async function signOut(): Promise<void> {
  await send("DELETE", "/api/v1/session");
}

export async function makeJoinCode(machines: number, expires_in_ms: number): Promise<JoinCode> {
  const request: JoinCodeRequest = { machines, expires_in_ms };
  return (await send<JoinCode>("POST", "/api/v1/join-codes", request))!;
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
  const page = await get<WorkersPage>(`/api/v1/workers?offset=${offset}&limit=${limit}`);
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
