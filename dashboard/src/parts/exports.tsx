/** Pictures and tables as files, of the numbers that are in sight. */

import { render, type VNode } from "preact";
import { fileName, saveBlob, saveText, toPng } from "../export/save";
import { csv, json, latexTable, type Table } from "../export/table";
import { useAttempt } from "./dialog";
import { Menu } from "./menu";

/** What is on a button, and what saves the file. */
export type FileMaker = readonly [label: string, save: () => unknown];

const KINDS = { svg: "image/svg+xml", csv: "text/csv", json: "application/json", tex: "text/x-tex", sgf: "application/x-go-sgf" } as const;

/** A text as a file of a kind. */
export function textFile(ending: keyof typeof KINDS, name: string, text: () => string | Promise<string>): FileMaker {
  return [ending === "tex" ? "LaTeX" : ending.toUpperCase(), async () => saveText(await text(), KINDS[ending], fileName(name, ending))];
}

/** A drawing as files. */
export const drawingFiles = (name: string, drawing: () => VNode): FileMaker[] => [
  textFile("svg", name, () => svgText(drawing())),
  ["PNG", async () => saveBlob(await toPng(svgText(drawing())), fileName(name, "png"))],
];

/** The drawing as the text of a file. */
function svgText(drawing: VNode): string {
  const place = document.createElement("div");
  render(drawing, place);
  const text = new XMLSerializer().serializeToString(place.firstElementChild!);
  render(null, place);
  return text;
}

const notSaved = (error: unknown) => `It could not be saved: ${error instanceof Error ? error.message : String(error)}`;

/** Saves one file at a time: the buttons, whether one is made, and why it was not. */
export function useFiles(files: readonly FileMaker[]) {
  const { busy, trouble, attempt } = useAttempt(notSaved);
  const buttons = files.map(([label, save]) => (
    // The attempt passes over what comes while a file is made.
    <button key={label} type="button" aria-disabled={busy} onClick={() => void attempt(save)}>{label}</button>
  ));
  return { busy, buttons, alert: trouble !== undefined && <span role="alert">{trouble}</span> };
}

interface ExportsProps {
  /** What the files show: their name, and the caption in LaTeX. */
  name: string;
  table: () => Table | Promise<Table>;
  /** The picture as an `svg` element. */
  drawing?: (() => VNode) | undefined;
  /** LaTeX, if it is not the table's. */
  latex?: (() => string) | undefined;
  /** Game files. */
  sgf?: (() => Promise<string>) | undefined;
}

export function Exports({ name, table, drawing, latex, sgf }: ExportsProps) {
  const { busy, buttons, alert } = useFiles([
    ...(drawing === undefined ? [] : drawingFiles(name, drawing)),
    textFile("csv", name, async () => csv(await table())),
    textFile("json", name, async () => json(await table())),
    textFile("tex", name, latex ?? (async () => latexTable(await table(), name))),
    ...(sgf === undefined ? [] : [textFile("sgf", name, sgf)]),
  ]);
  return (
    <div class="exports" role="group" aria-label={`Export ${name}`} aria-busy={busy}>
      <Menu label="Export" name={`Export ${name}`}>
        {buttons}
      </Menu>
      {alert}
    </div>
  );
}
