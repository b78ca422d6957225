/** A sweep of several parameters: a line for each case across an axis for each parameter, ending at its win rate. */

import { latexTable } from "../../export/table";
import { valueText } from "../../format";
import { linearAxis } from "../axis";
import { ofPanels, type ChartKind, type Scene } from "../kind";
import { isDifferent } from "../panels";
import { fieldOf, paperTable, pointsTable } from "../points-table";
import { STRANDS_HEIGHT, StrandsChart, type Strands } from "../strands";
import { mostParameters, place, shortly, sweepsOf, type Sweep } from "../sweeps";
import { RATE } from "../unit";

/** Marks of the last axis. */
const TICKS = 4;

/** The picture of a sweep on a size, if it has results there. */
function parallelOf({ group, parameters, lines }: Sweep, size: number, { unit, domain }: Pick<Scene, "unit" | "domain">) {
  const all = lines.flatMap(({ case: owner, series }) => {
    const point = series.points.find((candidate) => candidate.size === size);
    const values = parameters.flatMap(({ name }) => series.swept[name] ?? []);
    return point === undefined || point.rate === undefined || values.length < parameters.length ? [] : [{ owner, values, point, rate: point.rate }];
  });
  const sign = unit === RATE ? " %" : "";
  const last = linearAxis(unit === RATE ? "Win rate" : "Elo", domain, { write: (value) => unit.mark(value) + sign });
  const strands: Strands = {
    axes: parameters.map((parameter) => ({ name: parameter.name, ticks: parameter.values.map((value) => ({ at: place(parameter, value), text: shortly(value) })) })),
    end: { name: last.title, ticks: last.ticks(TICKS) },
    strands: all.map(({ owner, values, point, rate }) => {
      const [value, range] = unit.words(point);
      return {
        key: owner.key,
        places: values.map((own, i) => place(parameters[i]!, own)),
        end: last.place(unit.of(point)!.value),
        rate,
        words: `${parameters.map(({ name }, i) => `${name}=${valueText(values[i])}`).join(", ")}: ${value}, interval ${range}${sign}`,
        isStrong: isDifferent(point.verdict),
        cell: point.cell,
      };
    }),
  };
  const table = () => pointsTable(parameters.map(({ name }) => name), all.map(({ values, point }) => [values.map(fieldOf), point]));
  return { title: `${group}: size ${size}`, strands, table };
}

export const PARALLEL: ChartKind<"parallel"> = {
  key: "parallel",
  name: "All parameters",
  isOfSweeps: true,
  isOffered: (panels) => mostParameters(panels) > 2,
  pictures: (scene) =>
    ofPanels(scene, ({ lines, others }) =>
      sweepsOf([...lines, ...others])
        .filter(({ parameters }) => parameters.length > 1)
        .flatMap((sweep) => scene.sizes.map((size) => parallelOf(sweep, size, scene)))
        .filter(({ strands }) => strands.strands.length > 0)
        .map(({ title, strands, table }) => ({
          key: title,
          title,
          cases: strands.strands.length,
          height: () => STRANDS_HEIGHT,
          draw: (canvas) => <StrandsChart strands={strands} canvas={canvas} />,
          table,
          latex: (caption) => latexTable(paperTable(table()), caption),
        })),
    ),
};
