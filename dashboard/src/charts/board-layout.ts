/** Where the cells of a hexagonal board stand, and what they are called. Pure. */

/** How cells are written: counted in their row, or over the whole board as the API and game files of this program do. */
export type Numbering = "grid" | "gui";

export interface PlacedCell {
  /** The name in the API, which is GUI numbering. */
  key: string;
  /** The name in the numbering shown. */
  name: string;
  x: number;
  y: number;
}

export interface BoardLayout {
  width: number;
  height: number;
  /** From a cell's centre to its corners. */
  radius: number;
  cells: PlacedCell[];
  labels: { text: string; x: number; y: number }[];
}

/** The name of a row. */
const letter = (row: number) => String.fromCharCode(97 + row);

/** First column of a row; both are counted from 0. */
const firstColumn = (size: number, row: number) => Math.max(0, row - size + 1);

/** A name of the API in a numbering. */
export function cellName(size: number, key: string, numbering: Numbering): string {
  const row = key.charCodeAt(0) - 97;
  return numbering === "gui" ? key : `${key.charAt(0)}${Number(key.slice(1)) - firstColumn(size, row)}`;
}

export function layoutBoard(size: number, numbering: Numbering, radius = 20): BoardLayout {
  const rows = 2 * size - 1;
  const step = Math.sqrt(3) * radius;
  const margin = numbering === "gui" ? 1.3 * radius : 0.6 * radius;
  const side = 1.5 * radius;
  const middle = side + (rows * step) / 2 + radius / 2;
  const placed = (column: number, row: number) => ({
    x: middle + (column - (size - 1) - (row - (size - 1)) / 2) * step,
    y: margin + radius + row * 1.5 * radius,
  });
  const cells: PlacedCell[] = [];
  const labels: BoardLayout["labels"] = [];
  for (let row = 0; row < rows; row++) {
    const first = firstColumn(size, row);
    const count = rows - Math.abs(row - (size - 1));
    for (let i = 0; i < count; i++) {
      const key = `${letter(row)}${first + i + 1}`;
      cells.push({ key, name: cellName(size, key, numbering), ...placed(first + i, row) });
    }
    const start = placed(first, row);
    const end = placed(first + count - 1, row);
    labels.push({ text: letter(row), x: start.x - 1.35 * radius, y: start.y });
    // In grid numbering the numbers of each row begin at 1: its end tells how many there are. In GUI numbering a number
    // stands at the upper end of its slanted column.
    if (numbering === "grid") labels.push({ text: String(count), x: end.x + 1.35 * radius, y: end.y });
    else if (row < size - 1) labels.push({ text: String(first + count + 1), x: end.x + step * 0.75, y: end.y - radius * 0.35 });
  }
  if (numbering === "gui") {
    for (let column = 0; column < size; column++) {
      const { x, y } = placed(column, 0);
      labels.push({ text: String(column + 1), x: x + step * 0.25, y: y - 1.45 * radius });
    }
  }
  return { width: rows * step + 2 * side + radius, height: (rows - 1) * 1.5 * radius + 2 * radius + 2 * margin, radius, cells, labels };
}

/** The corners of a cell around 0. */
export function hexagon(radius: number): string {
  const corners = Array.from({ length: 6 }, (_, i) => {
    const angle = (Math.PI / 3) * i - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`;
  });
  return corners.join(" ");
}
