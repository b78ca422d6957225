/** The cases in order, over all sizes, with the estimates that a fair ranking needs. */

import type { ExperimentSummary, Field } from "../api";
import { panelTitle } from "../charts/panels";
import type { Case, Panel } from "../charts/panels";
import type { Analysed, Ranked } from "../charts/standing";
import type { Table } from "../export/table";
import { count, counted, interval, inPercent, percent, points, pValue } from "../format";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { Exports } from "./exports";
import { CaseName } from "./mark";
import { useMore } from "./more";
import { Promotion } from "./promotion";
import { halfWidth } from "./ratings";

/** Rows in sight before somebody asks for all. */
const FIRST = 12;

interface RankingProps {
  summary: ExperimentSummary;
  analysed: Analysed;
  panels: readonly Panel[];
  shown: readonly Panel[];
  /** The cases that the picture draws, by key. */
  drawn: ReadonlyMap<string, Case>;
  /** Whether whoever looks may confirm and promote cases. */
  mayChange: boolean;
}

export function Ranking({ summary, analysed, panels, shown, drawn, mayChange }: RankingProps) {
  const ranked = shown.flatMap((panel) => {
    const [field, ranking] = [analysed.field(panel), analysed.ranking(panel)];
    return field === undefined || ranking.length < 2 ? [] : [{ panel, field, ranking }];
  });
  if (ranked.length === 0) return null;
  const { has_ended, is_complete, games_done } = analysed.analysis;
  return (
    <section aria-labelledby="ranking">
      <h2 id="ranking">Ranking over all sizes</h2>
      {!has_ended && (
        <p class="meaning">
          Games are missing: the order may still change.
          {games_done < summary.games_done && ` It is that of the first ${count(games_done)} of ${counted(summary.games_done, "game")}.`}
        </p>
      )}
      {ranked.map(({ panel, field, ranking }) => {
        const title = panelTitle(panel, panels);
        return (
          <div key={panel.key}>
            {ranked.length > 1 && <h3>{title}</h3>}
            <RankingTable ranking={ranking} drawn={drawn} title={title} isComplete={is_complete} experiment={summary.id} mayChange={mayChange} />
            <Exports name={`${summary.name}, ranking, ${title}`} table={() => rankingTable(ranking)} />
            <p class="meaning">{meaning(field)}</p>
          </div>
        );
      })}
    </section>
  );
}

/** What the columns mean, with the field's own numbers. */
function meaning({ cases, mean, spread, luck_of_the_best, interaction }: Field): string {
  const level = interaction === null ? "" : ` The differences between the cases are ${interaction.p_value < 0.05 ? "not the same on all sizes" : "much the same on all sizes"} (${pValue(interaction.p_value)}).`;
  return (
    `A shrunken rate is pulled towards the mean of all cases (${inPercent(mean)}), the more the fewer games there are: it is the best guess of the true rate. ` +
    `The true rates spread by ${points(spread)} points, chance taken out. ` +
    `If all ${count(cases.length)} cases were equal, the best one would still look ${points(luck_of_the_best)} points better than the mean.${level}`
  );
}

/** The headings, with what those that do not explain themselves mean. */
const COLUMNS = [
  "#",
  "Case",
  <span title="The rate over all sizes, shrunken towards the mean of all cases, and half the width of its 95 % interval">Shrunken</span>,
  <span title="The average of the rates over sizes, by the weights of the cells">Average</span>,
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
  ranking: readonly Ranked[];
  drawn: ReadonlyMap<string, Case>;
  title: string;
  isComplete: boolean;
  experiment: string;
  mayChange: boolean;
}

function RankingTable({ ranking, drawn, title, isComplete, experiment, mayChange }: RankingTableProps) {
  const [first, more] = useMore(ranking.length, FIRST, "cases", `ranking ${title}`);
  return (
    <>
      <DataTable kind="list ranking" label={`Ranking ${title}`} columns={COLUMNS} captioned>
        {ranking.slice(0, first).map(({ line, line: { case: owner }, result }, i) => (
          <tr key={owner.key} data-case={owner.key}>
            <td>{i + 1}</td>
            <th scope="row">
              <CaseName of={{ name: owner.name, look: drawn.get(owner.key)?.look }} />
            </th>
            <td>
              <b>{percent(result.shrunken)}</b> ± {points(halfWidth(result.shrunken_deviation))}
            </td>
            <td>{percent(result.rate)}</td>
            <td>{interval(result.low, result.high)}</td>
            <td>{interval(result.cs_low, result.cs_high)}</td>
            <td>{inPercent(result.prob_best)}</td>
            <td>{count(result.pairs)}</td>
            <td>
              {line.series.points.map(({ cell, size }) => (
                <a key={cell} class="of-size" href={pathOf("cell", cell)} aria-label={`${owner.name} on size ${size}`}>
                  {size}
                </a>
              ))}
            </td>
            <td>{claim(result, isComplete)}</td>
            <td>{result.heterogeneity === null ? "–" : pValue(result.heterogeneity.p_value)}</td>
            <td>
              <Promotion experiment={experiment} line={line} mayChange={mayChange} />
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
