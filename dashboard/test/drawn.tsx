/** A picture as the text of a file. */

import { renderToString } from "preact-render-to-string";
import { PAPER } from "../src/charts/palette";
import { Paper } from "../src/charts/paper";
import type { Canvas, Picture } from "../src/charts/picture";

/** A tag a line: differences between two pictures stay readable. */
const lines = (svg: string) => `${svg.replaceAll("><", ">\n<")}\n`;

/** On paper, with its title and legend. */
export const onPaper = (picture: Picture, title = picture.title, width = 560) => lines(renderToString(<Paper picture={picture} title={title} width={width} />));

/** As the page draws it, in the colours of paper. */
export function onPage(picture: Picture, canvas: Partial<Canvas> = {}): string {
  const whole = { width: 560, theme: PAPER, isPaper: false, ...canvas };
  return lines(renderToString(<svg xmlns="http://www.w3.org/2000/svg" width={whole.width} height={picture.height(whole)}>{picture.draw(whole)}</svg>));
}
