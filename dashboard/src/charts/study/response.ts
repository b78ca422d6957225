/** The fitted win rate along a parameter of a study, with all others as recommended. */

import type { TuneRecommendation, TuneResponse } from "../../api";
import { inPercent, interval, valueText } from "../../format";
import { rateAxis, type ParameterAxis } from "../axis";
import type { Picture } from "../picture";
import { plotPicture, type PlotMark } from "../plot";

export function responsePicture({ rates }: TuneResponse, axis: ParameterAxis, recommended: TuneRecommendation): Picture {
  const y = rateAxis(rates.flatMap(([, { low, high }]) => [low, high]));
  const title = `Win rate by ${axis.name}`;
  const marks = rates.map(
    ([value, { rate, low, high }]): PlotMark => ({
      x: axis.place(value),
      y: y.place(rate),
      bands: [[y.place(low), y.place(high)]],
      words: `${axis.name}=${valueText(value)}: ${inPercent(rate)}, interval ${interval(low, high)} %`,
    }),
  );
  return plotPicture({
    title,
    plot: {
      x: axis,
      y,
      levels: [{ at: y.place(0.5), text: "50" }],
      recommended: axis.place(recommended.point[axis.name]!),
      lines: [{ name: title, look: 0, dots: "each", isApart: axis.isChoice, marks }],
    },
    table: () => ({ columns: [axis.name, "rate", "low", "high"], rows: rates.map(([value, { rate, low, high }]) => [String(value), rate, low, high]) }),
  });
}
