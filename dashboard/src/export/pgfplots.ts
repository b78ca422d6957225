/** A picture as a LaTeX figure: pgfplots with error bars, or a table where the picture is a grid. */

import { isPale } from "../charts/panels";
import type { Picture } from "../charts/pictures";
import type { Unit } from "../charts/unit";
import type { Point } from "../api";
import { counted } from "../format";
import { RATE } from "../charts/unit";
import { PALE } from "../charts/winrate";
import { linesOf, pictureTable } from "./picture-table";
import { escapeLatex } from "./latex";
import { latexTable } from "./table";

/** Markers of pgfplots in the order of the page's. */
const MARKS = ["*", "square*", "triangle*", "diamond*", "pentagon*", "o", "square", "x"];

/** Columns of a table in a paper; the others are in the CSV file. */
const OF_A_TABLE = ["rate", "low", "high", "games"];

/** A measure for the axis: win rates in per cent. */
function axisValue(value: number, unit: Unit): string {
  return (unit === RATE ? 100 * value : value).toFixed(unit === RATE ? 2 : 1);
}

/** That points are missing in a figure, if some are. */
function leftOut(points: readonly Point[], unit: Unit): string {
  const infinite = points.filter((point) => Math.abs(unit.of(point)?.value ?? 0) === Infinity).length;
  return infinite === 0 ? "" : ` ${counted(infinite, "point")} ${infinite === 1 ? "is" : "are"} infinite and left out.`;
}

/** A coordinate with its error bars; none for what is infinite, which no axis has. */
function coordinate(along: number, point: Point, unit: Unit, axis: "x" | "y"): string | undefined {
  const ends = unit.of(point);
  if (ends === undefined || !Number.isFinite(ends.value)) return undefined;
  const { value, low, high } = ends;
  const pair = (along: string, value: string) => (axis === "y" ? `(${along}, ${value})` : `(${value}, ${along})`);
  // What no number bounds reaches to the edge of the whole axis.
  const length = (end: number) => (Number.isFinite(end) ? Math.abs(end - value) : Math.max(0, Math.sign(end) * (unit.full[end > 0 ? 1 : 0] - value)));
  const reach = (end: number) => pair("0", axisValue(length(end), unit));
  return `      ${pair(String(along), axisValue(value, unit))} += ${reach(high)} -= ${reach(low)}\n`;
}

export function pictureLatex(picture: Picture, unit: Unit, caption: string): string {
  const { shows } = picture;
  if ("heat" in shows || "parallel" in shows) {
    const whole = pictureTable(picture);
    const kept = whole.columns.flatMap((name, i) => (i < whole.columns.indexOf("size") || OF_A_TABLE.includes(name) ? [i] : []));
    return latexTable({ columns: kept.map((i) => whole.columns[i]!), rows: whole.rows.map((row) => kept.map((i) => row[i]!)) }, caption);
  }
  if ("forest" in shows) {
    const { rows } = shows.forest;
    const points = rows.map(({ point }, i) => coordinate(i, point, unit, "x") ?? "").join("");
    return figure(
      [
        `xlabel={${escapeLatex(unit.axis)}}`,
        "y dir=reverse",
        `ytick={${rows.map((_, i) => i).join(",")}}`,
        `yticklabels={${rows.map(({ case: { name } }) => `{${escapeLatex(name)}}`).join(",")}}`,
        `extra x ticks={${axisValue(unit.equal, unit)}}`,
        "extra x tick style={grid=major}",
      ],
      [`    \\addplot+[only marks, mark=*, error bars/.cd, x dir=both, x explicit] coordinates {\n${points}    };\n`],
      caption + leftOut(rows.map(({ point }) => point), unit),
    );
  }
  const { lines, axis, columns, marks } = linesOf(shows);
  const texts = marks ?? columns.map(({ text }) => text);
  const plots = lines.map(({ case: { name, look }, points }) => {
    const mark = MARKS[look.colour % MARKS.length];
    const plot = (options: string, of: typeof points) => {
      const places = of.map(({ column, point }) => coordinate(column, point, unit, "y") ?? "").join("");
      return places === "" && options !== "" ? "" : `    \\addplot+[${options}mark=${mark}, error bars/.cd, y dir=both, y explicit] coordinates {\n${places}    };\n`;
    };
    // A plot that is forgotten has the colour of the next one.
    const pale = plot(`only marks, opacity=${PALE}, forget plot, `, points.filter(({ point }) => isPale(point)));
    const told = plot("", points.filter(({ point }) => !isPale(point)));
    return `${pale}${told}    \\addlegendentry{${escapeLatex(name)}}\n`;
  });
  return figure(
    [
      `xlabel={${escapeLatex(axis.replace(/ \(logarithmic\)$/, ""))}}`,
      `ylabel={${escapeLatex(unit.axis)}}`,
      `xtick={${texts.map((_, i) => i).join(",")}}`,
      `xticklabels={${texts.map((text) => `{${escapeLatex(text)}}`).join(",")}}`,
      ...(unit === RATE ? ["ymin=0", "ymax=100"] : []),
      `extra y ticks={${axisValue(unit.equal, unit)}}`,
      "extra y tick style={grid=major}",
      "legend pos=outer north east",
    ],
    plots,
    caption + leftOut(lines.flatMap(({ points }) => points.map(({ point }) => point)), unit),
  );
}

function figure(options: readonly string[], plots: readonly string[], caption: string): string {
  return (
    `% \\usepackage[T1]{fontenc} \\usepackage{pgfplots} \\pgfplotsset{compat=1.17}\n\\begin{figure}\n  \\centering\n  \\begin{tikzpicture}\n` +
    `    \\begin{axis}[\n${options.map((option) => `      ${option},\n`).join("")}    ]\n${plots.join("")}    \\end{axis}\n` +
    `  \\end{tikzpicture}\n  \\caption{${escapeLatex(caption)}}\n\\end{figure}\n`
  );
}
