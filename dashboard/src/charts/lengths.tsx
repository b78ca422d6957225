/** How many games had so many moves: a bar for each number, from lost games below to won games on top. */

import type { LengthResults } from "../api";
import { linearAxis } from "./axis";
import { BarsChart } from "./bars";
import type { Picture } from "./picture";

const HEIGHT = 230;

/** The parts of a bar from below, with their places in the palette. */
const PARTS = [
  ["losses", "lost", 1],
  ["draws", "drawn", 4],
  ["wins", "won", 0],
] as const;

export function lengthsPicture(lengths: readonly LengthResults[]): Picture {
  const [first, last] = [lengths[0]?.plies ?? 0, lengths.at(-1)?.plies ?? 0];
  const x = linearAxis("Moves of a game", [first - 0.5, last + 0.5], { write: String, isWhole: true });
  const y = linearAxis("Games", [0, Math.max(1, ...lengths.map(({ wins, draws, losses }) => wins + draws + losses))], { isNice: true, isWhole: true });
  const bars = lengths.map((length) => ({
    from: x.place(length.plies - 0.5),
    to: x.place(length.plies + 0.5),
    words: `${length.plies} moves: ${PARTS.map(([part, name]) => `${length[part]} ${name}`).join(", ")}`,
    parts: PARTS.map(([part, , look]) => ({ height: y.place(length[part]), look })),
  }));
  return {
    title: "Games by their number of moves",
    legend: PARTS.map(([, name, look]) => ({ name: `${name} by the case`, look })),
    height: () => HEIGHT,
    draw: (canvas) => <BarsChart bars={{ height: HEIGHT, bars, x: { title: x.title, ticks: x.ticks(Math.floor(canvas.width / 60)) }, y: { title: y.title, ticks: y.ticks(4) } }} canvas={canvas} />,
    table: () => ({ columns: ["plies", "wins", "draws", "losses"], rows: lengths.map(({ plies, wins, draws, losses }) => [plies, wins, draws, losses]) }),
  };
}
