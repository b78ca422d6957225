/** Lines over columns: board sizes, budgets, baselines, or versions of the engine. */

import type { ChartKind, Scene } from "../kind";
import { linesPicture } from "../lines";
import { layoutColumns, type Columns } from "../winrate-layout";

export const columnsPicture = (shown: Columns, scene: Pick<Scene, "unit" | "domain">) => ({
  cases: shown.rows.length,
  ...linesPicture(shown.rows.length, scene, (frame) => layoutColumns(shown, frame)),
});

/** What such charts have in common. */
export const WITH_LINES = { hasBars: true, hasLines: true } as const satisfies Partial<ChartKind>;
