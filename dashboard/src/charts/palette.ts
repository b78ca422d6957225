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
