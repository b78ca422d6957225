/** The numbers of the picture. */

import type { Point } from "../api";
import { isPale, type Line, type Panel } from "../charts/panels";
import type { Analysed } from "../charts/standing";
import { count, counted, interval, percent, progress } from "../format";
import { pathOf } from "../routes";
import type { View } from "../url";
import { DataTable, type Column } from "./data-table";
import { correctedWords, llrWords } from "./ended";
import { useMore } from "./fold";
import { CaseName } from "./legend";

/** Rows at the beginning. */
const FIRST = 100;

interface RatesTableProps {
  panel: Panel;
  title: string;
  sizes: readonly number[];
  detail: View["detail"];
  analysed: Analysed | undefined;
}

export function RatesTable({ panel, title, sizes, detail, analysed }: RatesTableProps) {
  const averages = detail === "short" ? new Map(analysed?.ranking(panel).map(({ line, result }) => [line.case.key, result.rate])) : undefined;
  const caption = `Win rate in per cent with its interval, and games, by board size, ${title}`;
  const [first, more] = useMore(panel.lines.length, FIRST, "cases", `rates ${title}`);
  const hasPale = panel.lines.slice(0, first).some(({ series }) => series.points.some(isPale));
  return (
    <>
      <DataTable
        kind="rates"
        label={caption}
        rows={panel.lines.slice(0, first)}
        rowProps={({ case: { key } }) => ({ key, "data-case": key })}
        columns={[
          ["Board size", ({ case: owner }) => <CaseName of={{ look: owner.look, name: owner.short }} />],
          ...sizes.map((size): Column<Line> => [size, ({ series }) => <Cell point={series.points.find((point) => point.size === size)} detail={detail} />]),
          ...(averages === undefined ? [] : [["Average", ({ case: { key } }: Line) => <b class="rate">{percent(averages.get(key) ?? null)}</b>] as const]),
        ]}
        captioned
      />
      {more}
      {hasPale && <p class="meaning">Pale rates are of fewer than ten pairs.</p>}
    </>
  );
}

function Cell({ point, detail }: { point: Point | undefined; detail: View["detail"] }) {
  if (point === undefined) return <span class="none">–</span>;
  const rate = (
    <a class={isPale(point) ? "rate pale" : "rate"} href={pathOf("cell", point.cell)} title="The page of this cell">
      {percent(point.rate)}
    </a>
  );
  if (detail === "short") return rate;
  const { stopping } = point;
  const corrected = stopping && correctedWords(stopping);
  const llr = stopping && llrWords(stopping);
  return (
    <>
      {rate}
      {point.rate !== undefined && <span class="interval">{interval(point.low, point.high)}</span>}
      {point.verdict !== "open" && (
        <span class={`verdict ${point.verdict}`} title={point.words ?? undefined}>
          {point.verdict.replace("_", " ")}
        </span>
      )}
      <span class="games" title={`Games: ${progress(point.games, point.games_planned)}`}>
        {count(point.games)}
        {point.games < point.games_planned && ` / ${count(point.games_planned)}`}
      </span>
      {stopping !== undefined && stopping.outcome !== "open" && (
        <span title={stopping.words}>
          ended: {stopping.found}
          {corrected !== undefined && (
            <>
              <br />
              {corrected}
            </>
          )}
        </span>
      )}
      {llr !== undefined && <span title={stopping?.words}>{llr}</span>}
      {point.missing !== undefined && (
        <span class="missing" title={point.missing.words}>
          {counted(point.missing.pairs, "pair")} not finished<span class="visually-hidden">: {point.missing.words}</span>
        </span>
      )}
      {detail === "games" && (
        <span class="wdl">
          <span title="Wins, draws and losses of the case">
            +{count(point.wins)} ={count(point.draws)} −{count(point.losses)}
          </span>
          <br />
          {counted(point.pairs, "pair")}
        </span>
      )}
    </>
  );
}
