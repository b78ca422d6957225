/** One panel on the page: the picture at the width there is, and the numbers of the point pointed at. */

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { SCREEN } from "../charts/palette";
import { MarkerShape } from "../charts/marker";
import type { Panel } from "../charts/panels";
import { WinRate } from "../charts/winrate";
import type { PointName } from "../charts/winrate";
import { layoutWinRates, nearestPoint, neighbour } from "../charts/winrate-layout";
import type { PlacedPoint } from "../charts/winrate-layout";
import { count, counted, elo, interval, percent, progress } from "../format";

/** Pixels around a point in which it answers to the pointer. */
const REACH = 28;
/** Line ends are named from this width on, if there are at most so many lines. */
const LABELS_FROM_WIDTH = 560;
const LABELS_UP_TO = 8;

/** What is shown about a case. */
const VERDICTS = { better: "Better", worse: "Worse", open: "Open" } as const;

interface ChartProps {
  panel: Panel;
  title: string;
  sizes: readonly number[];
  domain: readonly [number, number];
  emphasis: string | undefined;
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

export function Chart({ panel, title, sizes, domain, emphasis }: ChartProps) {
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
    () =>
      layoutWinRates({
        lines: panel.lines,
        sizes,
        width,
        height,
        domain,
        endLabels: width >= LABELS_FROM_WIDTH && panel.lines.length <= LABELS_UP_TO,
      }),
    [panel, sizes, width, height, domain],
  );
  const points = layout.lines.flatMap((line) => line.points);
  const find = (name: PointName | undefined) =>
    name && points.find(({ case: owner, point }) => owner.key === name.case && point.size === name.size);
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
    const { case: key, size } = nameOf(next);
    svg.current!.querySelector<SVGElement>(`[data-case="${CSS.escape(key)}"][data-size="${size}"]`)?.focus();
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
          aria-label={`Win rate in per cent by board size, ${title}. Arrow keys move between points.`}
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
              {panel.lines.length === 0 ? "Every series is switched off" : "No finished pair yet"}
            </text>
          )}
        </svg>
      )}
      {shown !== undefined && <Tooltip placed={shown} width={width} height={height} />}
    </div>
  );
}

const nameOf = ({ case: owner, point }: PlacedPoint): PointName => ({ case: owner.key, size: point.size });

function Tooltip({ placed, width, height }: { placed: PlacedPoint; width: number; height: number }) {
  const box = useRef<HTMLDivElement>(null);
  const { x, y, point, case: owner } = placed;
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
        {owner.name}, size {point.size}
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
