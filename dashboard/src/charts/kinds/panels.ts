/** Win rates across panels: by budget, with a picture for each baseline and size, or by baseline, with one for each budget and size. */

import { group } from "d3-array";
import { joined, type CasePicture, type ChartKind, type Scene } from "../kind";
import { budgetsOf, type Case } from "../panels";
import type { ShownPanel } from "../selection";
import type { Row } from "../winrate-layout";
import { columnsPicture, WITH_LINES } from "./columns";

export const BUDGET: ChartKind<"budget"> = {
  key: "budget",
  name: "Budget",
  ...WITH_LINES,
  isOffered: (panels) => new Set(panels.map(({ budget }) => budget)).size > 1,
  pictures: (scene) => acrossPanels(scene, "budget", "baseline"),
};

export const BASELINE: ChartKind<"baseline"> = {
  key: "baseline",
  name: "Baseline",
  ...WITH_LINES,
  isOffered: (panels) => new Set(panels.map(({ baseline }) => baseline)).size > 1,
  pictures: (scene) => acrossPanels(scene, "baseline", "budget"),
};

function acrossPanels(scene: Scene, along: "budget" | "baseline", common: "budget" | "baseline"): CasePicture[] {
  const groups = group(scene.visible, (panel) => JSON.stringify([panel[common], panel.group]));
  return [...groups].flatMap(([of, members]) => {
    const panels = along === "budget" ? budgetsOf(members) : members;
    const columns = panels.map((panel) => panel[along]);
    const { baseline, budget, group: name } = panels[0]!;
    const own = groups.size === 1 ? "" : common === "baseline" ? `against ${baseline}` : budget;
    return scene.sizes.map((size) => {
      const key = `${of} ${size}`;
      const title = joined([own, name, `size ${size}`]);
      const shown = { axis: along === "budget" ? "Budget" : "Baseline", columns, rows: rowsOf(panels, size, "lines"), others: rowsOf(panels, size, "others") };
      return { key, panel: key, title, words: `by ${along}, ${title}`, ...columnsPicture(shown, scene) };
    });
  });
}

/** The cases of several panels on one size, with a column for each panel. */
function rowsOf(panels: readonly ShownPanel[], size: number, part: "lines" | "others"): Row[] {
  const rows = new Map<string, { case: Case; label: string; points: Row["points"][number][] }>();
  panels.forEach((panel, column) => {
    for (const { case: owner, series } of panel[part]) {
      const row = rows.get(owner.key) ?? { case: owner, label: series.label, points: [] };
      const point = series.points.find((candidate) => candidate.size === size);
      if (point !== undefined) row.points.push({ column, point });
      rows.set(owner.key, row);
    }
  });
  return [...rows.values()];
}
