/** Lines with their bands over an axis: an estimate by pairs, means by move, the fit of a model. */

import { area, curveLinear, curveStepAfter, line } from "d3-shape";
import { Axes, boxOf, placesIn, px, spaced, textOf, textRoom, type Axis, type Box, type Tick } from "./axis";
import { shorten } from "./names";
import { lookOf, MarkerShape } from "./palette";
import type { Canvas, Picture } from "./picture";

/** A value with its bands, the widest first; all are parts of their axes from 0 to 1. */
export interface PlotMark {
  x: number;
  y: number;
  bands: readonly (readonly [low: number, high: number])[];
  /** What the mark says, where it is not said elsewhere. */
  words?: string;
}

export interface PlotLine {
  name: string;
  /** Its place in the palette. */
  look: number;
  marks: readonly PlotMark[];
  /** The last mark alone has a dot, each has a dot, or each has the marker of the line. */
  dots: "last" | "each" | "marker";
  /** Dashed, with hollow markers. */
  isHollow?: boolean | undefined;
  /** Whether a value holds until the next mark. */
  isStepped?: boolean | undefined;
  /** Whether the marks stand for themselves, without a line. */
  isApart?: boolean | undefined;
}

export interface Plot {
  x: Pick<Axis, "title" | "ticks">;
  y: Pick<Axis, "title" | "ticks">;
  lines: readonly PlotLine[];
  levels?: readonly Tick[] | undefined;
  /** What is recommended. */
  recommended?: number | undefined;
  /** A decision: its place on a line, and its words. */
  decided?: { x: number; y: number; text: string } | undefined;
  /** Changes that people made, in order. */
  changes?: readonly number[] | undefined;
  /** A shaded part at the beginning. */
  shaded?: { to: number; text: string } | undefined;
}

const MARGIN = { top: 12, right: 18, bottom: 46, left: 62 };
/** Opacities of bands, of a single one and of two. */
const BANDS = [[0.2], [0.16, 0.3]];
/** Lines with more marks have no markers, and are told apart by dashes. */
const MOST_MARKERS = 90;
const DASHES = [undefined, "6 3", "2 3"];
const HOLLOW_DASHES = "4 3";

/** A place that the page can point at, as a part of the horizontal axis. */
export interface PlotReading {
  at: number;
  key: number;
  words?: string | undefined;
}

interface PlotPicture extends Pick<Picture, "title" | "table" | "legend" | "choose" | "chosen"> {
  plot: Plot;
  /** The heights on the page and on paper. */
  heights?: readonly [page: number, paper: number];
  readings?: readonly PlotReading[] | undefined;
}

const HEIGHTS = [240, 300] as const;

/** A plot as a picture. */
export function plotPicture({ plot, heights = HEIGHTS, readings, ...own }: PlotPicture): Picture {
  return {
    ...own,
    height: ({ isPaper }) => heights[isPaper ? 1 : 0],
    draw: (canvas) => <PlotChart plot={plot} canvas={canvas} height={heights[canvas.isPaper ? 1 : 0]} cursor={readings?.[canvas.reading ?? -1]} />,
    readings: readings && ((width) => readings.map(({ at, key, words }) => ({ key, words, x: placesIn(boxOf(width, 0, MARGIN)).xOf(at) }))),
  };
}

/** The marks along an axis of so many pixels; names of choices are shortened instead of left out. */
function marksAlong({ ticks }: Pick<Axis, "ticks">, length: number, isApart: boolean): Tick[] {
  const all = ticks(Math.max(2, Math.floor(length / 72)));
  if (!isApart) return spaced(all, length, textRoom);
  return all.map(({ at, text }) => ({ at, text: shorten(text, Math.max(4, Math.floor(length / all.length / 7))) }));
}

interface PlotProps {
  plot: Plot;
  canvas: Canvas;
  height: number;
  /** The reading that is marked. */
  cursor: PlotReading | undefined;
}

function PlotChart({ plot, canvas: { width, theme }, height, cursor }: PlotProps) {
  const { x, y, lines, levels = [], recommended, decided, changes = [], shaded } = plot;
  const box = boxOf(width, height, MARGIN);
  const { left, right, top, bottom } = box;
  const { xOf, yOf } = placesIn(box);
  const upright = (at: number) => `M${px(at)} ${top}V${bottom}`;
  const isApart = lines.some((own) => own.isApart);
  const isLate = decided !== undefined && decided.x > 0.5;
  return (
    <g {...textOf(theme)}>
      {shaded !== undefined && shaded.to > 0 && (
        <g aria-hidden="true">
          <rect x={left} y={top} width={px(shaded.to * (right - left))} height={bottom - top} fill={theme.grid} data-opening />
          <text transform={`translate(${px(xOf(shaded.to / 2))} ${px((top + bottom) / 2)}) rotate(-90)`} text-anchor="middle" dy="0.34em" font-size="10.5">
            {shaded.text}
          </text>
        </g>
      )}
      <Axes
        box={box}
        theme={theme}
        grid="y"
        levels={levels}
        x={{ title: x.title, ticks: marksAlong(x, right - left, isApart) }}
        y={{ title: y.title, ticks: y.ticks(Math.max(2, Math.floor((bottom - top) / 40))) }}
      />
      {recommended !== undefined && <path d={upright(xOf(recommended))} stroke={theme.ink} stroke-width="1.2" stroke-dasharray="5 3" data-recommended />}
      {lines.map((own) => (
        <Line key={own.name} line={own} box={box} theme={theme} />
      ))}
      {labelChanges(changes.map(xOf), right).map(({ x: at, text, label }) => (
        <g key={text} data-change={text}>
          <path d={upright(at)} stroke={theme.half} stroke-width="1.2" stroke-dasharray="1.5 3" />
          {label !== undefined && (
            <text x={px(label.x)} y={bottom - 5} font-size="11" text-anchor={label.anchor} fill={theme.ink}>
              {text}
            </text>
          )}
        </g>
      ))}
      {decided !== undefined && (
        <g data-decided>
          <path d={upright(xOf(decided.x))} stroke={theme.ink} stroke-width="1.2" stroke-dasharray="5 3" />
          <circle cx={px(xOf(decided.x))} cy={px(yOf(decided.y))} r="5" fill="none" stroke={theme.ink} stroke-width="1.6" />
          <text x={px(xOf(decided.x) + (isLate ? -7 : 7))} y={top + 11} text-anchor={isLate ? "end" : "start"} fill={theme.ink}>
            {decided.text}
          </text>
        </g>
      )}
      {cursor !== undefined && <path d={upright(xOf(cursor.at))} stroke={theme.ink} stroke-opacity="0.7" stroke-dasharray="4 3" data-cursor={cursor.key} />}
    </g>
  );
}

/** A line with its bands and marks. */
function Line({ line: { name, look, marks, dots, isHollow, isStepped, isApart }, box, theme }: { line: PlotLine; box: Box } & Pick<Canvas, "theme">) {
  const { xOf, yOf } = placesIn(box);
  const colour = theme.series[look]!;
  const curve = isStepped ? curveStepAfter : curveLinear;
  const isLine = !isApart && marks.length > 1;
  const banded = marks.filter(({ bands }) => bands.length > 0);
  const bands = isLine && banded.length > 1 ? banded[0]!.bands.map((_, i) => bandPath(i, xOf, yOf).curve(curve)(banded)!) : [];
  const path = line<PlotMark>().x(({ x }) => xOf(x)).y(({ y }) => yOf(y)).digits(1).curve(curve);
  const isMarked = dots === "marker" && marks.length <= MOST_MARKERS;
  const shown = dots === "each" ? marks : dots === "last" ? marks.slice(-1) : isMarked ? marks : [];
  return (
    <g>
      {bands.map((d, i) => (
        <path key={i} d={d} fill={colour} fill-opacity={BANDS[bands.length - 1]?.[i]} data-band={i} />
      ))}
      {isLine && (
        <path d={path(marks)!} data-line={name} fill="none" stroke={colour} stroke-width="1.8" stroke-linejoin="round" stroke-dasharray={isHollow ? HOLLOW_DASHES : dots === "marker" && !isMarked ? DASHES[look % DASHES.length] : undefined} />
      )}
      {shown.map(({ x, y, bands: own, words }, i) => (
        <g key={i} {...(words !== undefined && { class: "mark", role: "img", "aria-label": words })}>
          {words !== undefined && <title>{words}</title>}
          {!isLine && own[0] !== undefined && <path d={`M${px(xOf(x))} ${px(yOf(own[0][0]))}V${px(yOf(own[0][1]))}`} stroke={colour} stroke-width="6" stroke-opacity="0.3" />}
          {isMarked ? (
            <MarkerShape marker={lookOf(look).marker} colour={colour} surface={theme.surface} x={xOf(x)} y={yOf(y)} scale={0.7} hollow={isHollow ?? false} />
          ) : (
            <circle cx={px(xOf(x))} cy={px(yOf(y))} r={dots === "last" || shown.length < 40 ? 3 : 2} fill={colour} />
          )}
        </g>
      ))}
    </g>
  );
}

const bandPath = (i: number, xOf: (part: number) => number, yOf: (part: number) => number) =>
  area<PlotMark>().x(({ x }) => xOf(x)).y0(({ bands }) => yOf(bands[i]![0])).y1(({ bands }) => yOf(bands[i]![1])).digits(1);

/** Changes that are nearer to each other than this share a line, in pixels. */
const APART = 26;
/** Pixels between a line and its numbers. */
const LABEL_GAP = 3;
/** Width of a letter at 11 pixels, a little generously: nothing here can measure fonts. */
const LETTER = 6.6;

export interface ChangeLine {
  x: number;
  /** The numbers of the changes, such as `2–4`. */
  text: string;
  /** Where the numbers are written, if there is room for them. */
  label: { x: number; anchor: "start" | "end" } | undefined;
}

/** Lines at these places, which are in order; changes that are close to each other share one. */
function sharedLines(xs: readonly number[]): { x: number; text: string }[] {
  const groups: { x: number; first: number; last: number }[] = [];
  xs.forEach((x, i) => {
    const group = groups.at(-1);
    if (group !== undefined && x - group.x < APART) group.last = i + 1;
    else groups.push({ x, first: i + 1, last: i + 1 });
  });
  return groups.map(({ x, first, last }) => ({ x, text: first === last ? String(first) : `${first}–${last}` }));
}

/** The lines with their numbers on the right, or on the left at the right edge. Of numbers that would overlap the later ones are written. */
export function labelChanges(xs: readonly number[], right: number): ChangeLine[] {
  let free = Infinity;
  const label = ({ x, text }: { x: number; text: string }): ChangeLine => {
    const room = LABEL_GAP + LETTER * text.length;
    const isAtEnd = x + room > right;
    const [from, to] = isAtEnd ? [x - room, x] : [x, x + room];
    if (to > free) return { x, text, label: undefined };
    free = from;
    return { x, text, label: isAtEnd ? { x: x - LABEL_GAP, anchor: "end" } : { x: x + LABEL_GAP, anchor: "start" } };
  };
  return sharedLines(xs).toReversed().map(label).reverse();
}
