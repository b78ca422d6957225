/** A mark with its words: on the page a link to its cell, if it has one; on paper an image. */

import type { ComponentChildren } from "preact";
import { pathOf } from "../routes";

interface CellMarkProps {
  words: string;
  cell: string | undefined;
  isPaper: boolean;
  opacity?: number | undefined;
  class?: string;
  children: ComponentChildren;
}

export function CellMark({ words, cell, isPaper, children, ...rest }: CellMarkProps) {
  const mark = (
    <g role="img" aria-label={words} {...rest}>
      {children}
    </g>
  );
  return cell === undefined || isPaper ? mark : <a href={pathOf("cell", cell)}>{mark}</a>;
}
