/** A mark of one cell, with its words: on the page a link to the cell, on paper an image. */

import type { ComponentChildren } from "preact";

interface CellMarkProps {
  words: string;
  /** The address of the cell; on paper there is none. */
  link: string | undefined;
  opacity?: number | undefined;
  class?: string;
  children: ComponentChildren;
}

export function CellMark({ words, link, children, ...rest }: CellMarkProps) {
  const mark = (
    <g role="img" aria-label={words} {...rest}>
      {children}
    </g>
  );
  return link === undefined ? mark : <a href={link}>{mark}</a>;
}
