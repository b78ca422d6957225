/** What is around a picture: its caption, its legend, its numbers and its files. */

import type { ComponentChildren, VNode } from "preact";
import { Paper } from "../charts/paper";
import type { Picture } from "../charts/picture";
import { number } from "../format";
import { PictureView, type PictureViewProps } from "./chart";
import { DataTable } from "./data-table";
import { Exports } from "./exports";
import { Fold } from "./fold";
import { LinesLegend } from "./legend";

interface PictureFrameProps extends Omit<PictureViewProps, "title"> {
  /** The name of the files. */
  name: string;
  /** What the picture shows, in full; its caption without one. */
  title?: string | undefined;
  /** The caption in LaTeX; the name without one. */
  caption?: string;
  /** The picture on paper, if it is not the picture with its title. */
  paper?: () => VNode;
  /** The key of the panel that it belongs to. */
  panel?: string;
  /** What is said between the caption and the picture. */
  above?: ComponentChildren;
  /** Whether pictures beside it share its legend, which stands elsewhere. */
  isLegendShared?: boolean;
  /** What explains the picture. */
  children?: ComponentChildren;
}

export function PictureFrame({ picture, name, title = picture.title, caption = name, paper, panel, above, isLegendShared = false, children, ...view }: PictureFrameProps) {
  const { legend, table, latex, readings, choose } = picture;
  const isRead = readings !== undefined && choose === undefined;
  return (
    <figure class={isRead ? "panel running" : "panel"} data-figure={picture.title} data-panel={panel}>
      {picture.title !== "" && <figcaption>{picture.title}</figcaption>}
      {legend !== undefined && !isLegendShared && <LinesLegend lines={legend} />}
      {above}
      <PictureView picture={picture} title={title} {...view} />
      {children}
      <Exports name={name} table={table} drawing={paper ?? (() => <Paper picture={picture} title={name} />)} latex={latex && (() => latex(caption))} />
      {isRead && (
        <Fold name={`${title}, numbers`} summary="The numbers">
          {() => <Numbers label={`${title}, the numbers`} picture={picture} />}
        </Fold>
      )}
    </figure>
  );
}

function Numbers({ label, picture }: { label: string; picture: Picture }) {
  const { columns, rows } = picture.table();
  const cells = columns.map((name, i) => [name, (row: (typeof rows)[number]) => (typeof row[i] === "number" && i > 0 ? number(row[i]) : row[i])] as const);
  return <DataTable kind="list" label={label} columns={cells} rows={rows} tall captioned />;
}

/** Pictures side by side. */
export function Panels({ children }: { children: readonly ComponentChildren[] }) {
  return <div class={children.length > 1 ? "panels many" : "panels"}>{children}</div>;
}
