/** Numbers in words and digits. Nothing here computes a statistic. */

import { formatLocale } from "d3-format";
import type { Budget } from "./api";

const NONE = "–";

/** A number that may be absent. */
type Maybe = number | null | undefined;

const isNumber = (value: Maybe): value is number => value !== null && value !== undefined;

const THIN = "\u202f";

const { format } = formatLocale({ decimal: ".", thousands: THIN, grouping: [3], currency: ["", ""] });

/** One decimal, rounded as the coordinator rounds: of two that are equally near, the even one. */
const TENTHS = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1, roundingMode: "halfEven", useGrouping: false });
const tenths = (value: number) => TENTHS.format(value);

/** A fraction as a percentage without the sign: `0.7216` is `72.2`. */
export const percent = (rate: Maybe): string => isNumber(rate) ? tenths(100 * rate) : NONE;

/** The same with the sign, which never stands alone on a line: `72.2 %`. */
export const inPercent = (rate: Maybe): string => isNumber(rate) ? `${percent(rate)}\u00a0%` : NONE;

/** The same, short enough for an axis: `0.5` is `50`. */
export const shortPercent = (rate: number): string => percent(rate).replace(/\.0$/, "");

/** An interval of fractions in per cent: `68.0–76.1`. */
export const interval = (low: Maybe, high: Maybe): string => isNumber(low) && isNumber(high) ? `${percent(low)}–${percent(high)}` : NONE;

/** The ends of a confidence sequence in per cent, rounded outwards, as the coordinator says them: what holds must not be narrowed. */
export function sequence(low: Maybe, high: Maybe): string {
  if (!isNumber(low) || !isNumber(high)) return NONE;
  const digits = 100 * high - 100 * low < 0.5 ? 2 : 1;
  const scale = 10 ** digits;
  // An end that is a round number up to rounding errors stays the round number.
  const ends = [Math.floor(100 * low * scale + 1e-9), Math.ceil(100 * high * scale - 1e-9)];
  return ends.map((end) => (end / scale).toFixed(digits)).join("–");
}

/** A difference of fractions in percentage points: `0.034` is `3.4`. */
export const points = (difference: number): string => tenths(100 * difference);

/** The same with its sign. */
export function signed(difference: number): string {
  const text = points(Math.abs(difference));
  return text === "0.0" ? text : `${difference < 0 ? "−" : "+"}${text}`;
}

/** A p-value. */
export const probability = (value: number): string => value < 0.001 ? "< 0.001" : value.toFixed(3);

/** A p-value with its sign: `p = 0.016`, or `p < 0.001`. */
export const pValue = (value: number): string => value < 0.001 ? `p ${probability(value)}` : `p = ${probability(value)}`;

/** Numbers from this on have an exponent, and so have those below the smaller one: so many digits cannot be read. */
const LARGE = 1e9;
const SMALL = 1e-4;

/** A number in at most so many digits, as the coordinator writes numbers: `0.3`, `1500`, `2.8e9`. */
export function number(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? NONE : value > 0 ? "∞" : "−∞";
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  return rounded === 0 || (size >= SMALL && size < LARGE) ? String(rounded) : rounded.toExponential().replace("e+", "e");
}

/** The value of a parameter. */
export function valueText(value: number | string | boolean | undefined, digits = 6): string {
  return typeof value === "number" ? number(value, digits) : String(value);
}

const GROUPED = format(",.0f");

/** A whole number in groups of three, separated by thin spaces. */
export const count = (value: number) => (Math.abs(value) >= LARGE ? number(value) : GROUPED(value));

/** `1 pair`, `2 pairs`. */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${Math.round(value) === 1 ? "" : "s"}`;

/** `12 of 20`. A cell that another experiment has, too, may have more games than are planned here. */
export function progress(games: number, planned: number): string {
  return games > planned ? `${count(games)}, shared; ${count(planned)} planned here` : `${count(games)} of ${count(planned)}`;
}

/** Games a minute, with a decimal while they are few. */
export const perMinute = (value: number): string => value === 0 ? "0" : value < 10 ? value.toFixed(1) : count(value);

const SIGNED = format("+.0f");

/** Elo difference with its sign. */
export function elo(value: Maybe): string {
  if (!isNumber(value)) return NONE;
  return Math.round(value) === 0 ? "0" : SIGNED(value);
}

/** An interval of Elo differences: `−12 to +∞`. The coordinator leaves out an end that is infinite. */
export const eloInterval = (low: Maybe, high: Maybe): string => `${isNumber(low) ? elo(low) : "−∞"} to ${isNumber(high) ? elo(high) : "+∞"}`;

/** A number with two decimals. */
export const hundredths = format(".2f");

const UNITS: [string, number][] = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
];

/** Seconds in its two largest units: `2 h 5 min`. No line begins with a unit. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const first = UNITS.findIndex(([, length]) => whole >= length);
  if (first < 0) return "0\u00a0s";
  const [unit, length] = UNITS[first]!;
  const next = UNITS[first + 1];
  const text = `${Math.floor(whole / length)}\u00a0${unit}`;
  if (next === undefined) return text;
  const rest = Math.floor((whole % length) / next[1]);
  return rest === 0 ? text : `${text} ${rest}\u00a0${next[0]}`;
}

/** So many of a unit are still read well at an axis. */
const MOST_OF_A_UNIT = 120;

/** The unit of a time axis of so many seconds, with its own seconds. */
export function timeUnit(length: number): readonly [name: string, seconds: number] {
  const units = [["seconds", 1], ["minutes", 60], ["hours", 3_600], ["days", 86_400]] as const;
  return units.find(([, own]) => length / own <= MOST_OF_A_UNIT) ?? units.at(-1)!;
}

/** How long ago, in the largest unit that fits. */
export function ago(seconds: number): string {
  return seconds < 1.5 ? "just now" : `${duration(seconds < 60 ? seconds : seconds - (seconds % 60))} ago`;
}

/** Three digits in thousands or millions: `45.5k`, `3.41M`. */
export const kilo = format(".3s");

const THREE_DIGITS = format(".3~s");

/** A number in few digits: `0.04`, `12`, `3.4k`, `1.2M`. */
export function brief(value: number): string {
  const size = Math.abs(value);
  if (size >= LARGE || (size > 0 && size < SMALL)) return number(value, 2);
  if (size >= 1e3) return THREE_DIGITS(value);
  return size >= 10 || Number.isInteger(value) ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

/** A ratio in about three digits: `0.033`, `0.87`, `75.0`, `103`. */
export function ratio(value: number): string {
  return value < 0.1 ? value.toFixed(3) : value < 100 ? value.toFixed(value < 10 ? 2 : 1) : count(value);
}

/** What a move may cost. */
export function budget(value: Budget): string {
  return "sims" in value ? `${count(value.sims)} simulations a move` : `${number(value.reference_seconds)} reference s a move`;
}

/** Day and time in the reader's own zone, which is named: commands print UTC. */
export function moment(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" });
}

/** Wall-clock time of day in the reader's own zone, which is named. */
export function clock(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" });
}

/** What stands between backticks. */
export const CODE = /`([^`]+)`/;

/** A text for places that show no code, such as the title of a picture. */
export const plain = (text: string): string => text.replace(new RegExp(CODE, "g"), "$1");

/** A text in which a sign of per cent stays on the line of its number. */
export const noBreak = (text: string): string => text.replace(/(\d) %/g, "$1\u00a0%");

/** A text with a capital at its beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
