/** The fitted win rate over two parameters of a study, with a ring at what is recommended. */

import type { TunedValue, TuneSurface } from "../../api";
import { inPercent, interval, valueText } from "../../format";
import type { ParameterAxis } from "../axis";
import { FieldsChart, inFields, type Fields } from "../fields";
import type { Picture } from "../picture";

const HEIGHT = 400;
/** The least difference from 50 % that has the strongest colour: small differences are seen, too. */
const LEAST_SPAN = 0.05;

export function surfacePicture({ xs, ys, rates, at }: TuneSurface, x: ParameterAxis, y: ParameterAxis): Picture {
  const span = Math.max(LEAST_SPAN, ...rates.flat().map(({ rate }) => Math.abs(rate - 0.5)));
  const placed = ({ isChoice }: ParameterAxis, values: readonly TunedValue[], part: number) => (isChoice ? part : inFields(values.length, part));
  const axis = (own: ParameterAxis, values: readonly TunedValue[]) => ({ title: own.title, ticks: own.ticks(6).map((tick) => ({ ...tick, at: placed(own, values, tick.at) })) });
  const fields: Fields = {
    height: HEIGHT,
    x: axis(x, xs),
    y: axis(y, ys),
    columns: xs.length,
    rows: ys.length,
    recommended: { x: placed(x, xs, x.place(at[0])), y: placed(y, ys, y.place(at[1])) },
    fields: rates.flatMap((line, j) =>
      line.map(({ rate, low, high }, i) => ({
        x: (i + 0.5) / xs.length,
        y: (j + 0.5) / ys.length,
        strength: (rate - 0.5) / span,
        text: (100 * rate).toFixed(0),
        words: `${x.name}=${valueText(xs[i])}, ${y.name}=${valueText(ys[j])}: ${inPercent(rate)}, interval ${interval(low, high)} %`,
      })),
    ),
  };
  return {
    title: `Win rate by ${x.name} and ${y.name}`,
    height: () => HEIGHT,
    draw: (canvas) => <FieldsChart fields={fields} canvas={canvas} />,
    table: () => ({
      columns: [x.name, y.name, "rate", "low", "high"],
      rows: rates.flatMap((line, j) => line.map(({ rate, low, high }, i) => [String(xs[i]), String(ys[j]), rate, low, high])),
    }),
  };
}
