/** The series as switches. */

import { lookOf, MarkerShape, SCREEN, type Look } from "../charts/palette";
import type { Case } from "../charts/panels";
import type { LegendEntry } from "../charts/picture";

/** A piece of a line with its marker. */
function Sample({ look }: { look: Look }) {
  const colour = SCREEN.series[look.colour]!;
  return (
    <svg width="26" height="12" viewBox="-13 -6 26 12" aria-hidden="true">
      <path d="M-13 0H13" stroke={colour} stroke-width="1.8" stroke-dasharray={look.dash || undefined} />
      <MarkerShape marker={look.marker} colour={colour} surface="var(--surface)" />
    </svg>
  );
}

/** The names of the curves of one picture. */
export function CurveNames({ curves }: { curves: readonly Case[] }) {
  return (
    <ul class="curves">
      {curves.map(({ key, name, look }) => (
        <li key={key}>
          <Sample look={look} />
          {name}
        </li>
      ))}
    </ul>
  );
}

interface LegendProps {
  cases: Case[];
  /** Whether the picture has a mark for each of them. */
  isMarked: boolean;
  hidden: readonly string[];
  toggle: (key: string) => void;
  /** Draws this case alone. */
  only: (key: string) => void;
  showAll: () => void;
  /** The case pointed at, which the picture lets stand out. */
  point: (key: string | undefined) => void;
}

export function Legend({ cases, isMarked, hidden, toggle, only, showAll, point }: LegendProps) {
  return (
    <div class="legend" role="group" aria-label="Series">
      {cases.map(({ key, short, look }) => {
        const on = !hidden.includes(key);
        return (
          <button
            key={key}
            type="button"
            aria-pressed={on}
            title="Double-click: only this one"
            onClick={() => toggle(key)}
            onDblClick={() => only(key)}
            onPointerEnter={() => point(on ? key : undefined)}
            onPointerLeave={() => point(undefined)}
            onFocus={(event) => event.currentTarget.matches(":focus-visible") && point(on ? key : undefined)}
            onBlur={() => point(undefined)}
          >
            {isMarked && <Sample look={look} />}
            {short}
          </button>
        );
      })}
      {cases.some(({ key }) => hidden.includes(key)) && (
        <button type="button" class="plain" onClick={showAll}>Show all</button>
      )}
    </div>
  );
}

/** Without a look, its place alone. */
export function Mark({ look, surface = "var(--surface)", hollow = false }: { look: Pick<Look, "marker" | "colour"> | undefined; surface?: string; hollow?: boolean }) {
  return (
    <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
      {look && <MarkerShape marker={look.marker} colour={SCREEN.series[look.colour]!} surface={surface} hollow={hollow} />}
    </svg>
  );
}

/** A case in a table, as its line is drawn in the picture; without a look, one that is not drawn. */
export function CaseName({ of: { look, name }, title }: { of: { look: Look | undefined; name: string }; title?: string }) {
  return (
    <span class="case" title={title}>
      <Mark look={look} />
      {name}
    </span>
  );
}

export function LinesLegend({ lines }: { lines: readonly LegendEntry[] }) {
  return (
    <ul class="curves" aria-label="Lines">
      {lines.map(({ look, name, isHollow = false }) => (
        <li key={name}>
          <Mark look={{ marker: lookOf(look).marker, colour: look }} hollow={isHollow} />
          {name}
        </li>
      ))}
    </ul>
  );
}
