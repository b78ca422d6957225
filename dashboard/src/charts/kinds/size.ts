/** Win rates by board size, a line for each case. */

import { ofPanels, type ChartKind } from "../kind";
import { bySize } from "../winrate-layout";
import { columnsPicture, WITH_LINES } from "./columns";

export const SIZE: ChartKind<"size"> = {
  key: "size",
  name: "Board size",
  ...WITH_LINES,
  isOffered: () => true,
  pictures: (scene) => {
    const { sizes, references } = scene;
    return ofPanels(scene, ({ lines, others }) => {
      const shown = { axis: "Board size", columns: sizes.map(String), rows: bySize(lines, sizes), others: bySize(others, sizes), ...(references && { references }) };
      return [{ key: "", title: "", ...columnsPicture(shown, scene) }];
    });
  },
};
