/** What a search asks of each column of a game. Every choice is in the address. */

import { useRef } from "preact/hooks";
import type { Overview } from "../api";
import { withField } from "../game-search";
import type { SearchField, SearchView } from "../game-search";
import { ArchivedOptions, UnlistedOption, useArchived } from "./archived-options";
import { TextField } from "./text-field";
import type { FieldType } from "./text-field";

interface GameFiltersProps {
  view: SearchView;
  overview: Overview | undefined;
  /** Shows another search; `typed` while somebody types, which is no step to come back from. */
  ask: (view: SearchView, typed: boolean) => void;
}

type Choice = readonly [value: string, name: string];

const CHOICES: Partial<Record<SearchField, readonly Choice[]>> = {
  result: [
    ["", "any result"],
    ["win", "won by the case"],
    ["draw", "drawn"],
    ["loss", "lost by the case"],
  ],
  kind: [
    ["", "any shape"],
    ["fork", "fork"],
    ["bridge", "bridge"],
    ["ring", "ring"],
  ],
  side: [
    ["", "either side"],
    ["white", "case as White"],
    ["black", "case as Black"],
  ],
  status: [
    ["", "all plays"],
    ["counted", "that count"],
    ["excluded", "excluded"],
    ["superseded", "superseded"],
  ],
  min_expected: [
    ["", "anything"],
    ...[70, 80, 90, 95].map((least): Choice => [String(least), `${least} % or more`]),
  ],
  sort: [
    ["", "newest first"],
    ["oldest", "oldest first"],
    ["longest", "longest first"],
    ["shortest", "shortest first"],
    ["surprising", "lost against expectation first"],
  ],
};

/** The columns below the fold. */
const MORE: readonly SearchField[] = ["budget", "worker", "side", "status", "min_plies", "max_plies", "min_expected", "since", "until", "opening", "cell"];

const SIZES = [3, 4, 5, 6, 7, 8, 9, 10];

/** Milliseconds without a key after which the typed text is searched for. */
const PAUSE_MS = 350;

export function GameFilters({ view, overview, ask }: GameFiltersProps) {
  const { fields } = view;
  // It is never closed from here: that would take the field away from whoever empties it.
  const isOpen = useRef(false);
  isOpen.current ||= MORE.some((field) => field in fields);
  const archived = useArchived();
  const select = (field: SearchField, label: string, choices: readonly Choice[]) => {
    const value = fields[field] ?? "";
    const known = choices.some(([choice]) => choice === value) || (field === "experiment" && archived.some(({ id }) => id === value));
    return (
      <label key={field}>
        {label}
        <select value={value} onChange={(event) => ask(withField(view, field, event.currentTarget.value), false)}>
          {!known && (field === "experiment" ? <UnlistedOption experiment={value} /> : <option value={value}>{value}</option>)}
          {choices.map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
          {field === "experiment" && <ArchivedOptions archived={archived} />}
        </select>
      </label>
    );
  };
  const text = (field: SearchField, label: string, more: { type?: FieldType; placeholder?: string; list?: string } = {}) => (
    <label key={field}>
      {label}
      <TextField value={fields[field] ?? ""} pause={PAUSE_MS} {...more} ask={(value) => ask(withField(view, field, value), true)} />
    </label>
  );
  const experiments = overview?.experiments ?? [];
  const hasWishes = Object.keys(fields).length > 0;
  return (
    <form class="search" role="search" aria-label="Games" onSubmit={(event) => event.preventDefault()}>
      {select("experiment", "Experiment", [["", "all experiments"], ...experiments.map(({ id, name }): Choice => [id, name])])}
      {text("case", "Case", { placeholder: "words of its name" })}
      {text("baseline", "Baseline", { placeholder: "words of its name" })}
      {select("size", "Board size", [["", "all sizes"], ...SIZES.map((size): Choice => [String(size), `size ${size}`])])}
      {select("result", "Result", CHOICES.result!)}
      {select("kind", "Won by", CHOICES.kind!)}
      {select("sort", "Order", CHOICES.sort!)}
      <details open={isOpen.current}>
        <summary>More</summary>
        <div class="search">
          {text("budget", "Budget", { placeholder: "1000 sims, or 0.5 s" })}
          {text("worker", "Worker", { placeholder: "name or id", list: "workers-known" })}
          <datalist id="workers-known">
            {(overview?.workers ?? []).map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
          {select("side", "Side", CHOICES.side!)}
          {select("status", "Plays", CHOICES.status!)}
          {text("min_plies", "Moves at least", { type: "number" })}
          {text("max_plies", "Moves at most", { type: "number" })}
          {select("min_expected", "Loser expected", CHOICES.min_expected!)}
          {text("since", "From", { type: "date" })}
          {text("until", "To", { type: "date" })}
          {text("opening", "Opening", { placeholder: "first moves: d4 e6" })}
          {text("cell", "Cell", { placeholder: "first digits of its id" })}
        </div>
      </details>
      {hasWishes && (
        <button type="button" class="plain" onClick={() => ask({ fields: {}, show: view.show }, false)}>
          Clear all
        </button>
      )}
    </form>
  );
}
