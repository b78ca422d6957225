/** The numbers of the picture. */

import type { Point } from "../api";
import { MarkerShape } from "../charts/marker";
import { SCREEN } from "../charts/palette";
import type { Line, Panel } from "../charts/panels";
import { count, counted, interval, percent, progress } from "../format";
import type { View } from "../url";
import { SizeTable } from "./size-table";

interface RatesTableProps {
  panel: Panel;
  title: string;
  sizes: readonly number[];
  detail: View["detail"];
}

export function RatesTable({ panel, title, sizes, detail }: RatesTableProps) {
  const caption = `Win rate in per cent with its interval, and games, by board size, ${title}`;
  return (
    <SizeTable kind="rates" label={caption} corner="Board size" sizes={sizes}>
      {panel.lines.map((line) => (
        <Row key={line.case.key} line={line} sizes={sizes} detail={detail} />
      ))}
    </SizeTable>
  );
}

function Row({ line: { case: owner, series }, sizes, detail }: { line: Line } & Pick<RatesTableProps, "sizes" | "detail">) {
  const bySize = new Map(series.points.map((point) => [point.size, point]));
  return (
    <tr data-case={owner.key}>
      <th scope="row">
        <span class="case">
          <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
            <MarkerShape marker={owner.look.marker} colour={SCREEN.series[owner.look.colour]!} surface="var(--surface)" />
          </svg>
          {owner.name}
        </span>
      </th>
      {sizes.map((size) => (
        <td key={size} data-size={size}>
          <Cell point={bySize.get(size)} detail={detail} />
        </td>
      ))}
    </tr>
  );
}

function Cell({ point, detail }: { point: Point | undefined; detail: View["detail"] }) {
  if (point === undefined) return <span class="none">–</span>;
  return (
    <>
      <b class="rate">{percent(point.rate)}</b>
      {point.rate !== null && <span class="interval">{interval(point.low, point.high)}</span>}
      {(point.verdict === "better" || point.verdict === "worse") && (
        <span class={`verdict ${point.verdict}`} title={point.words ?? undefined}>
          {point.verdict}
        </span>
      )}
      <span class="games" title={`Games: ${progress(point.games, point.games_planned)}`}>
        {count(point.games)}
        {point.games < point.games_planned && ` / ${count(point.games_planned)}`}
      </span>
      {point.missing !== undefined && (
        <span class="warn missing" title={point.missing.words}>
          {counted(point.missing.pairs, "pair")} missing<span class="visually-hidden">: {point.missing.words}</span>
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
