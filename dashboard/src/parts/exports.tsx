/** A picture or a table as files, of the numbers that are in sight. */

import { render } from "preact";
import type { VNode } from "preact";
import { fileName, saveBlob, saveText, toPng } from "../export/save";
import { csv, json, latexTable } from "../export/table";
import type { Table } from "../export/table";
import { useAttempt } from "./attempt";
import { Menu } from "./menu";

interface ExportsProps {
  /** What the files show: their name, and the caption in LaTeX. */
  name: string;
  table: () => Table | Promise<Table>;
  /** The picture as an `svg` element. */
  drawing?: () => VNode;
  /** LaTeX, if it is not the table's. */
  latex?: () => string;
  /** Game files. */
  sgf?: () => Promise<string>;
}

export function Exports({ name, table, drawing, latex, sgf }: ExportsProps) {
  const { busy, trouble, attempt } = useAttempt(notSaved);
  const text = (ending: string, kind: string, of: () => string | Promise<string>) =>
    [ending, async () => saveText(await of(), kind, fileName(name, ending))] as const;
  const files: (readonly [string, () => void | Promise<void>])[] = [
    ...(drawing === undefined
      ? []
      : [
          text("svg", "image/svg+xml", () => svgText(drawing())),
          ["png", async () => saveBlob(await toPng(svgText(drawing())), fileName(name, "png"))] as const,
        ]),
    text("csv", "text/csv", async () => csv(await table())),
    text("json", "application/json", async () => json(await table())),
    text("tex", "text/x-tex", latex ?? (async () => latexTable(await table(), name))),
    ...(sgf === undefined ? [] : [text("sgf", "application/x-go-sgf", sgf)]),
  ];
  return (
    <div class="exports" role="group" aria-label={`Export ${name}`} aria-busy={busy}>
      <Menu label="Export" name={`Export ${name}`}>
        {files.map(([ending, make]) => (
          // The attempt passes over what comes while a file is made.
          <button key={ending} type="button" aria-disabled={busy} onClick={() => void attempt(make)}>
            {ending === "tex" ? "LaTeX" : ending.toUpperCase()}
          </button>
        ))}
      </Menu>
      {trouble !== undefined && <span role="alert">{trouble}</span>}
    </div>
  );
}

/** Why a file was not saved, in words. */
export function notSaved(error: unknown): string {
  return `It could not be saved: ${error instanceof Error ? error.message : String(error)}`;
}

/** A drawing as the text of a file. */
export function svgText(drawing: VNode): string {
  const place = document.createElement("div");
  render(drawing, place);
  const text = new XMLSerializer().serializeToString(place.firstElementChild!);
  render(null, place);
  return text;
}
