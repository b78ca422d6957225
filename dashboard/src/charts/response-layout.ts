/** Where everything of a parameter-response picture stands: win rate by the value of one parameter. */

import { valueText } from "../format";
import { spaced, textRoom } from "./axis";
import type { Fit } from "./fits";
import type { Curve, Response } from "./responses";
import { place, placeBetween, shortly } from "./sweeps";
import { RATE } from "./unit";
import { endLabels, frame, lineOf, pathOf, placePoint, type Frame, type PlacedPoint, type WinRateLayout } from "./winrate-layout";

/** Farthest that neighbouring curves stand apart at a value, in pixels. */
const DODGE = 5;
/** Smallest distance of two values that are both written, in pixels. */
const TICK_GAP = 34;

export function layoutResponse({ parameter, curves, scattered }: Response, input: Frame, fits: readonly Fit[] = []): WinRateLayout {
  const texts = curves.map((curve) => curve.case.short);
  const { box, xOf: xOfPart, yOf, domain, ...axes } = frame(input, texts);
  const width = box.right - box.left;
  const pad = Math.min(28, width / 8) / width;
  const part = (own: number) => pad + own * (1 - 2 * pad);
  const across = (own: number) => xOfPart(part(own));
  const xOf = (value: Curve["points"][number]["value"]) => across(place(parameter, value));
  // Values of a long sweep stand close: their curves and bars have to share the room between them.
  const xs = parameter.values.map(xOf);
  const apart = Math.min(width, ...xs.slice(1).map((x, i) => x - xs[i]!));
  const dodge = scattered ? 0 : Math.min(DODGE, (0.8 * apart) / curves.length);
  const placeOf = new Map(parameter.values.map((value, i) => [value, i]));
  const lines = curves.map(({ case: owner, points }, index) => {
    const offset = (index - (curves.length - 1) / 2) * dodge;
    const placed = points.flatMap(({ value, point }): PlacedPoint[] => {
      const own = scattered ? owner.name : `${parameter.name}=${valueText(value)}${owner.name.startsWith("size") ? "" : `, ${owner.name}`}`;
      const name = `${own}, board size ${point.size}`;
      return placePoint(owner, point, { x: xOf(value) + offset, yOf, unit: input.unit, domain, column: placeOf.get(value)!, name });
    });
    return { case: owner, path: lineOf(placed), points: placed };
  });
  const marks = parameter.values.map((value) => ({ at: part(place(parameter, value)), text: scattered ? shortly(value) : valueText(value) }));
  return {
    box,
    ...axes,
    axis: parameter.scale === "log" ? `${parameter.name} (logarithmic)` : parameter.name,
    columns: spaced(marks, width, (text) => Math.max(TICK_GAP, textRoom(text))),
    room: Math.max(1, dodge),
    marks: parameter.values.map((value) => valueText(value)),
    lines,
    others: [],
    labels: endLabels(lines, input.hasEndLabels ? texts : undefined, box, input.width),
    references: [],
    // The coordinator's curves are win rates.
    fits: input.unit !== RATE ? [] : fits.map(({ case: owner, curve: { line, optimum } }) => ({
      case: owner,
      path: pathOf(line.map(([value, rate]) => ({ x: across(placeBetween(parameter, value)), y: yOf(rate) }))),
      optimum:
        optimum.kind === "flat"
          ? undefined
          : {
              x: across(placeBetween(parameter, optimum.at)),
              xLow: across(placeBetween(parameter, optimum.low)),
              xHigh: across(placeBetween(parameter, optimum.high)),
              y: yOf(optimum.rate),
            },
    })),
  };
}
