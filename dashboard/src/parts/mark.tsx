/** The marker of a line beside its name. */

import { MarkerShape } from "../charts/marker";
import { SCREEN } from "../charts/palette";
import type { Look } from "../charts/palette";

/** Without a look, its place alone. */
export function Mark({ look, surface = "var(--surface)", hollow = false }: { look: Pick<Look, "marker" | "colour"> | undefined; surface?: string; hollow?: boolean }) {
  return (
    <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
      {look && <MarkerShape marker={look.marker} colour={SCREEN.series[look.colour]!} surface={surface} hollow={hollow} />}
    </svg>
  );
}

/** A case in a table, as its line is drawn in the picture; without a look, one that is not drawn. */
export function CaseName({ of: { look, name } }: { of: { look: Look | undefined; name: string } }) {
  return (
    <span class="case">
      <Mark look={look} />
      {name}
    </span>
  );
}
