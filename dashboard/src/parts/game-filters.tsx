/** What a search asks of each column of a game. Every choice is in the address. */

import { useRef } from "preact/hooks";
import type { Overview } from "../api";
import { withField, type SearchField, type SearchView } from "../game-search";
import { ArchivedOptions, UnlistedOption, useArchived } from "./archived-options";
import { Select } from "./elements";
import { TextField, type FieldType } from "./text-field";

interface GameFiltersProps {
  view: SearchView;
  overview: Overview | undefined;
  /** Shows another search; `typed` during typing, which is no step to come back from. */
  ask: (view: SearchView, typed: boolean) => void;
}

type Choice = readonly [value: string, name: string];

/** A field of the search: a choice of a few, or a text. */
type Field = { field: SearchField; label: string } & ({ choices: readonly Choice[] } | { type?: FieldType; placeholder?: string; list?: string });

const SIZES = [3, 4, 5, 6, 7, 8, 9, 10];

const choice = (field: SearchField, label: string, ...choices: Choice[]): Field => ({ field, label, choices });

const FIRST: readonly Field[] = [
  { field: "experiment", label: "Experiment", choices: [] },
  { field: "case", label: "Case", placeholder: "words of its name" },
  { field: "baseline", label: "Baseline", placeholder: "words of its name" },
  choice("size", "Board size", ["", "all sizes"], ...SIZES.map((size): Choice => [String(size), `size ${size}`])),
  choice("result", "Result", ["", "any result"], ["win", "won by the case"], ["draw", "drawn"], ["loss", "lost by the case"]),
  choice("kind", "Won by", ["", "any shape"], ["fork", "fork"], ["bridge", "bridge"], ["ring", "ring"]),
  choice("sort", "Order", ["", "newest first"], ["oldest", "oldest first"], ["longest", "longest first"], ["shortest", "shortest first"], ["surprising", "lost against expectation first"]),
];

/** The fields below the fold. */
const MORE: readonly Field[] = [
  { field: "budget", label: "Budget", placeholder: "1000 sims, or 0.5 s" },
  { field: "worker", label: "Worker", placeholder: "name or id", list: "workers-known" },
  choice("side", "Side", ["", "either side"], ["white", "case as White"], ["black", "case as Black"]),
  choice("status", "Plays", ["", "all plays"], ["counted", "that count"], ["excluded", "excluded"], ["superseded", "superseded"]),
  { field: "min_plies", label: "Moves at least", type: "number" },
  { field: "max_plies", label: "Moves at most", type: "number" },
  choice("min_expected", "Loser expected", ["", "anything"], ...[70, 80, 90, 95].map((least): Choice => [String(least), `${least} % or more`])),
  { field: "since", label: "From", type: "date" },
  { field: "until", label: "To", type: "date" },
  { field: "opening", label: "Opening", placeholder: "first moves: d4 e6" },
  { field: "cell", label: "Cell", placeholder: "first digits of its id" },
];

/** Milliseconds without a key after which the typed text is searched for. */
const PAUSE_MS = 350;

export function GameFilters({ view, overview, ask }: GameFiltersProps) {
  const { fields } = view;
  // It is never closed from here: that would take the field away while it is emptied.
  const isOpen = useRef(false);
  isOpen.current ||= MORE.some(({ field }) => field in fields);
  const archived = useArchived();
  const experiments: Choice[] = [["", "all experiments"], ...(overview?.experiments ?? []).map(({ id, name }): Choice => [id, name])];
  const shown = (own: Field) => {
    const { field, label } = own;
    const value = fields[field] ?? "";
    if (!("choices" in own)) {
      const { field: _, label: __, ...more } = own;
      return (
        <label key={field}>
          {label}
          <TextField value={value} pause={PAUSE_MS} {...more} ask={(text) => ask(withField(view, field, text), true)} />
        </label>
      );
    }
    const isExperiment = field === "experiment";
    const choices = isExperiment ? experiments : own.choices;
    const isKnown = choices.some(([known]) => known === value) || (isExperiment && archived.some(({ id }) => id === value));
    return (
      <Select key={field} label={label} value={value} options={choices} choose={(next) => ask(withField(view, field, next), false)}>
        {!isKnown && (isExperiment ? <UnlistedOption experiment={value} /> : <option value={value}>{value}</option>)}
        {isExperiment && <ArchivedOptions archived={archived} />}
      </Select>
    );
  };
  return (
    <form class="search" role="search" aria-label="Games" onSubmit={(event) => event.preventDefault()}>
      {FIRST.map(shown)}
      <details open={isOpen.current}>
        <summary>More</summary>
        <div class="search">
          {MORE.map(shown)}
          <datalist id="workers-known">
            {(overview?.workers ?? []).map(({ id, name }) => (
              <option key={id} value={name} />))}</datalist>
        </div>
      </details>
      {Object.keys(fields).length > 0 && (
        <button type="button" class="plain" onClick={() => ask({ fields: {}, show: view.show }, false)}>
          Clear all
        </button>
      )}
    </form>
  );
}
