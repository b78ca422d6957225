/** A picture on the page, at the width there is: what the pointer and the keyboard do, and the numbers of the point pointed at. */

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { go } from "../address";
import type { ExperimentSummary, Point, Verdict } from "../api";
import { SCREEN } from "../charts/palette";
import type { Picture } from "../charts/picture";
import { BEYOND, ELO, RATE, type Unit } from "../charts/unit";
import { describe, isDense, WinRate, type PointName } from "../charts/winrate";
import { nearestPoint, neighbour, type PlacedPoint } from "../charts/winrate-layout";
import { count, counted, inPercent, progress } from "../format";
import { pathOf } from "../routes";
import { Words } from "./elements";
import { Mark } from "./legend";

/** Pixels around a point in which it answers to the pointer. */
const REACH = 28;

/** What is shown about a case. */
const VERDICTS: Record<Verdict, string> = { better: "Better", worse: "Worse", not_better: "Not better", not_worse: "Not worse", open: "Open" };

/** What a picture says while it has no results. */
export function unplayedWords({ games_done: games }: ExperimentSummary): string {
  return games === 0 ? "No game has arrived yet" : "No pair of games is complete here yet";
}

export interface PictureViewProps {
  picture: Picture;
  /** What the picture shows, in full. */
  title: string;
  /** The case that stands out. */
  emphasis?: string | undefined;
  /** What is said where no line is drawn. */
  empty?: string | undefined;
  /** What is said where no case has a result. */
  unplayed?: string | undefined;
}

export function PictureView(props: PictureViewProps) {
  return props.picture.lines === undefined ? <MarksView {...props} /> : <LinesView {...props} lines={props.picture.lines} />;
}

/**
 * A picture of marks that speak for themselves, or of a line with readings. Marks that are links have one stop of the tab key, and the
 * arrow keys move among them.
 */
function MarksView({ picture, title, emphasis, unplayed = "No pair of games is complete here yet" }: PictureViewProps) {
  const [attach, width] = useWidth();
  const [pointed, setPointed] = useState<number>();
  const svg = useRef<SVGSVGElement>(null);
  const stop = useRef<string>(undefined);
  const links = () => [...(svg.current?.querySelectorAll<SVGAElement>("a") ?? [])];
  const setStops = () => {
    const all = links();
    const own = all.find((link) => link.getAttribute("href") === stop.current) ?? all[0];
    for (const link of all) link.setAttribute("tabindex", link === own ? "0" : "-1");
    if (all.length > 1) svg.current!.setAttribute("aria-description", "Arrow keys move between marks, Enter opens the cell of a mark.");
  };
  useLayoutEffect(setStops);
  const step = (event: KeyboardEvent) => {
    const all = links();
    const next = neighbourOf(all, all.indexOf((event.target as Element).closest<SVGAElement>("a")!), event.key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  const readings = useMemo(() => picture.readings?.(width) ?? [], [picture, width]);
  const readingAt = (event: MouseEvent) => {
    const x = event.clientX - svg.current!.getBoundingClientRect().left;
    return readings.length === 0 ? undefined : readings.reduce((best, reading, i) => (Math.abs(reading.x - x) < Math.abs(readings[best]!.x - x) ? i : best), 0);
  };
  const isRead = readings.some(({ words }) => words !== undefined);
  const follow = isRead ? (event: PointerEvent) => setPointed(readingAt(event)) : undefined;
  const { choose } = picture;
  const click = choose && ((event: MouseEvent) => choose(readingAt(event) ?? 0));
  const words = (readings[pointed ?? -1] ?? readings.at(-1))?.words;
  const height = picture.height({ width, isPaper: false });
  return (
    <>
      {isRead && <p class="reading">{words}</p>}
      <div
        class="chart"
        ref={attach}
        onFocusIn={({ target }) => {
          stop.current = (target as Element).closest("a")?.getAttribute("href") ?? undefined;
          setStops();
        }}
      >
        {picture.isUnplayed && <p class="nothing">{unplayed}.</p>}
        {width > 0 && (
          <svg
            ref={svg}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role={picture.readings === undefined ? "group" : "img"}
            aria-label={isRead ? `${title}. ${words}` : title}
            class={choose && "chooses"}
            onKeyDown={step}
            onClick={click}
            onPointerMove={follow}
            onPointerDown={follow}
            onPointerLeave={() => setPointed(undefined)}
          >
            {picture.draw({ width, theme: SCREEN, isPaper: false, emphasis, reading: pointed ?? picture.chosen })}
          </svg>
        )}
      </div>
    </>
  );
}

/** Where a key leads from a mark: to the one before or after it, to the nearest above or below, or to an end. */
function neighbourOf(marks: readonly SVGAElement[], from: number, key: string): SVGAElement | undefined {
  const ends: Record<string, number> = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: marks.length - 1 };
  if (key in ends) return marks[ends[key]!];
  const sign = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (sign === undefined) return undefined;
  const middles = marks.map((mark) => {
    const { x, y, width, height } = mark.getBoundingClientRect();
    return { mark, x: x + width / 2, y: y + height / 2 };
  });
  const own = middles[from]!;
  const beyond = middles.filter(({ y }) => sign * (y - own.y) > 1);
  const distance = ({ x, y }: { x: number; y: number }) => Math.hypot(x - own.x, y - own.y);
  return beyond.sort((a, b) => distance(a) - distance(b))[0]?.mark;
}

function LinesView({ title, emphasis, empty = "No case is drawn", unplayed = "No pair of games is complete here yet", lines: { count: lines, layout: layoutIn } }: PictureViewProps & { lines: NonNullable<Picture["lines"]> }) {
  const [attach, width] = useWidth();
  // Two ways to ask for a point's numbers: a pointer at rest over the picture must not take away what the keyboard asked.
  const [pointed, setPointed] = useState<PointName>();
  const [focused, setFocused] = useState<PointName>();
  const active = pointed ?? focused;
  // Where the arrow keys start from, and where the tab key comes back to.
  const lastFocused = useRef<PointName>(undefined);
  const svg = useRef<SVGSVGElement>(null);
  const layout = useMemo(() => layoutIn({ width, isPaper: false }), [layoutIn, width]);
  const { box, unit } = layout;
  const height = layout.height;
  const dense = isDense(layout);
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
  // A finger first shows the numbers, with a link among them.
  const open = (event: MouseEvent) => {
    const isMouse = !(event instanceof PointerEvent) || event.pointerType === "mouse";
    if (isMouse && shown !== undefined && pointed !== undefined) go(pathOfCell(shown.point), true);
  };
  const step = (event: KeyboardEvent) => {
    if (event.key === "Enter" && stop !== undefined) {
      go(pathOfCell(stop.point), true);
      return;
    }
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
    if (dense) {
      // One mark, which has the focus, moves among them.
      lastFocused.current = nameOf(next);
      setFocused(lastFocused.current);
      return;
    }
    svg.current!.querySelector<SVGElement>(`[data-case="${CSS.escape(key)}"][data-column="${column}"]`)?.focus();
  };

  return (
    // In Chromium an SVG element that listens for the focus is a stop of the tab key, whatever its tab index says.
    <div
      class="chart"
      ref={attach}
      onFocusIn={({ target }) => {
        const { case: key, column } = (target as Element).closest<SVGElement>(".point")?.dataset ?? {};
        if (key === undefined) return;
        lastFocused.current = { case: key, column: Number(column) };
        setFocused(lastFocused.current);
      }}
      onFocusOut={() => setFocused(undefined)}
    >
      {width > 0 && (
        <svg
          ref={svg}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={`${title}, by ${layout.axis.toLowerCase()}. Arrow keys move between points, Enter opens the cell of a point.`}
          class={pointed && "opens"}
          onPointerMove={follow}
          onPointerDown={follow}
          onClick={open}
          onPointerLeave={(event) => event.pointerType === "mouse" && setPointed(undefined)}
          onKeyDown={step}
        >
          <WinRate
            layout={layout}
            theme={SCREEN}
            active={active}
            emphasis={emphasis}
            stop={stop && nameOf(stop)}
          />
          {points.length === 0 && (
            <text x={(box.left + box.right) / 2} y={box.top + 28} text-anchor="middle" class="nothing">
              {lines === 0 ? empty : unplayed}
            </text>
          )}
        </svg>
      )}
      {dense && (
        <>
          <p class="meaning">{count(points.length)} points: the light bars are left out. Point at a point for its numbers, or move with the arrow keys.</p>
          <p class="visually-hidden" aria-live="polite">
            {focused !== undefined && shown !== undefined && describe(shown, unit)}
          </p>
        </>
      )}
      {shown !== undefined && <Tooltip placed={shown} unit={unit} width={width} height={height} />}
    </div>
  );
}

const pathOfCell = ({ cell }: Point) => pathOf("cell", cell);

const nameOf = ({ case: owner, column }: PlacedPoint): PointName => ({ case: owner.key, column });

function Tooltip({ placed, unit, width, height }: { placed: PlacedPoint; unit: Unit; width: number; height: number }) {
  const box = useRef<HTMLDivElement>(null);
  const { x, y, name, point, case: owner, isBeyond } = placed;
  // Beside the point, on the side with more room, and inside the picture: set before the browser paints.
  useLayoutEffect(() => {
    const element = box.current!;
    const { offsetWidth: own, offsetHeight: tall } = element;
    const left = x + 14 + own <= width ? x + 14 : Math.max(0, x - 14 - own);
    element.style.transform = `translate(${left}px, ${Math.max(0, Math.min(y - tall / 2, height - tall))}px)`;
  });
  const [value, range] = unit.words(point);
  const facts: [string, string][] = [
    ["Wins", count(point.wins)],
    ["Draws", count(point.draws)],
    ["Losses", count(point.losses)],
    ["Pairs", count(point.pairs)],
    unit === RATE ? ["Elo", ELO.brief(point)] : ["Win rate", inPercent(point.rate)],
    ["Draw rate", inPercent(point.draw_rate)],
    ["In play", counted(point.pairs_in_flight, "pair")],
    ["Games", progress(point.games, point.games_planned)],
  ];
  return (
    <div class="tooltip" ref={box} role="tooltip">
      <p class="of">
        <Mark look={owner.look} surface="var(--raised)" />
        {name}
      </p>
      <p class="rate">
        <b>{value}</b>
        {isBeyond && BEYOND} {range}
      </p>
      {point.words && (
        <p class={`verdict ${point.verdict}`}>
          <b>{VERDICTS[point.verdict]}.</b> <Words of={point.words} />
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
      {point.stopping !== undefined && (
        <p class="stopping">
          <Words of={point.stopping.words} />
        </p>
      )}
      {point.missing !== undefined && (
        <p class="missing">
          <Words of={point.missing.words} />
        </p>
      )}
      <p class="to-cell">
        <a href={pathOfCell(point)} tabIndex={-1}>Page of this cell</a>
      </p>
    </div>
  );
}

export function useWidth(): [(element: HTMLElement | null) => void, number] {
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
