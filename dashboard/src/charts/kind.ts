/** What a chart of an experiment's cases implements. `list.ts` has all of them. */

import type { Series } from "../api";
import type { View } from "../url";
import { panelTitle, type Case, type Panel } from "./panels";
import type { Picture } from "./picture";
import type { Selection, ShownPanel } from "./selection";
import type { Analysed } from "./standing";
import type { Reference } from "./winrate-layout";

/** A picture of cases. */
export interface CasePicture extends Picture {
  key: string;
  /** The panel that the picture belongs to. */
  panel: string;
  /** Everything that the picture shows; its title is what tells it from the others, and empty if it is the only one. */
  words: string;
  /** How many cases or curves it shows. */
  cases: number;
  /** What is known of the picture besides its marks, such as optima. */
  notes?: readonly string[] | undefined;
  /** The curves of a picture whose lines are no cases. */
  curves?: readonly Case[] | undefined;
}

/** What a view shows of an experiment. */
export interface Scene extends Pick<Selection, "visible" | "panels" | "unit" | "domain">, Pick<View, "across" | "upwards"> {
  sizes: readonly number[];
  references?: readonly Reference[] | undefined;
  analysed?: Analysed | undefined;
  /** The cases as earlier versions of the engine played them. */
  earlier?: readonly Series[] | undefined;
}

export interface ChartKind<Key extends string = string> {
  /** Names it in addresses. */
  key: Key;
  /** Names it on the switch. */
  name: string;
  isOffered: (panels: readonly Panel[], earlier: readonly Series[]) => boolean;
  pictures: (scene: Scene) => CasePicture[];
  /** The axes whose parameter the reader chooses. */
  axes?: readonly ("across" | "upwards")[];
  /** Whether it draws whole sweeps: cases have no marks of their own. */
  isOfSweeps?: boolean;
  /** Whether its marks have bars. */
  hasBars?: boolean;
  /** Whether lines join its points. */
  hasLines?: boolean;
}

export const joined = (parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined && part !== "").join(", ");

/** The pictures of each panel by itself: titles and keys are completed with what tells the panel from others. */
export function ofPanels(
  { visible, panels }: Pick<Scene, "visible" | "panels">,
  pictures: (panel: ShownPanel) => Omit<CasePicture, "panel" | "words">[],
): CasePicture[] {
  return visible.flatMap((panel) => {
    const name = panelTitle(panel, panels);
    const isOnly = visible.every(({ key }) => key === panel.key);
    return pictures(panel).map((own) => ({
      ...own,
      key: [panel.key, panel.group, own.key].join(" "),
      panel: panel.key,
      title: joined([isOnly ? "" : name, panel.group, own.title]),
      words: joined([name, panel.group, own.title]),
    }));
  });
}
