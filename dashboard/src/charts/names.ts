/** Names of cases as pictures and tables write them: without what all share, and cut where they agree. */

/** The words of a name, which commas or blanks separate. */
const wordsOf = (name: string) => name.split(/,?\s+/).filter((word) => word !== "");

/** The words that all of these names have. */
function sharedWords(names: readonly string[]): Set<string> {
  const [first = [], ...others] = names.map((name) => new Set(wordsOf(name)));
  return new Set([...first].filter((word) => others.every((words) => words.has(word))));
}

/** What all names share, in the order of the first one, and the names without it. Names that would be empty or equal stay whole. */
export function withoutShared(names: readonly string[]): { shared: string[]; names: string[] } {
  const shared = names.length > 1 ? sharedWords(names) : new Set<string>();
  const short = names.map((name) => {
    const rest = wordsOf(name).filter((word) => !shared.has(word));
    return rest.join(name.includes(", ") ? ", " : " ");
  });
  const isDifferent = shared.size > 0 && short.every((name) => name !== "") && new Set(short).size === new Set(names).size;
  return isDifferent ? { shared: wordsOf(names[0]!).filter((word) => shared.has(word)), names: short } : { shared: [], names: [...names] };
}

/** A text of at most `max` letters, the last `tail` of which are those of its end. */
function cut(text: string, max: number, tail: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1 - tail)}…${text.slice(text.length - tail)}`;
}

/** Where texts are cut, as the part of the letters that are kept behind the cut: first in the middle, where names of a sweep are the same. */
const TAILS = [1 / 2, 3 / 4, 1, 1 / 4, 0];

/** A text in which each run of these words is an ellipsis; the text itself if nothing else is in it. */
function elided(text: string, words: ReadonlySet<string>): string {
  if (words.size === 0) return text;
  const parts: string[] = [];
  for (const word of wordsOf(text)) {
    if (!words.has(word)) parts.push(word);
    else if (parts.at(-1) !== "…") parts.push("…");
  }
  return parts.some((part) => part !== "…") ? parts.join(" ") : text;
}

/** Letters of a key that say which it is. */
const LEAST_KEY = 4;

const keyOf = (word: string) => (word.includes("=") ? word.slice(0, word.indexOf("=")) : undefined);

/** Texts of words such as `rave_k=100` with the keys that all of them have shortened, the longest first, until the longest text fits. */
function withShortKeys(texts: readonly string[], max: number): string[] {
  const keys = texts.map((text) => new Set(wordsOf(text).map(keyOf)));
  const own = (text: string) => text.length > max;
  const common = [...(keys.find((_, i) => own(texts[i]!)) ?? [])].filter(
    (key): key is string => key !== undefined && keys.every((of, i) => !own(texts[i]!) || of.has(key)),
  );
  const short = new Map(common.map((key) => [key, key]));
  const write = (text: string) =>
    own(text) ? text.replace(/[^\s,=]+(?==)/g, (key) => short.get(key) ?? key) : text;
  for (;;) {
    const longest = Math.max(...texts.map((text) => write(text).length));
    const [key, at] = [...short].reduce((best, next) => (next[1].length > best[1].length ? next : best), ["", ""]);
    if (longest <= max || at.length <= LEAST_KEY) break;
    short.set(key, `${at.replace(/…$/, "").slice(0, Math.max(LEAST_KEY - 1, at.replace(/…$/, "").length - (at.endsWith("…") ? 1 : 2)))}…`);
  }
  return texts.map(write);
}

/** A text of at most `max` letters around this place. */
function around(text: string, place: number, max: number): string {
  const from = Math.max(0, Math.min(place - Math.floor(max / 3), text.length - max + 1));
  const room = max - (from > 0 ? 1 : 0);
  const isWhole = text.length - from <= room;
  return `${from > 0 ? "…" : ""}${isWhole ? text.slice(from) : `${text.slice(from, from + room - 1)}…`}`;
}

/** The first place at which a text differs from one of these. */
function firstDifference(text: string, others: readonly string[]): number {
  const places = others.map((other) => [...text].findIndex((letter, i) => letter !== other[i]));
  return Math.min(...places.map((place) => (place < 0 ? text.length : place)));
}

const kinds = (of: readonly string[]) => new Set(of).size;

/** Texts of at most `max` letters. Those that are longer are shortened where they agree, so that they stay different. */
export function shortenAll(texts: readonly string[], max: number): string[] {
  const long = texts.filter((text) => text.length > max);
  if (long.length === 0) return [...texts];
  const agreed = kinds(long) > 1 ? sharedWords(long) : new Set<string>();
  const told = texts.map((text) => (text.length <= max ? text : elided(text, agreed)));
  const brief = kinds(long) > 1 ? withShortKeys(told, max) : told;
  const ways = TAILS.map((part) => brief.map((text) => cut(text, max, Math.ceil(part * (max - 1)))));
  const best = ways.reduce((best, way) => (kinds(way) > kinds(best) ? way : best));
  return best.map((short, i) => {
    const text = texts[i]!;
    const equal = texts.filter((other, j) => other !== text && best[j] === short);
    return equal.length === 0 ? short : around(text, firstDifference(text, equal), max);
  });
}

/** A text shortened in its middle. */
export const shorten = (text: string, max: number): string => shortenAll([text], max)[0]!;
