import type { Marker } from "./palette";

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
