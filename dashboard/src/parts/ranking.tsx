/** The cases in order, over all sizes or on one, with the estimates that a fair ranking needs. */

import { useMemo } from "preact/hooks";
import { fetchAnalysisOfSize } from "../api";
import type { ExperimentReport, Field } from "../api";
import { panelTitle } from "../charts/panels";
import type { Case, Panel } from "../charts/panels";
import { Analysed } from "../charts/standing";
import type { Ranked } from "../charts/standing";
import type { Table } from "../export/table";
import { count, counted, interval, inPercent, percent, points, pValue } from "../format";
import { useParameter } from "../frame";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { Exports } from "./exports";
import { Fold } from "./fold";
import { Trouble } from "./loaded";
import { CaseName } from "./mark";
import { useMore } from "./more";
import { Promotion, PromotionMenu } from "./promotion";
import { halfWidth } from "./ratings";
import { Switch } from "./switch";

/** Rows in sight before somebody asks for all. */
const FIRST = 12;

interface RankingProps {
  report: ExperimentReport;
  analysed: Analysed;
  panels: readonly Panel[];
  shown: readonly Panel[];
  /** The cases that the picture draws, by key. */
  drawn: ReadonlyMap<string, Case>;
  /** Whether whoever looks may confirm and promote cases. */
  mayChange: boolean;
}

const ALL = "";

export function Ranking(props: RankingProps) {
  const { report: { sizes }, analysed, shown } = props;
  const [wanted, choose] = useParameter("rank");
  const size = sizes.find((own) => String(own) === wanted);
  if (shown.every((panel) => analysed.ranking(panel).length < 2)) return null;
  return (
    <section aria-labelledby="ranking">
      <div class="tools">
        <h2 id="ranking">{size === undefined && sizes.length > 1 ? "Ranking over all sizes" : `Ranking on size ${size ?? sizes[0]}`}</h2>
        {sizes.length > 1 && (
          <Switch
            label="Ranking over"
            value={size === undefined ? ALL : String(size)}
            options={[[ALL, "All sizes"], ...sizes.map((own) => [String(own), String(own)] as const)]}
            choose={(own) => choose(own === ALL ? undefined : own)}
          />
        )}
      </div>
      {size === undefined ? <Rankings {...props} /> : <OnSize {...props} size={size} />}
    </section>
  );
}

/** The ranking on one size: the coordinator analyses its cells as if there were no others. */
function OnSize({ size, ...props }: RankingProps & { size: number }) {
  const { report } = props;
  const { id, revision } = report.summary;
  const fetched = useFetched(fetchAnalysisOfSize, id, revision, size);
  const analysed = useMemo(() => fetched.data && new Analysed(report, fetched.data), [report, fetched.data]);
  return (
    <>
      <Trouble of={fetched} what="ranking" />
      {analysed === undefined ? fetched.trouble === undefined && <p class="meaning">The coordinator ranks the cases…</p> : <Rankings {...props} analysed={analysed} size={size} />}
    </>
  );
}

function Rankings({ report, analysed, panels, shown, drawn, mayChange, size }: RankingProps & { size?: number }) {
  const { summary } = report;
  const ranked = shown.flatMap((panel) => {
    const [field, ranking] = [analysed.field(panel), analysed.ranking(panel)];
    return field === undefined || ranking.length === 0 ? [] : [{ panel, field, ranking }];
  });
  const { has_ended, is_complete, games_done } = analysed.analysis;
  const isBehind = size === undefined && games_done < summary.games_done;
  if (ranked.length === 0) return <p class="meaning">No pair of games is complete{size !== undefined && ` on size ${size}`}.</p>;
  return (
    <>
      {!has_ended && (
        <p class="meaning">
          Games are missing: the order may still change.
          {isBehind && ` It is that of the first ${count(games_done)} of ${counted(summary.games_done, "game")}.`}
        </p>
      )}
      {ranked.map(({ panel, ranking }) => {
        const title = [panelTitle(panel, panels), ...(size === undefined ? [] : [`size ${size}`])].join(", ");
        return (
          <div key={panel.key}>
            {ranked.length > 1 && <h3>{title}</h3>}
            <RankingTable size={size} ranking={ranking} drawn={drawn} title={title} isComplete={is_complete} experiment={summary.id} mayChange={mayChange} />
            <Exports name={`${summary.name}, ranking, ${title}`} table={() => rankingTable(ranking)} />
          </div>
        );
      })}
      <Fold name="ranking, method" kind="method" summary="What the columns mean">
        <p class="meaning">
          A shrunken rate is pulled towards the mean of all cases, the more the fewer games there are: it is the best guess of the true rate. What
          follows ± is half the width of its 95&nbsp;% interval. {size === undefined ? "The average is that of the rates on the sizes, by the weights of the cells." : SIZE_CHOSEN}
        </p>
        {ranked.map(({ panel, field }) => (
          <p key={panel.key} class="meaning">
            {ranked.length > 1 && `${panelTitle(panel, panels)}: `}
            {meaning(field)}
          </p>
        ))}
      </Fold>
    </>
  );
}

const SIZE_CHOSEN = "The claims allow for the number of cases on this size. They do not allow for a choice of the size by its results.";

/** What a field has in common, with its own numbers. */
function meaning({ cases, mean, spread, luck_of_the_best, interaction }: Field): string {
  const level = interaction === null ? "" : ` The differences between the cases are ${interaction.p_value < 0.05 ? "not the same on all sizes" : "much the same on all sizes"} (${pValue(interaction.p_value)}).`;
  return (
    `The mean of the cases is ${inPercent(mean)}, and their true rates spread by ${points(spread)} points, chance taken out. ` +
    `If all ${count(cases.length)} cases were equal, the best one would still look ${points(luck_of_the_best)} points better than the mean.${level}`
  );
}

/** The headings, with what those that do not explain themselves mean. */
const columnsOf = (size: number | undefined) => [
  "#",
  "Case",
  <span title="The rate shrunken towards the mean of all cases, and half the width of its 95 % interval">Shrunken</span>,
  size === undefined ? <span title="The average of the rates over sizes, by the weights of the cells">Average</span> : "Rate",
  <span title="For a number of games that was fixed beforehand">Interval</span>,
  <span title="The confidence sequence of the average: it holds for one case, however often you look">At any look</span>,
  <span title="The chance that no other case is better">Best</span>,
  "Pairs",
  "Sizes",
  <span title="With all cases taken into account">Differs from 50&nbsp;%</span>,
  <span title="Whether the rate is the same on all sizes">Sizes alike</span>,
  <span title="Played once more on fresh openings that chose nothing">Confirmed</span>,
];

interface RankingTableProps {
  /** The one size that the numbers are of. */
  size: number | undefined;
  ranking: readonly Ranked[];
  drawn: ReadonlyMap<string, Case>;
  title: string;
  isComplete: boolean;
  experiment: string;
  mayChange: boolean;
}

function RankingTable({ size, ranking, drawn, title, isComplete, experiment, mayChange }: RankingTableProps) {
  const [first, more] = useMore(ranking.length, FIRST, "cases", `ranking ${title}`);
  return (
    <>
      <DataTable kind="list ranking" label={`Ranking ${title}`} columns={columnsOf(size)} captioned>
        {ranking.slice(0, first).map(({ line, line: { case: owner }, result }, i) => (
          <tr key={owner.key} data-case={owner.key}>
            <td>{i + 1}</td>
            <th scope="row" title={owner.name}>
              <CaseName of={{ name: owner.short, look: drawn.get(owner.key)?.look }} />
              {mayChange && <PromotionMenu experiment={experiment} line={line} />}
            </th>
            <td class="rate">
              <b>{percent(result.shrunken)}</b> ± {points(halfWidth(result.shrunken_deviation))}
            </td>
            <td data-name={size === undefined ? "Average" : "Rate"}>{percent(result.rate)}</td>
            <td data-name="Interval">{interval(result.low, result.high)}</td>
            <td data-name="At any look">{interval(result.cs_low, result.cs_high)}</td>
            <td data-name="Best">{inPercent(result.prob_best)}</td>
            <td data-name="Pairs">{count(result.pairs)}</td>
            <td data-name="Sizes">
              {line.series.points.filter((point) => size === undefined || point.size === size).map(({ cell, size: own }) => (
                <a key={cell} class="of-size" href={pathOf("cell", cell)} aria-label={`${owner.name} on size ${own}`}>
                  {own}
                </a>
              ))}
            </td>
            <td data-name="Differs from 50&nbsp;%">{claim(result, isComplete)}</td>
            <td data-name="Sizes alike">{result.heterogeneity === null ? "–" : pValue(result.heterogeneity.p_value)}</td>
            <td data-name="Confirmed">
              <Promotion line={line} />
            </td>
          </tr>
        ))}
      </DataTable>
      {more}
    </>
  );
}

/** What may be said about a case at this moment. */
function claim({ claims, rate, cs_low, cs_high }: Ranked["result"], isComplete: boolean): string {
  const side = rate > 0.5 ? "better" : "worse";
  // The evidence at any look is that of the sizes, which may lie on both sides. The interval does not hold at any look.
  const isOneSided = cs_low > 0.5 || cs_high < 0.5;
  if (claims.running) return isOneSided ? `${side}, at any look` : "differs on some size, at any look";
  if (!isComplete) return "open";
  return claims.complete ? `${side} (${pValue(claims.adjusted_p_value)})` : `no (${pValue(claims.adjusted_p_value)})`;
}

function rankingTable(ranking: readonly Ranked[]): Table {
  const columns = ["shrunken", "shrunken_deviation", "rate", "error", "low", "high", "cs_low", "cs_high", "prob_best", "pairs", "sizes", "p_value", "log_e_value"] as const;
  return {
    columns: ["case", ...columns],
    rows: ranking.map(({ line, result }) => [line.case.name, ...columns.map((column) => result[column])]),
  };
}
