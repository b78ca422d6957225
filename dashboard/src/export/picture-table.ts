/** The numbers of a picture as a table: one row for each mark. */

import type { Point } from "../api";
import type { Picture } from "../charts/pictures";
import { RATE } from "../charts/unit";
import type { PlacedPoint } from "../charts/winrate-layout";
import type { Field, Table } from "./table";

const NUMBERS = [
  "size",
  "games",
  "wins",
  "draws",
  "losses",
  "pairs",
  "rate",
  "low",
  "high",
  "cs_low",
  "cs_high",
  "verdict",
  "elo",
  "elo_low",
  "elo_high",
  "cs_elo_low",
  "cs_elo_high",
] as const satisfies readonly (keyof Point)[];

const numbers = (point: Point): Field[] => NUMBERS.map((name) => point[name] ?? null);

/** The lines of a picture with lines; the frame does not matter for what they are. */
export function linesOf(shows: Extract<Picture["shows"], { lines: number }>) {
  return shows.layout({ width: 800, height: 400, unit: RATE, domain: [0, 1], endLabels: false });
}

export function pictureTable({ shows }: Picture): Table {
  if ("heat" in shows) {
    const { across, upwards, fields } = shows.heat;
    return table([across.name, upwards.name], fields.map(({ x, y, point }) => [[field(x), field(y)], point]));
  }
  if ("parallel" in shows) {
    const { parameters, lines } = shows.parallel;
    return table(parameters.map(({ name }) => name), lines.map(({ values, point }) => [values.map(field), point]));
  }
  if ("forest" in shows) {
    const { rows } = shows.forest;
    return table(["case", "shrunken"], rows.map(({ case: owner, shrunken, point }) => [[owner.name, shrunken ?? null], point]));
  }
  const { lines, axis, columns, marks } = linesOf(shows);
  const at = ({ column }: PlacedPoint) => marks?.[column] ?? columns[column]?.text ?? null;
  const name = axis.replace(/ \(logarithmic\)$/, "");
  // The size is among the numbers.
  const own = name === "Board size" ? [] : [name.toLowerCase()];
  const rows = lines.flatMap((line) => line.points.map((placed): [Field[], Point] => [[line.case.name, ...(own.length > 0 ? [at(placed)] : [])], placed.point]));
  return table(["case", ...own], rows);
}

const field = (value: string | number | boolean): Field => (typeof value === "boolean" ? String(value) : value);

function table(names: readonly string[], rows: readonly (readonly [Field[], Point])[]): Table {
  return { columns: [...names, ...NUMBERS], rows: rows.map(([own, point]) => [...own, ...numbers(point)]) };
}
