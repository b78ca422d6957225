/** The smallest parts of pages: sections, facts, words, alerts, choices, times, names. */

import type { ComponentChildren, VNode } from "preact";
import { ago, CODE, moment, noBreak } from "../format";
import { useNow } from "../live";
import { pathOf } from "../routes";

interface SectionProps {
  /** The id of the heading. */
  id: string;
  title: ComponentChildren;
  kind?: string;
  /** What stands beside the heading. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ id, title, kind, tools, children }: SectionProps) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={kind} aria-labelledby={id}>
      {tools === undefined ? heading : <div class="tools">{heading}{tools}</div>}
      {children}
    </section>
  );
}

const isSpan = (fact: ComponentChildren): fact is VNode => typeof fact === "object" && fact !== null && "type" in fact && fact.type === "span";

/** Facts in a line, with dots between them. Those that are absent are left out; a fact with attributes is a `span`. */
export function Facts({ of, kind = "facts" }: { of: readonly ComponentChildren[]; kind?: string }) {
  const facts = of.filter((fact) => fact !== undefined && fact !== null && fact !== false && fact !== "");
  return <p class={kind}>{facts.map((fact, i) => (isSpan(fact) ? fact : <span key={i}>{fact}</span>))}</p>;
}

/** Why something failed, if it did. */
export function Alert({ words, kind }: { words: string | undefined; kind?: string }) {
  return words === undefined ? null : (
    <p class={kind} role="alert">
      <Words of={words} />
    </p>
  );
}

interface SelectProps<T extends string | number> {
  label: ComponentChildren;
  /** Names the field in forms. */
  name?: string;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  choose: (value: T) => void;
  kind?: string;
  /** Further options, such as a group. */
  children?: ComponentChildren;
}

export function Select<T extends string | number>({ label, name, value, options, choose, kind, children }: SelectProps<T>) {
  const isNumber = typeof value === "number";
  return (
    <label class={kind}>
      {label}{" "}
      <select name={name} value={value} onChange={({ currentTarget }) => choose((isNumber ? Number(currentTarget.value) : currentTarget.value) as T)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>{text}</option>
        ))}
        {children}
      </select>
    </label>
  );
}

/** The same text for each option and its value. */
export const options = <T extends string | number>(values: readonly T[]) => values.map((value) => [value, String(value)] as const);

export function Time({ ms }: { ms: number }) {
  return <time dateTime={new Date(ms).toISOString()}>{moment(ms)}</time>;
}

export function Words({ of: text }: { of: string }) {
  // The parts between the matches, and the matches, by turns.
  return <>{noBreak(text).split(CODE).map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

/** `since` is in milliseconds since 1970 on this machine's clock. */
export function Ago({ since }: { since: number }) {
  return <>{ago(Math.max(0, useNow() - since) / 1000)}</>;
}

export function ShortId({ id }: { id: string }) {
  return (
    <code class="id" title={id}>{id.replaceAll("-", "").slice(0, 8)}</code>
  );
}

export function FirstExperiment({ of }: { of: readonly { id: string; name: string }[] }) {
  const [first] = of;
  return first === undefined ? null : <a href={pathOf("experiment", first.id)}>{first.name}</a>;
}

interface SwitchProps<T extends string> {
  label: string;
  /** None of the options if undefined. */
  value: T | undefined;
  options: readonly (readonly [value: T, text: string])[];
  choose: (value: T) => void;
}

export function Switch<T extends string>({ label, value, options, choose }: SwitchProps<T>) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => choose(option)}>
          {text}
        </button>
      ))}
    </div>
  );
}
