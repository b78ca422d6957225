/**
 * How series look. Colours stay apart for the common kinds of colour blindness, reach 4.5:1 against their background
 * (the same colours write the labels) and never stand alone: each series has a marker, and past the last colour a dash.
 */

/** Colours of light and dark pages, in the order of the series. */
const SERIES: readonly (readonly [light: string, dark: string])[] = [
  ["#0b66ad", "#5cb3f2"],
  ["#bd4a00", "#ff9a5a"],
  ["#00775a", "#3ecba2"],
  ["#a53c8a", "#ee95d3"],
  ["#7a6000", "#e3c04a"],
  ["#3d4c5c", "#c3ced9"],
  ["#5b50c4", "#aaa3ff"],
  ["#b3263f", "#ff8f9c"],
];

const DASHES = ["", "7 4", "2 4", "10 3 2 3"] as const;

export const MARKERS = ["circle", "square", "triangle", "diamond", "pentagon", "wedge", "hexagon", "cross"] as const;
export type Marker = (typeof MARKERS)[number];

/** Colour, marker and dash of one series. */
export interface Look {
  colour: number;
  marker: Marker;
  dash: string;
}

/** The look of the series at this place of the experiment's list. */
export function lookOf(index: number): Look {
  return {
    colour: index % SERIES.length,
    marker: MARKERS[index % MARKERS.length]!,
    dash: DASHES[Math.floor(index / SERIES.length) % DASHES.length]!,
  };
}

/** Everything about a chart's appearance that differs between screen and paper. */
export interface Theme {
  ink: string;
  muted: string;
  grid: string;
  surface: string;
  half: string;
  series: readonly string[];
  font: string;
}

const FONT = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif';

/** Follows the page between light and dark. */
export const SCREEN: Theme = {
  ink: "var(--ink)",
  muted: "var(--muted)",
  grid: "var(--grid)",
  surface: "var(--surface)",
  half: "var(--half)",
  series: SERIES.map(([light, dark]) => `light-dark(${light}, ${dark})`),
  font: FONT,
};

/** Plain light colours that every program that reads SVG understands. */
export const PAPER: Theme = {
  ink: "#1c2127",
  muted: "#59636e",
  grid: "#e4e7ea",
  surface: "#ffffff",
  half: "#8a939c",
  series: SERIES.map(([light]) => light),
  font: FONT,
};

/** A regular polygon of this radius around 0, its first corner at this angle in degrees, clockwise from the top. */
function polygon(corners: number, radius: number, turn: number): string {
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = ((turn + (360 * i) / corners) * Math.PI) / 180;
    return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}

/** Outlines around 0 of about equal area. */
const OUTLINES: Record<Marker, string> = {
  circle: "M0 -4A4 4 0 1 1 0 4A4 4 0 1 1 0 -4Z",
  square: polygon(4, 5, 45),
  triangle: polygon(3, 5.4, 0),
  diamond: polygon(4, 5, 0),
  pentagon: polygon(5, 4.7, 0),
  wedge: polygon(3, 5.4, 180),
  hexagon: polygon(6, 4.5, 30),
  cross: "M-1.6 -4.6H1.6V-1.6H4.6V1.6H1.6V4.6H-1.6V1.6H-4.6V-1.6H-1.6Z",
};

interface MarkerProps {
  marker: Marker;
  colour: string;
  surface: string;
  x?: number;
  y?: number;
  scale?: number;
  hollow?: boolean;
}

/** A marker: hollow, or filled with a rim in the colour of its background, so that markers on top of each other stay apart. */
export function MarkerShape({ marker, colour, surface, x = 0, y = 0, scale = 1, hollow = false }: MarkerProps) {
  const place = `translate(${x.toFixed(1)} ${y.toFixed(1)})${scale === 1 ? "" : ` scale(${scale})`}`;
  return hollow ? (
    <path d={OUTLINES[marker]} transform={place} fill="none" stroke={colour} stroke-width={1.3 / scale} />
  ) : (
    <path d={OUTLINES[marker]} transform={place} fill={colour} stroke={surface} stroke-width="1.2" />
  );
}
