/** The numbers of the picture. */

import type { Point } from "../api";
import { isPale } from "../charts/panels";
import type { Line, Panel } from "../charts/panels";
import { count, counted, interval, percent, progress } from "../format";
import type { Analysed } from "../charts/standing";
import type { View } from "../url";
import { pathOf } from "../routes";
import { correctedWords, llrWords } from "./ended";
import { CaseName } from "./mark";
import { useMore } from "./more";
import { SizeTable } from "./size-table";

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
      <SizeTable kind="rates" label={caption} corner="Board size" sizes={sizes} last={averages && "Average"}>
        {panel.lines.slice(0, first).map((line) => (
          <Row key={line.case.key} line={line} sizes={sizes} detail={detail} average={averages && (averages.get(line.case.key) ?? null)} />
        ))}
      </SizeTable>
      {more}
      {hasPale && <p class="meaning">Pale rates are of fewer than ten pairs.</p>}
    </>
  );
}

interface RowProps extends Pick<RatesTableProps, "sizes" | "detail"> {
  line: Line;
  /** Over all sizes, by the coordinator; undefined if it is not wanted. */
  average: number | null | undefined;
}

function Row({ line: { case: owner, series }, sizes, detail, average }: RowProps) {
  const bySize = new Map(series.points.map((point) => [point.size, point]));
  return (
    <tr data-case={owner.key}>
      <th scope="row">
        <CaseName of={{ look: owner.look, name: owner.short }} />
      </th>
      {sizes.map((size) => (
        <td key={size} data-size={size}>
          <Cell point={bySize.get(size)} detail={detail} />
        </td>
      ))}
      {average !== undefined && (
        <td>
          <b class="rate">{percent(average)}</b>
        </td>
      )}
    </tr>
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
  const corrected = point.stopping && correctedWords(point.stopping);
  const llr = point.stopping && llrWords(point.stopping);
  return (
    <>
      {rate}
      {point.rate !== null && <span class="interval">{interval(point.low, point.high)}</span>}
      {point.verdict !== "open" && (
        <span class={`verdict ${point.verdict}`} title={point.words ?? undefined}>
          {point.verdict.replace("_", " ")}
        </span>
      )}
      <span class="games" title={`Games: ${progress(point.games, point.games_planned)}`}>
        {count(point.games)}
        {point.games < point.games_planned && ` / ${count(point.games_planned)}`}
      </span>
      {point.stopping !== undefined && point.stopping.outcome !== "open" && (
        <span title={point.stopping.words}>
          ended: {point.stopping.found}
          {corrected !== undefined && (
            <>
              <br />
              {corrected}
            </>
          )}
        </span>
      )}
      {llr !== undefined && <span title={point.stopping?.words}>{llr}</span>}
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
