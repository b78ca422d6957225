/** One panel on the page: the picture at the width there is, and the numbers of the point pointed at. */

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { SCREEN } from "../charts/palette";
import { MarkerShape } from "../charts/marker";
import { Heat, heatHeight } from "../charts/heat";
import type { HeatMap } from "../charts/heat";
import type { Picture } from "../charts/pictures";
import { WinRate } from "../charts/winrate";
import type { PointName } from "../charts/winrate";
import { nearestPoint, neighbour } from "../charts/winrate-layout";
import type { Frame, PlacedPoint, WinRateLayout } from "../charts/winrate-layout";
import { count, counted, elo, interval, percent, progress } from "../format";

/** Pixels around a point in which it answers to the pointer. */
const REACH = 28;
/** Line ends are named from this width on, if there are at most so many lines. */
const LABELS_FROM_WIDTH = 560;
const LABELS_UP_TO = 8;

/** What is shown about a case. */
const VERDICTS = { better: "Better", worse: "Worse", open: "Open" } as const;

interface ChartProps {
  picture: Picture;
  title: string;
  domain: readonly [number, number];
  emphasis: string | undefined;
}

export function Chart({ picture: { shows }, title, domain, emphasis }: ChartProps) {
  return "heat" in shows ? (
    <HeatChart map={shows.heat} title={title} />
  ) : (
    <LineChart lines={shows.lines} layoutIn={shows.layout} title={title} domain={domain} emphasis={emphasis} />
  );
}

function HeatChart({ map, title }: { map: HeatMap; title: string }) {
  const [attach, width] = useWidth();
  return (
    <div class="chart" ref={attach}>
      {width > 0 && (
        <svg width={width} height={heatHeight(map)} viewBox={`0 0 ${width} ${heatHeight(map)}`} role="group" aria-label={`Win rate in per cent, ${title}`}>
          <Heat map={map} width={width} theme={SCREEN} />
        </svg>
      )}
    </div>
  );
}

interface LineChartProps extends Omit<ChartProps, "picture"> {
  lines: number;
  layoutIn: (frame: Frame) => WinRateLayout;
}

/** The width of an element, followed as it changes. */
function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0);
  const observer = useRef<ResizeObserver>(undefined);
  const attach = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    setWidth(element.clientWidth);
    observer.current = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.current.observe(element);
  }, []);
  return [attach, width];
}

function LineChart({ lines, layoutIn, title, domain, emphasis }: LineChartProps) {
  const [attach, width] = useWidth();
  // Two ways to ask for a point's numbers: a pointer at rest over the picture must not take away what the keyboard asked.
  const [pointed, setPointed] = useState<PointName>();
  const [focused, setFocused] = useState<PointName>();
  const active = pointed ?? focused;
  // Where the arrow keys start from, and where the tab key comes back to.
  const lastFocused = useRef<PointName>(undefined);
  const svg = useRef<SVGSVGElement>(null);
  const height = Math.round(Math.min(470, Math.max(300, width * 0.52)));
  const layout = useMemo(
    () => layoutIn({ width, height, domain, endLabels: width >= LABELS_FROM_WIDTH && lines <= LABELS_UP_TO }),
    [layoutIn, lines, width, height, domain],
  );
  const points = layout.lines.flatMap((line) => line.points);
  const find = (name: PointName | undefined) =>
    name && points.find(({ case: owner, column }) => owner.key === name.case && column === name.column);
  const shown = find(active);
  const stop = find(lastFocused.current) ?? points[0];

  const follow = (event: PointerEvent) => {
    const box = svg.current!.getBoundingClientRect();
    const near = nearestPoint(layout, event.clientX - box.left, event.clientY - box.top, REACH);
    setPointed(near && nameOf(near));
  };
  const step = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      setPointed(undefined);
      setFocused(undefined);
      return;
    }
    const next = stop && neighbour(layout, stop, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setPointed(undefined);
    const { case: key, column } = nameOf(next);
    svg.current!.querySelector<SVGElement>(`[data-case="${CSS.escape(key)}"][data-column="${column}"]`)?.focus();
  };

  return (
    <div class="chart" ref={attach}>
      {width > 0 && (
        <svg
          ref={svg}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={`Win rate in per cent by ${layout.axis.toLowerCase()}, ${title}. Arrow keys move between points.`}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={(event) => event.pointerType === "mouse" && setPointed(undefined)}
          onKeyDown={step}
          onFocusOut={() => setFocused(undefined)}
        >
          <WinRate
            layout={layout}
            theme={SCREEN}
            active={active}
            emphasis={emphasis}
            stop={stop && nameOf(stop)}
            onFocus={(placed) => {
              lastFocused.current = nameOf(placed);
              setFocused(lastFocused.current);
            }}
          />
          {points.length === 0 && (
            <text x={(layout.left + layout.right) / 2} y={layout.top + 28} text-anchor="middle" class="nothing">
              {lines === 0 ? "Every series is switched off" : "No finished pair yet"}
            </text>
          )}
        </svg>
      )}
      {shown !== undefined && <Tooltip placed={shown} width={width} height={height} />}
    </div>
  );
}

const nameOf = ({ case: owner, column }: PlacedPoint): PointName => ({ case: owner.key, column });

function Tooltip({ placed, width, height }: { placed: PlacedPoint; width: number; height: number }) {
  const box = useRef<HTMLDivElement>(null);
  const { x, y, name, point, case: owner } = placed;
  // Beside the point, on the side with more room, and inside the picture: set before the browser paints.
  useLayoutEffect(() => {
    const element = box.current!;
    const { offsetWidth: own, offsetHeight: tall } = element;
    const left = x + 14 + own <= width ? x + 14 : Math.max(0, x - 14 - own);
    element.style.transform = `translate(${left}px, ${Math.max(0, Math.min(y - tall / 2, height - tall))}px)`;
  });
  const facts: [string, string][] = [
    ["Wins", count(point.wins)],
    ["Draws", count(point.draws)],
    ["Losses", count(point.losses)],
    ["Pairs", count(point.pairs)],
    ["Elo", elo(point.elo)],
    ["Draw rate", point.draw_rate === null ? "–" : `${percent(point.draw_rate)} %`],
    ["In play", counted(point.pairs_in_flight, "pair")],
    ["Games", progress(point.games, point.games_planned)],
  ];
  return (
    <div class="tooltip" ref={box} role="tooltip">
      <p class="of">
        <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
          <MarkerShape marker={owner.look.marker} colour={SCREEN.series[owner.look.colour]!} surface="var(--raised)" />
        </svg>
        {name}
      </p>
      <p class="rate">
        <b>{percent(point.rate)} %</b> {interval(point.low, point.high)}
      </p>
      {point.words && (
        <p class={`verdict ${point.verdict}`}>
          <b>{VERDICTS[point.verdict]}.</b> {point.words}
        </p>
      )}
      <dl>
        {facts.map(([term, value]) => (
          <div key={term} class={term === "Games" ? "wide" : undefined}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {point.stopping !== undefined && <p class="stopping">{point.stopping.words}</p>}
      {point.missing !== undefined && <p class="missing">{point.missing.words}</p>}
    </div>
  );
}
