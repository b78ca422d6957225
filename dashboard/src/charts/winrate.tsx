/** Lines with a point for each column as SVG: what `layoutColumns` or `layoutResponse` placed, in the colours of a theme. */

import { useMemo } from "preact/hooks";
import { count, sequence } from "../format";
import { Axes, px, textOf } from "./axis";
import { MarkerShape, type Theme } from "./palette";
import { isFixed, isPale } from "./panels";
import { BEYOND, RATE, type Unit } from "./unit";
import type { PlacedPoint, WinRateLayout } from "./winrate-layout";

/** References are larger than points: where both are the same, one rings the other. */
export const REFERENCE_SCALE = 1.7;

/** Width of the light bars, narrower than the distance of neighbouring series. */
const LIGHT_BAR = 6;

/** Opacity of points of few pairs. */
export const PALE = 0.3;

/** Names one point of a picture. */
export interface PointName {
  case: string;
  column: number;
}

export interface WinRateProps {
  layout: WinRateLayout;
  theme: Theme;
  /** The point pointed at or focused. */
  active?: PointName | undefined;
  /** The case to stand out, the others receding. */
  emphasis?: string | undefined;
  /** The one point that the tab key stops at; on paper there is none. */
  stop?: PointName | undefined;
}

/** A point in words, for those who hear the picture. */
export function describe({ name, point, isBeyond }: PlacedPoint, unit: Unit): string {
  const [value, range] = unit.words(point);
  return (
    `${name}: ${value}${isBeyond ? BEYOND : ""}, interval ${range}${unit === RATE ? " %" : ""}, ` +
    (point.words ? `at any look ${sequence(point.cs_low, point.cs_high)} %, ${point.verdict.replace("_", " ")}, ` : "") +
    `${count(point.wins)} wins, ${count(point.draws)} draws, ${count(point.losses)} losses`
  );
}

const is = (name: PointName | undefined, { case: owner, column }: PlacedPoint) =>
  name !== undefined && name.case === owner.key && name.column === column;

/** Axes, the line at 50 %, a line and the bars that hold for each point of a series, and names at the line ends. */
export function WinRate({ layout, theme, active, emphasis, stop }: WinRateProps) {
  const fade = (key: string) => (emphasis === undefined || emphasis === key ? undefined : 0.16);
  const dense = isDense(layout);
  const marked = (placed: PlacedPoint) => is(stop, placed) || is(active, placed);
  // Of thousands of points only those are marks of their own that the reader points at or has asked for.
  const singly = dense ? layout.lines.filter(({ case: { key } }) => key === emphasis) : layout.lines;
  const single = dense
    ? layout.lines.flatMap(({ points }) => points.filter((placed) => placed.case.key === emphasis || marked(placed)))
    : layout.lines.flatMap(({ points }) => points);
  const colourOf = (index: number) => theme.series[index % theme.series.length]!;
  return (
    <g {...textOf(theme)}>
      <Axes
        box={layout.box}
        theme={theme}
        grid="y"
        x={{ title: layout.axis, ticks: layout.columns }}
        y={{ title: layout.unit.axis, ticks: layout.ticks }}
        levels={[layout.half]}
      />
      {layout.others.length > 0 && (
        <path class="others" d={layout.others.join("")} fill="none" stroke={theme.half} stroke-opacity="0.3" aria-hidden="true" />
      )}
      {dense && <DenseLines layout={layout} theme={theme} faded={emphasis !== undefined} />}
      {singly.map(({ case: owner, path }) => (
        <path
          key={owner.key}
          d={path}
          fill="none"
          stroke={colourOf(owner.look.colour)}
          stroke-width="1.8"
          stroke-linejoin="round"
          stroke-dasharray={owner.look.dash || undefined}
          opacity={fade(owner.key)}
        />
      ))}
      {layout.fits.map(({ case: owner, path, optimum }) => {
        const colour = owner === undefined ? theme.ink : colourOf(owner.look.colour);
        return (
          <g key={owner?.key ?? ""} class="fit" opacity={owner && fade(owner.key)} stroke={colour} fill="none" aria-hidden="true">
            <path d={path} stroke-width="1.2" stroke-dasharray="5 3" stroke-opacity="0.8" />
            {optimum !== undefined && (
              <path
                d={`M${px(optimum.xLow)} ${px(optimum.y)}H${px(optimum.xHigh)}M${px(optimum.x)} ${px(optimum.y - 7)}v14`}
                stroke-width="2.4"
                stroke-opacity="0.9"
              />
            )}
          </g>
        );
      })}
      {layout.labels.map(({ case: owner, text, x, y, fromX, fromY }) => (
        <g key={owner.key} opacity={fade(owner.key)}>
          <path
            d={`M${px(fromX + 7)} ${px(fromY)}L${px(x - 5)} ${px(y)}`}
            stroke={colourOf(owner.look.colour)}
            stroke-width="0.8"
            stroke-dasharray="1 3"
            fill="none"
          />
          <text x={x} y={y} dy="0.34em" fill={colourOf(owner.look.colour)} font-weight="600">{text}</text>
        </g>
      ))}
      {layout.references.map(({ case: owner, x, y }) => (
        <MarkerShape
          key={`${owner.key} ${x}`}
          marker={owner.look.marker}
          colour={colourOf(owner.look.colour)}
          surface={theme.surface}
          x={x}
          y={y}
          scale={REFERENCE_SCALE}
          hollow
        />
      ))}
      {single.map((placed) => (
        <PointMark
          // The mark that the keyboard moves among thousands of points stays the same element, so that it keeps the focus.
          key={dense && is(stop, placed) ? "stop" : `${placed.case.key} ${placed.column}`}
          placed={placed}
          colour={colourOf(placed.case.look.colour)}
          surface={theme.surface}
          unit={layout.unit}
          lightBar={Math.min(LIGHT_BAR, layout.room ?? LIGHT_BAR)}
          active={is(active, placed)}
          opacity={fade(placed.case.key) ?? (isPale(placed.point) && !is(active, placed) ? PALE : undefined)}
          tabIndex={stop === undefined ? undefined : is(stop, placed) ? 0 : -1}
        />
      ))}
    </g>
  );
}

/** More points are drawn as one path for each colour, without light bars. */
const MOST_MARKS = 800;

/** Whether a picture has too many points for a mark with words each. */
export function isDense({ lines }: WinRateLayout): boolean {
  return lines.reduce((sum, { points }) => sum + points.length, 0) > MOST_MARKS;
}

/** The ends of the narrowest bar of a point that holds. */
function holding({ point, yLow, yHigh, ySequence }: PlacedPoint): { low: number; high: number } {
  return ySequence === undefined || isFixed(point) ? { low: yLow, high: yHigh } : ySequence;
}

/** All lines, bars and points of a picture, as a few paths for each colour. */
function DenseLines({ layout, theme, faded }: { layout: WinRateLayout; theme: Theme; faded: boolean }) {
  const colours = useMemo(
    () =>
      theme.series.map((_, colour) => {
        const lines = layout.lines.filter((line) => line.case.look.colour % theme.series.length === colour);
        const marks = (points: readonly PlacedPoint[]) => ({
          bars: points.map((own) => `M${px(own.x)} ${px(holding(own).low)}V${px(holding(own).high)}`).join(""),
          points: points.map(({ x, y }) => `M${px(x - 1.5)} ${px(y - 1.5)}h3v3h-3Z`).join(""),
        });
        const points = lines.flatMap((line) => line.points);
        return {
          lines: lines.map(({ path }) => path).join(""),
          told: marks(points.filter(({ point }) => !isPale(point))),
          pale: marks(points.filter(({ point }) => isPale(point))),
        };
      }),
    [layout, theme],
  );
  return (
    <g class="dense" aria-hidden="true" opacity={faded ? 0.16 : undefined}>
      {colours.map(({ lines, told, pale }, i) => (
        <g key={i} stroke={theme.series[i]} fill="none">
          <path d={lines} stroke-opacity="0.35" />
          <path d={told.bars} stroke-opacity="0.3" />
          <path d={told.points} fill={theme.series[i]} stroke="none" />
          {pale.points !== "" && (
            <g opacity={PALE}>
              <path d={pale.bars} stroke-opacity="0.3" />
              <path d={pale.points} fill={theme.series[i]} stroke="none" />
            </g>
          )}
        </g>
      ))}
    </g>
  );
}

interface PointMarkProps {
  placed: PlacedPoint;
  unit: Unit;
  lightBar: number;
  colour: string;
  surface: string;
  active: boolean;
  opacity: number | undefined;
  tabIndex: number | undefined;
}

function PointMark({ placed, unit, lightBar, colour, surface, active, opacity, tabIndex }: PointMarkProps) {
  const { x, y, yLow, yHigh, ySequence, isBeyond, point, case: owner } = placed;
  const cap = `h${+px(lightBar)}`;
  const from = px(x - lightBar / 2);
  const bar = `M${px(x)} ${px(yLow)}V${px(yHigh)}M${from} ${px(yLow)}${cap}M${from} ${px(yHigh)}${cap}`;
  return (
    <g
      role="img"
      aria-label={describe(placed, unit)}
      class={active ? "point active" : "point"}
      data-case={owner.key}
      data-size={point.size}
      data-column={placed.column}
      opacity={opacity}
      // An SVG element has this attribute in small letters alone.
      {...(tabIndex !== undefined && { tabindex: tabIndex })}
    >
      {ySequence !== undefined && (
        <path
          d={`M${px(x)} ${px(ySequence.low)}V${px(ySequence.high)}`}
          fill="none"
          stroke={colour}
          stroke-width={lightBar}
          stroke-opacity={active ? 0.4 : 0.22}
        />
      )}
      {holding(placed) !== ySequence && (
        <path d={bar} fill="none" stroke={colour} stroke-width={active ? 2.4 : 1.4} stroke-opacity={active ? 1 : 0.75} />
      )}
      {active && <circle cx={px(x)} cy={px(y)} r="9" fill={colour} fill-opacity="0.22" />}
      <MarkerShape marker={owner.look.marker} colour={colour} surface={surface} x={x} y={y} hollow={isBeyond} />
    </g>
  );
}
