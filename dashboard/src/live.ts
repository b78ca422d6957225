/**
 * Keeps overview and report fresh: fetches again when the coordinator says that something changed, polls when it
 * cannot say so, keeps the last data when it is gone, and rests while nobody looks.
 */

import { ApiError, fetchExperiment, fetchOverview, openEvents } from "./api";
import type { ExperimentReport, Overview } from "./api";

/** Shortest time between two fetches: a busy coordinator sends many events a second. */
const REST_MS = 700;
/** Polling without events. */
const POLL_MS = 3_000;
/** Polling beside events: rates and ages move even when no game ends. */
const SLOW_POLL_MS = 10_000;

export interface Snapshot {
  overview: Overview;
  /** The experiment shown, if there is one. */
  report: ExperimentReport | undefined;
  /** The address names an experiment that the coordinator does not have. */
  unknown: boolean;
  /** Milliseconds since 1970 on this machine's clock when it was fetched. */
  at: number;
}

export interface Live {
  snapshot: Snapshot | undefined;
  /** Why the last fetch failed; undefined while the coordinator answers. */
  trouble: string | undefined;
  /** Results are not for this browser, unless it signs in. */
  locked: boolean;
}

/** The experiment to show when the address names none: the newest active one, or else the newest. */
export function defaultExperiment(overview: Overview): string | undefined {
  const active = overview.experiments.find(({ state }) => state === "active");
  return (active ?? overview.experiments[0])?.id;
}

async function fetchSnapshot(chosen: string | undefined): Promise<Snapshot> {
  // A chosen experiment is fetched beside the overview; its failure is looked at after the overview's.
  const early = chosen === undefined ? undefined : reportOrNone(chosen);
  early?.catch(() => undefined);
  const overview = await fetchOverview();
  const id = chosen ?? defaultExperiment(overview);
  const report = await (early ?? (id === undefined ? undefined : reportOrNone(id)));
  return { overview, report, unknown: chosen !== undefined && report === undefined, at: Date.now() };
}

async function reportOrNone(id: string): Promise<ExperimentReport | undefined> {
  try {
    return await fetchExperiment(id);
  } catch (error) {
    // An id that is not even one is refused with 400; either way there is no such experiment.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

export class Feed {
  private live: Live = { snapshot: undefined, trouble: undefined, locked: false };
  private chosen: string | undefined;
  private events: EventSource | undefined;
  private eventsOpen = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;
  private fetching = false;
  private again = false;
  private lastFetch = 0;

  constructor(private readonly show: (live: Live) => void) {}

  /** Shows this experiment from now on. */
  choose(experiment: string | undefined): void {
    if (experiment === this.chosen) return;
    this.chosen = experiment;
    if (this.running) void this.refresh();
  }

  /** Starts, now and whenever the page comes into view. The answer stops it for good. */
  start(): () => void {
    const follow = () => (document.visibilityState === "hidden" ? this.rest() : this.wake());
    document.addEventListener("visibilitychange", follow);
    follow();
    return () => {
      document.removeEventListener("visibilitychange", follow);
      this.rest();
    };
  }

  private wake(): void {
    if (this.running) return;
    this.running = true;
    void this.refresh();
  }

  private rest(): void {
    this.running = false;
    clearTimeout(this.timer);
    this.closeEvents();
  }

  private closeEvents(): void {
    this.events?.close();
    this.events = undefined;
    this.eventsOpen = false;
  }

  private listen(): void {
    // A browser gives up for good on an answer that is no event stream: then this opens another.
    if (this.events !== undefined && this.events.readyState !== EventSource.CLOSED) return;
    this.closeEvents();
    this.events = openEvents(
      () => this.schedule(Math.max(0, this.lastFetch + REST_MS - Date.now())),
      () => {
        this.eventsOpen = true;
      },
      () => {
        this.eventsOpen = false;
        this.schedule(REST_MS);
      },
    );
  }

  private due = Infinity;

  /** Fetches in `delay` milliseconds, or sooner if that was already planned. */
  private schedule(delay: number): void {
    const due = Date.now() + delay;
    if (!this.running || due >= this.due) return;
    this.due = due;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), delay);
  }

  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.due = Infinity;
    if (this.fetching) {
      this.again = true;
      return;
    }
    this.fetching = true;
    this.lastFetch = Date.now();
    const asked = this.chosen;
    try {
      const snapshot = await fetchSnapshot(asked);
      if (asked === this.chosen) this.live = { snapshot, trouble: undefined, locked: false };
      if (this.running) this.listen();
    } catch (error) {
      const locked = error instanceof ApiError && (error.status === 401 || error.status === 403);
      this.live = { ...this.live, locked, trouble: error instanceof ApiError ? error.message : "it does not answer" };
    } finally {
      this.fetching = false;
    }
    this.show(this.live);
    // Who may not read is not asked again: signing in loads the page anew.
    if (this.live.locked) {
      this.closeEvents();
      return;
    }
    if (this.again || asked !== this.chosen) {
      this.again = false;
      this.schedule(0);
    } else {
      this.schedule(this.eventsOpen && this.live.trouble === undefined ? SLOW_POLL_MS : POLL_MS);
    }
  }
}
