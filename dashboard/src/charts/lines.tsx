/** Pictures of lines with a point for each column: how they are drawn, and the same as a table and in LaTeX. */

import type { Point } from "../api";
import { escapeLatex } from "../export/latex";
import { axisValue, coordinate, figure, leftOut, MARKS } from "../export/pgfplots";
import type { Field } from "../export/table";
import { isPale } from "./panels";
import type { Canvas, Picture } from "./picture";
import { pointsTable } from "./points-table";
import { RATE, type Unit } from "./unit";
import { PALE, WinRate } from "./winrate";
import type { Frame, PlacedPoint, WinRateLayout } from "./winrate-layout";

/** Names at line ends need this width of the page, and each this height. */
const LABELS_FROM_WIDTH = 560;
const LABEL_HEIGHT = { page: 26, paper: 19 };
const PAPER_HEIGHT = 420;

const heightOf = ({ width, isPaper }: Pick<Canvas, "width" | "isPaper">) => (isPaper ? PAPER_HEIGHT : Math.round(Math.min(470, Math.max(300, width * 0.52))));

const axisName = (axis: string) => axis.replace(/ \(logarithmic\)$/, "");

/** A picture of so many lines. */
export function linesPicture(count: number, { unit, domain }: Pick<Frame, "unit" | "domain">, layoutIn: (frame: Frame) => WinRateLayout): Pick<Picture, "height" | "draw" | "table" | "latex" | "lines"> {
  const layout = (canvas: Pick<Canvas, "width" | "isPaper">) => {
    const { width, isPaper } = canvas;
    const height = heightOf(canvas);
    const hasEndLabels = (isPaper || width >= LABELS_FROM_WIDTH) && count <= height / LABEL_HEIGHT[isPaper ? "paper" : "page"];
    return layoutIn({ width, height, unit, domain, hasEndLabels });
  };
  const whole = () => layout({ width: 800, isPaper: true });
  return {
    height: heightOf,
    draw: (canvas) => <WinRate layout={layout(canvas)} theme={canvas.theme} />,
    table: () => linesTable(whole()),
    latex: (caption) => linesLatex(whole(), unit, caption),
    lines: { count, layout },
  };
}

function linesTable({ lines, axis, columns, marks }: WinRateLayout) {
  const at = ({ column }: PlacedPoint) => marks?.[column] ?? columns[column]?.text ?? null;
  const name = axisName(axis).toLowerCase();
  // The size is among the numbers.
  const own = name === "board size" ? [] : [name];
  const rows = lines.flatMap((line) => line.points.map((placed): [Field[], Point] => [[line.case.name, ...(own.length > 0 ? [at(placed)] : [])], placed.point]));
  return pointsTable(["case", ...own], rows);
}

function linesLatex({ lines, axis, columns, marks }: WinRateLayout, unit: Unit, caption: string): string {
  const texts = marks ?? columns.map(({ text }) => text);
  const plots = lines.map(({ case: { name, look }, points }) => {
    const mark = MARKS[look.colour % MARKS.length];
    const plot = (options: string, of: readonly PlacedPoint[]) => {
      const places = of.map(({ column, point }) => coordinate(column, point, unit, "y") ?? "").join("");
      return places === "" && options !== "" ? "" : `    \\addplot+[${options}mark=${mark}, error bars/.cd, y dir=both, y explicit] coordinates {\n${places}    };\n`;
    };
    // A plot that is forgotten has the colour of the next one.
    const pale = plot(`only marks, opacity=${PALE}, forget plot, `, points.filter(({ point }) => isPale(point)));
    const others = plot("", points.filter(({ point }) => !isPale(point)));
    return `${pale}${others}    \\addlegendentry{${escapeLatex(name)}}\n`;
  });
  const options = [
    `xlabel={${escapeLatex(axisName(axis))}}`,
    `ylabel={${escapeLatex(unit.axis)}}`,
    `xtick={${texts.map((_, i) => i).join(",")}}`,
    `xticklabels={${texts.map((text) => `{${escapeLatex(text)}}`).join(",")}}`,
    ...(unit === RATE ? ["ymin=0", "ymax=100"] : []),
    `extra y ticks={${axisValue(unit.equal, unit)}}`,
    "extra y tick style={grid=major}",
    "legend pos=outer north east",
  ];
  return figure(options, plots, caption + leftOut(lines.flatMap(({ points }) => points.map(({ point }) => point)), unit));
}
