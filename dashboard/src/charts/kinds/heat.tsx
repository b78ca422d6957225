/** Win rates by the values of two parameters: a grid, or a plane of marks where there are too many values. */

import { group } from "d3-array";
import type { Point } from "../../api";
import { latexTable } from "../../export/table";
import { valueText } from "../../format";
import type { Tick } from "../axis";
import { FIELD_MARGIN, FieldsChart, type FieldMark, type Fields } from "../fields";
import { ofPanels, type ChartKind } from "../kind";
import { isDifferent } from "../panels";
import { fieldOf, paperTable, pointsTable } from "../points-table";
import { axesOf, MOST_VALUES, mostParameters, othersOf, place, shortly, sweepsOf, type Parameter, type Sweep, type Value } from "../sweeps";
import { RATE, type Unit } from "../unit";

/** A grid or a plane: the parameter across, the one upwards, and the point of each case. */
export interface HeatMap {
  title: string;
  across: Parameter;
  upwards: Parameter;
  fields: Place[];
  /** Whether every case is a mark at its own place, because there are too many values for a grid. */
  scattered: boolean;
  /** What the picture leaves out, in words. */
  cut: readonly string[];
}

interface Place {
  x: Value;
  y: Value;
  point: Point;
}

/** Maps of one sweep at most. */
const MOST_MAPS = 24;
/** Cases that are marks of their own at most. */
const MOST_MARKS = 1_000;

/**
 * The heat maps of a sweep by two parameters, those that a view wants or those with most values: one for each size and for each
 * combination of the values of further parameters. In a tune, whose points are everywhere, one plane for each size.
 */
export function heatMapsOf(sweep: Sweep, sizes: readonly number[], wanted: readonly (string | undefined)[] = [undefined, undefined]): HeatMap[] {
  const [across, upwards] = axesOf(sweep, wanted);
  if (across === undefined || upwards === undefined) return [];
  const scattered = across.values.length > MOST_VALUES || upwards.values.length > MOST_VALUES;
  const combinations = group(sweep.lines, (line) => (scattered ? "" : othersOf(line, sweep, [across.name, upwards.name])));
  const maps = sizes.flatMap((size) => [...combinations].map(([others, lines]) => ({ size, others, lines })));
  return maps.slice(0, MOST_MAPS).map(({ size, others, lines }, i) => {
    const all = lines.flatMap((line): Place[] => {
      const point = line.series.points.find((candidate) => candidate.size === size);
      const [x, y] = [line.series.swept[across.name], line.series.swept[upwards.name]];
      return point !== undefined && x !== undefined && y !== undefined ? [{ x, y, point }] : [];
    });
    const fields = scattered && all.length > MOST_MARKS ? all.sort((a, b) => b.point.games - a.point.games).slice(0, MOST_MARKS) : all;
    const cut = [
      scattered ? "Every mark is a case, the larger the more games it has." : "",
      fields.length < all.length ? `The ${fields.length} cases with most games of ${all.length} are drawn.` : "",
      i === MOST_MAPS - 1 && maps.length > MOST_MAPS ? `${maps.length - MOST_MAPS} more pictures of this sweep are left out. Choose other parameters for the axes.` : "",
    ].filter((words) => words !== "");
    return { title: `${sweep.group}: size ${size}${others === "" ? "" : `, ${others}`}`, across, upwards, fields, scattered, cut };
  });
}

/** The height of a field, and of a plane. */
const FIELD_HEIGHT = 44;
const PLANE = 380;
/** Radius of the smallest mark of a plane, and of the largest. */
const RADII = [3.5, 9] as const;
/** Room of a plane beyond its values, as a part of the axis: the marks at the ends stay inside. */
const EDGE = 0.03;

/** Where the values of a parameter stand, with their marks: in the middle of their fields, or by their scale. */
function axisOf(parameter: Parameter, scattered: boolean) {
  const { name, values, scale } = parameter;
  const at = (value: Value) => (scattered ? EDGE + (1 - 2 * EDGE) * place(parameter, value) : (values.indexOf(value) + 0.5) / values.length);
  const ticks = values.map((value): Tick => ({ at: at(value), text: scattered ? shortly(value) : valueText(value) }));
  return { at, ticks, title: scattered && scale === "log" ? `${name} (logarithmic)` : name };
}

/** The fields of a map as they are drawn. */
export function fieldsOf({ across, upwards, fields, scattered }: HeatMap, unit: Unit): Fields {
  const [x, y] = [axisOf(across, scattered), axisOf(upwards, scattered)];
  const most = Math.max(1, ...fields.map(({ point }) => point.games));
  const mark = (own: Place): FieldMark => {
    const { point } = own;
    const [value, range] = unit.words(point);
    return {
      x: x.at(own.x),
      y: y.at(own.y),
      strength: point.rate === undefined ? undefined : 2 * point.rate - 1,
      text: unit.brief(point),
      isBold: isDifferent(point.verdict),
      words: `${across.name}=${valueText(own.x)}, ${upwards.name}=${valueText(own.y)}, board size ${point.size}: ${value}, interval ${range}${unit === RATE ? " %" : ""}`,
      cell: point.cell,
      radius: scattered ? RADII[0] + (RADII[1] - RADII[0]) * Math.sqrt(point.games / most) : undefined,
    };
  };
  const spacedUpwards = scattered ? y.ticks.filter((_, i) => i % Math.ceil(y.ticks.length / 8) === 0) : y.ticks;
  return {
    height: FIELD_MARGIN.top + FIELD_MARGIN.bottom + (scattered ? PLANE : FIELD_HEIGHT * upwards.values.length),
    fields: fields.map(mark),
    x,
    y: { title: y.title, ticks: spacedUpwards },
    columns: across.values.length,
    rows: upwards.values.length,
  };
}

export const HEAT: ChartKind<"heat"> = {
  key: "heat",
  name: "Two parameters",
  isOfSweeps: true,
  axes: ["across", "upwards"],
  isOffered: (panels) => mostParameters(panels) > 1,
  pictures: (scene) =>
    ofPanels(scene, ({ lines, others }) =>
      sweepsOf([...lines, ...others])
        .flatMap((sweep) => heatMapsOf(sweep, scene.sizes, [scene.across, scene.upwards]))
        .map((map) => {
          const fields = fieldsOf(map, scene.unit);
          const table = () => pointsTable([map.across.name, map.upwards.name], map.fields.map(({ x, y, point }) => [[fieldOf(x), fieldOf(y)], point]));
          return {
            key: map.title,
            title: map.title,
            cases: map.fields.length,
            isUnplayed: map.fields.every(({ point }) => point.rate === undefined),
            notes: map.cut.length > 0 ? [map.cut.join(" ")] : [],
            height: () => fields.height,
            draw: (canvas) => <FieldsChart fields={fields} canvas={canvas} />,
            table,
            latex: (caption) => latexTable(paperTable(table()), caption),
          };
        }),
    ),
};
