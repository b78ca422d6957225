/** Win rates by version of the engine, a picture for each size: the same cases as earlier versions played them. */

import { group } from "d3-array";
import type { Series } from "../../api";
import { ofPanels, type ChartKind } from "../kind";
import type { Line } from "../panels";
import type { Row } from "../winrate-layout";
import { columnsPicture, WITH_LINES } from "./columns";

const keyOf = ({ group, label, name, baseline_label, budget }: Series) => JSON.stringify([group, label, name, baseline_label, budget]);

export const VERSION: ChartKind<"version"> = {
  key: "version",
  name: "Engine version",
  ...WITH_LINES,
  isOffered: (_, earlier) => earlier.length > 0,
  pictures: (scene) => {
    const earlier = group(scene.earlier ?? [], keyOf);
    return ofPanels(scene, ({ lines, others }) => {
      const all = ({ series }: Line) => [...(earlier.get(keyOf(series)) ?? []), series];
      const versions = [...new Set([...lines, ...others].flatMap(all).map(({ semantics }) => semantics))].sort((a, b) => a - b);
      const rows = (of: readonly Line[], size: number) =>
        of.map((line): Row => {
          const points = all(line).flatMap(({ semantics, points: own }) =>
            own.filter((point) => point.size === size).map((point) => ({ column: versions.indexOf(semantics), point })),
          );
          return { case: line.case, label: line.case.name, points: points.sort((a, b) => a.column - b.column) };
        });
      return scene.sizes.map((size) => {
        const columns = versions.map((version) => `semantics ${version}`);
        const shown = { axis: "Engine version", columns, rows: rows(lines, size), others: rows(others, size) };
        return { key: String(size), title: `size ${size}`, ...columnsPicture(shown, scene) };
      });
    });
  },
};
