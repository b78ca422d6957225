/** The cases in order, over all sizes or on one, with the estimates that a fair ranking needs. */

import { useMemo } from "preact/hooks";
import { fetchAnalysisOfSize, type Field, type RankedCase } from "../api";
import { panelTitle, type Case, type Line } from "../charts/panels";
import { Analysed, type Ranked } from "../charts/standing";
import { tableOf, type Table } from "../export/table";
import { count, counted, inPercent, interval, percent, points, pValue } from "../format";
import { useParameter } from "../frame";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable, type Column } from "./data-table";
import { Section, Switch } from "./elements";
import type { ExperimentView } from "./experiment-view";
import { Exports } from "./exports";
import { Fold, useMore } from "./fold";
import { CaseName } from "./legend";
import { Trouble } from "./loaded";
import { Promotion, PromotionMenu } from "./promotion";

/** Rows at the beginning. */
const FIRST = 12;

type RankingProps = Pick<ExperimentView, "report" | "selection" | "mayChange"> & { analysed: Analysed };

const ALL = "";

export function Ranking(props: RankingProps) {
  const { report: { sizes }, analysed, selection: { shown } } = props;
  const [wanted, choose] = useParameter("rank");
  const size = sizes.find((own) => String(own) === wanted);
  if (shown.every((panel) => analysed.ranking(panel).length < 2)) return null;
  return (
    <Section
      id="ranking"
      title={size === undefined && sizes.length > 1 ? "Ranking over all sizes" : `Ranking on size ${size ?? sizes[0]}`}
      tools={
        sizes.length > 1 && (
          <Switch
            label="Ranking over"
            value={size === undefined ? ALL : String(size)}
            options={[[ALL, "All sizes"], ...sizes.map((own) => [String(own), String(own)] as const)]}
            choose={(own) => choose(own === ALL ? undefined : own)}
          />
        )
      }
    >
      {size === undefined ? <Rankings {...props} /> : <OnSize {...props} size={size} />}
    </Section>
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

function Rankings({ report, analysed, selection: { panels, shown, drawn }, mayChange, size }: RankingProps & { size?: number }) {
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
            <p class="lead">{standingWords(ranking)}</p>
            <RankingTable size={size} ranking={ranking} drawn={drawn} title={title} isComplete={is_complete} experiment={summary.id} mayChange={mayChange} />
            <Exports name={`${summary.name}, ranking, ${title}`} table={() => rankingTable(ranking)} />
          </div>
        );
      })}
      <Fold name="ranking, method" kind="method" summary="What the columns mean">
        <p class="meaning">{is_complete ? COMPLETE : ANY_LOOK}</p>
        <p class="meaning">{size === undefined ? "The average is that of the rates on the sizes, by the weights of the cells." : SIZE_CHOSEN}</p>
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

const ANY_LOOK =
  "All numbers hold however often you look, and however it was decided when to end. The range is about one case. " +
  "Of the claims that a case differs from 50\u00a0%, at most 5\u00a0% are false on average. With a confidence of 95\u00a0%, a best case is among those that may be the best. " +
  "Intervals of a fixed number of games, shrunken rates, tests and curves come when all planned games are complete and no rule looked at them. " +
  "Where a rule or a person decided on the way, or games were planned later, the same cases as a new experiment with another seed have these numbers.";

const COMPLETE =
  "All numbers hold once, for the planned games. A shrunken rate is pulled towards the mean of all cases as far as the differences may be luck: it is the best guess of the true " +
  "rate on these openings. The interval says what is known of a case on all openings. With a confidence of 95\u00a0%, a best case is among those that may be the best. " +
  "Of the claims that a case differs from 50\u00a0%, at most 5\u00a0% are false on average.";

/** What a field has in common, with its own numbers. */
function meaning({ sizes, cases, comparable, mean, spread, luck_of_the_best: luck, interaction, difference }: Field): string {
  const uneven = cases.filter((own) => own.sizes < sizes.length).length;
  const missing =
    uneven === 0
      ? ""
      : `${counted(uneven, "case")} ${uneven === 1 ? "misses a size, and its average is that of fewer" : "miss sizes, and their averages are those of fewer"}. ${
          mean === null
            ? "Such cases are not compared with the others."
            : comparable
              ? "Comparisons and shrunken rates complete them: a missing size counts as hard for the case as for those that played it."
              : "No chain of common sizes connects all cases, so that they are not compared."
        } `;
  const level = interaction === null ? "" : `The differences between the cases are ${interaction.p_value < 0.05 ? "not the same on all sizes" : "much the same on all sizes"} (${pValue(interaction.p_value)}). `;
  if (mean === null || spread === null || luck === null || cases.length < 2) return missing + level;
  const apart = difference === null ? "" : `That all cases are equal has ${pValue(difference.p_value)}. `;
  return (
    `${missing}On these openings the mean of the cases is ${inPercent(mean)}, and their true rates spread by ${points(spread)} points, chance taken out. ${apart}` +
    `If all ${count(cases.length)} cases were equal, the best one would still look ${points(luck)} points better than the mean. ${level}`
  );
}

/** Which case to take, as far as the games show: the one sentence to act on. */
export function standingWords(ranking: readonly Ranked[]): string {
  const best = ranking.filter(({ result }) => result.may_be_best);
  const [first] = ranking;
  if (first === undefined || ranking.length < 2) return "";
  if (best.length === 1) return `${best[0]!.line.case.short} leads: every other case is shown to be worse.`;
  const others = best.length === ranking.length ? "any of the cases" : `${count(best.length)} of ${counted(ranking.length, "case")}`;
  return `No case leads: ${others} may be the best one. ${first.line.case.short} is the best guess.`;
}

/** Whether a case leads or may be the best one. */
function standing(result: RankedCase, isLed: boolean): string {
  if (!result.may_be_best) return "no";
  return isLed ? "leads" : "may be";
}

const explained = (name: string, title: string) => <span title={title}>{name}</span>;

/** A column of numbers. On a phone each stands below its row, with its name. */
interface NumberColumn {
  name: string;
  title?: string;
  of: (result: RankedCase) => string;
}

/** The columns of the numbers that hold: at any look, or of a complete plan. */
function numbersOf(size: number | undefined, isComplete: boolean, results: readonly RankedCase[]): NumberColumn[] {
  const isLed = results.filter((own) => own.may_be_best).length === 1;
  const rate: NumberColumn = {
    name: size === undefined ? "Average" : "Rate",
    ...(size === undefined && { title: "The average of the rates over sizes, by the weights of the cells" }),
    of: (own) => percent(own.rate),
  };
  const best: NumberColumn = { name: "Best", title: "Whether no other case is shown to be better", of: (own) => standing(own, isLed) };
  const pairs: NumberColumn = { name: "Pairs", of: (own) => count(own.pairs) };
  const differs: NumberColumn = { name: "Differs from 50\u00a0%", title: "With all cases taken into account", of: claim };
  if (!isComplete) {
    const range = { name: "At any look", title: "The confidence sequence of the average: it holds for one case, however often you look", of: (own: RankedCase) => interval(own.cs_low, own.cs_high) };
    return [rate, range, best, pairs, differs];
  }
  const alike: NumberColumn = { name: "Sizes alike", title: "Whether the rate is the same on all sizes", of: ({ heterogeneity: test }) => (test === null ? "–" : pValue(test.p_value)) };
  return [
    rate,
    { name: "Interval", title: "For the planned number of games", of: (own) => interval(own.low, own.high) },
    { name: "Shrunken", title: "The rate shrunken towards the mean of all cases: the best guess", of: (own) => percent(own.shrunken) },
    best,
    pairs,
    differs,
    ...(size === undefined ? [alike] : []),
  ];
}

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
  const numbers = numbersOf(size, isComplete, ranking.map(({ result }) => result)).map(
    ({ name, title: meant, of }, i): Column<Ranked> => [
      meant === undefined ? name : explained(name, meant),
      ({ result }) => <span data-name={name}>{i === 0 ? <b>{of(result)}</b> : of(result)}</span>,
      i === 0 ? "rate" : undefined,
    ],
  );
  return (
    <>
      <DataTable
        kind="list ranking"
        label={`Ranking ${title}`}
        rows={ranking.slice(0, first)}
        rowProps={({ line }) => ({ key: line.case.key, "data-case": line.case.key })}
        named={1}
        columns={[
          ["#", (_, i) => i + 1],
          [
            "Case",
            ({ line }) => (
              <>
                <CaseName of={{ name: line.case.short, look: drawn.get(line.case.key)?.look }} title={line.case.name} />
                {mayChange && <PromotionMenu experiment={experiment} line={line} />}
              </>
            ),
          ],
          ...numbers,
          ["Sizes", ({ line }) => <span data-name="Sizes">{cellLinks(line, size)}</span>],
          [explained("Confirmed", "Played once more on openings that were not used to choose the case"), ({ line }) => <Promotion line={line} />],
        ]}
        captioned
      />
      {more}
    </>
  );
}

const cellLinks = ({ case: owner, series }: Line, only: number | undefined) =>
  series.points
    .filter(({ size }) => only === undefined || size === only)
    .map(({ cell, size }) => (
      <a key={cell} class="of-size" href={pathOf("cell", cell)} aria-label={`${owner.name} on size ${size}`}>{size}</a>
    ));

/** What is claimed of a case, all cases taken into account. */
function claim({ differs, adjusted_p_value: p, rate }: RankedCase): string {
  const words = differs ? (rate > 0.5 ? "better" : "worse") : p === null ? "open" : "no";
  return p === null ? words : `${words} (${pValue(p)})`;
}

const RESULTS = ["rate", "cs_low", "cs_high", "error", "low", "high", "shrunken", "pairs", "sizes", "p_value", "adjusted_p_value", "log_e_value"] as const;

const rankingTable = (ranking: readonly Ranked[]): Table =>
  tableOf(ranking, [
    ["case", ({ line }) => line.case.name],
    ...RESULTS.map((name) => [name, ({ result }: Ranked) => result[name]] as const),
    ["may_be_best", ({ result }) => String(result.may_be_best)],
    ["differs", ({ result }) => String(result.differs)],
  ]);
