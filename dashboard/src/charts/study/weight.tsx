/** Where the weight of a study's model is along a parameter: a bar for each value or part of the range. */

import type { TuneShares } from "../../api";
import { inPercent, valueText } from "../../format";
import type { ParameterAxis } from "../axis";
import { BarsChart, type Bars } from "../bars";
import { inFields } from "../fields";
import type { Picture } from "../picture";

const HEIGHT = 140;

export function weightPicture({ name, parts }: TuneShares, axis: ParameterAxis, recommended: number | undefined): Picture {
  const most = Math.max(1e-9, ...parts.map(({ share }) => share));
  // The bars of single values stand around them.
  const isSingle = parts.every(({ from, to }) => from === to) && !axis.isChoice;
  const placed = (part: number) => (isSingle ? inFields(parts.length, part) : part);
  const bars: Bars = {
    height: HEIGHT,
    x: { title: axis.title, ticks: axis.ticks(6).map(({ at, text }) => ({ at: placed(at), text })) },
    y: { ticks: [{ at: 1, text: inPercent(most) }] },
    recommended: recommended === undefined ? undefined : placed(recommended),
    bars: parts.map(({ from, to, share }, i) => {
      const middle = isSingle ? placed(axis.place(from)) : (i + 0.5) / parts.length;
      return {
        from: middle - 0.5 / parts.length,
        to: middle + 0.5 / parts.length,
        words: `${name} ${from === to ? valueText(from) : `${valueText(from)} to ${valueText(to)}`}: ${inPercent(share)} of the weight`,
        parts: [{ height: share / most, look: 2 }],
      };
    }),
  };
  return {
    title: `Weight by ${name}`,
    height: () => HEIGHT,
    draw: (canvas) => <BarsChart bars={bars} canvas={canvas} />,
    table: () => ({ columns: ["from", "to", "share"], rows: parts.map(({ from, to, share }) => [String(from), String(to), share]) }),
  };
}
