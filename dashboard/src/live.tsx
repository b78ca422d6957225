/**
 * Keeps the overview and what a page shows fresh: fetches again when the coordinator says that something changed, polls
 * when it cannot say so, keeps the last data when it is gone, and rests while the page is hidden.
 */

import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, fetchOverview, openEvents, type Overview } from "./api";

/** Shortest time between two fetches: a busy coordinator sends many events a second. */
const REST_MS = 700;
/** Polling without events. */
const POLL_MS = 3_000;
/** Polling beside events: rates and ages move even when no game ends. */
const SLOW_POLL_MS = 10_000;

export interface Snapshot {
  overview: Overview;
  /** Milliseconds since 1970 on this machine's clock when it was fetched. */
  at: number;
}

export interface Live {
  snapshot: Snapshot | undefined;
  /** Why the last fetch failed; undefined while the coordinator answers. */
  trouble: string | undefined;
  /** Results are not for this browser, unless it signs in. */
  locked: boolean;
  /** How often everything was fetched: with each beat the pages fetch what they show. */
  beat: number;
}

const NOTHING: Live = { snapshot: undefined, trouble: undefined, locked: false, beat: 0 };

/** Why a request failed that had no answer, or none in time. All other troubles are answers. */
export const UNANSWERED = "the coordinator does not answer";

/** Why a request failed, in words. */
export const troubleOf = (error: unknown): string => error instanceof ApiError ? error.message : UNANSWERED;

export class Feed {
  private live: Live = NOTHING;
  private events: EventSource | undefined;
  private eventsOpen = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;
  private fetching = false;
  private again = false;
  private lastFetch = 0;

  constructor(private readonly show: (live: Live) => void) {}

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
    let lost = false;
    this.events = openEvents(
      () => this.schedule(Math.max(0, this.lastFetch + REST_MS - Date.now())),
      () => {
        this.eventsOpen = true;
        // What happened while the stream was down was not told.
        if (lost) this.schedule(0);
        lost = false;
      },
      () => {
        this.eventsOpen = false;
        lost = true;
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
    this.say({ beat: this.live.beat + 1 });
    try {
      const overview = await fetchOverview();
      this.say({ snapshot: { overview, at: Date.now() }, trouble: undefined, locked: false });
      if (this.running) this.listen();
    } catch (error) {
      const locked = error instanceof ApiError && (error.status === 401 || error.status === 403);
      this.say({ locked, trouble: troubleOf(error) });
    } finally {
      this.fetching = false;
    }
    // A reader without access is not asked again: signing in reloads the page.
    if (this.live.locked) {
      this.closeEvents();
      return;
    }
    if (this.again) {
      this.again = false;
      this.schedule(0);
    } else {
      this.schedule(this.eventsOpen && this.live.trouble === undefined ? SLOW_POLL_MS : POLL_MS);
    }
  }

  private say(news: Partial<Live>): void {
    this.live = { ...this.live, ...news };
    this.show(this.live);
  }
}

export function useFeed(): Live {
  const [live, setLive] = useState<Live>(NOTHING);
  useEffect(() => new Feed(setLive).start(), []);
  return live;
}

/** The beat of the feed. */
export const Beat = createContext(0);

/** Something that a page shows, as it was fetched last. */
export interface Fetched<T> {
  data: T | undefined;
  /** The coordinator has no such thing. */
  unknown: boolean;
  /** Why the last fetch failed. */
  trouble: string | undefined;
  /** Milliseconds since 1970 on this machine's clock when it was fetched. */
  at: number;
}

/** Answers that are kept of each kind. Reports of large experiments are megabytes. */
const KEPT = 6;

/** The latest answers, by what fetched them and for what: a way back shows them at once, and also while the coordinator does not answer. */
const answers = new Map<unknown, Map<string, Fetched<unknown>>>();

function keep(load: unknown, key: string, answer: Fetched<unknown>): void {
  const own = answers.get(load) ?? new Map<string, Fetched<unknown>>();
  own.delete(key);
  own.set(key, answer);
  for (const oldest of [...own.keys()].slice(0, -KEPT)) own.delete(oldest);
  answers.set(load, own);
}

/** The latest answer for this, if it is kept. */
function known<T>(load: unknown, key: string): Fetched<T> {
  return (answers.get(load)?.get(key) as Fetched<T> | undefined) ?? BEFORE;
}

/**
 * What `load` answers for these arguments, fetched again with every beat. `load` must be the same function each time, such
 * as one of `api.ts`. While the answer is under way there is what was known before, if anything.
 */
export function useFetched<A extends readonly (string | number | undefined)[], T>(
  load: (...args: A) => Promise<T>,
  ...args: A
): Fetched<T> {
  const beat = useContext(Beat);
  const key = JSON.stringify(args);
  const [fetched, setFetched] = useState<Fetched<T> & { key: string }>(() => ({ ...known<T>(load, key), key }));
  const asked = useRef<string>(undefined);
  useEffect(() => {
    // A slow answer is waited for: the next beat asks again.
    if (beat === 0 || asked.current === key) return;
    asked.current = key;
    const wanted = () => asked.current === key;
    load(...args)
      .then(
        (data) => {
          const answer = { data, unknown: false, trouble: undefined, at: Date.now() };
          keep(load, key, answer);
          if (wanted()) setFetched({ ...answer, key });
        },
        (error: unknown) => {
          if (!wanted()) return;
          // An id that is not even one is refused with 400; either way there is no such thing.
          const unknown = error instanceof ApiError && (error.status === 404 || error.status === 400);
          setFetched((last) => ({ ...(last.key === key ? last : known<T>(load, key)), key, unknown, trouble: troubleOf(error) }));
        },
      )
      .finally(() => {
        if (wanted()) asked.current = undefined;
      });
  }, [beat, key, load]);
  useEffect(() => () => void (asked.current = undefined), []);
  return fetched.key === key ? fetched : known<T>(load, key);
}

const BEFORE = { data: undefined, unknown: false, trouble: undefined, at: 0 } as const;

/** Milliseconds since 1970 on this machine's clock. */
export const Now = createContext(0);

export const useNow = () => useContext(Now);

/** The time for what is inside, while the page is in view. */
export function Clock({ children }: { children: ComponentChildren }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = () => document.visibilityState === "visible" && setNow(Date.now());
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);
  return <Now.Provider value={now}>{children}</Now.Provider>;
}
