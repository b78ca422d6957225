/** Two experiments, revisions of them, or a case of each, side by side. The coordinator compares them. */

import { range } from "d3-array";
import { go } from "../address";
import { fetchComparison, fetchExperiment, type ComparedPoint, type ComparedSeries, type ComparedSide, type ComparedVerdict, type ExperimentReport, type ExperimentSummary, type Gap, type LonePoint, type LoneSeries, type SideBySide } from "../api";
import { differencesPicture, seriesWords } from "../charts/differences";
import { arrange } from "../charts/panels";
import { Paper } from "../charts/paper";
import { tableOf, type Table } from "../export/table";
import { count, counted, interval, moment, percent, pValue, signed } from "../format";
import { useFrame, useHere, useTitle } from "../frame";
import { useFetched } from "../live";
import { ArchivedOptions, UnlistedOption, useArchived } from "../parts/archived-options";
import { DataTable, type Column } from "../parts/data-table";
import { Alert, options, Section, Select, Words } from "../parts/elements";
import { useMore } from "../parts/fold";
import { Loaded, WaitingPage } from "../parts/loaded";
import { PictureFrame } from "../parts/picture";
import { PublishedPoints } from "../parts/published";
import { pathOf } from "../routes";
import { queryOf, sidesOf, sidesPath, type SideKey, type Sides } from "../sides";

const VERDICTS: Record<ComparedVerdict, string> = {
  agrees: "agree",
  differs: "differ",
  too_few_games: "too few games",
  not_played: "not played",
  same_cell: "the same games",
};

export function ComparePage() {
  const { overview, trouble } = useFrame();
  const address = useHere();
  useTitle("Compare");
  if (overview === undefined) return <WaitingPage trouble={trouble} />;
  const sides = sidesOf(address);
  return (
    <>
      <h1>Compare</h1>
      <p class="lead">
        Choose two experiments, two revisions of one, or a case of each. Series of the same case, opponent and budget are put side by side; cases
        chosen on both sides may be any players at any budget. Results against different opponents are never subtracted: a player is known by its
        parameters, whatever its name. A revision has its own cells, with the games of the time until the next one began. The points of a published figure are drawn beside
        those of the first experiment.
      </p>
      <Choice experiments={overview.experiments} sides={sides} />
      {sides.left.experiment !== undefined && sides.right.experiment !== undefined && <Compared query={queryOf(sides)} />}
      {sides.left.experiment !== undefined && <PublishedPoints key={sides.left.experiment} experiment={sides.left.experiment} />}
    </>
  );
}

function Choice({ experiments, sides }: { experiments: readonly ExperimentSummary[]; sides: Sides }) {
  const choose = (change: Partial<Sides>) => go(sidesPath({ ...sides, ...change }), true);
  return (
    <div class="sides">
      <Side name="First" experiments={experiments} chosen={sides.left} choose={(left) => choose({ left })} />
      <Side name="Second" experiments={experiments} chosen={sides.right} choose={(right) => choose({ right })} />
    </div>
  );
}

interface SideProps {
  name: string;
  experiments: readonly ExperimentSummary[];
  chosen: SideKey;
  choose: (side: SideKey) => void;
}

function Side({ name, experiments, chosen, choose }: SideProps) {
  const { experiment } = chosen;
  const archived = useArchived();
  const title = [...experiments, ...archived].find(({ id, name: own }) => experiment === id || experiment === own);
  return (
    <fieldset>
      <legend>{name}</legend>
      <Select
        label="Experiment"
        value={title?.id ?? experiment ?? ""}
        options={[["", "Choose…"], ...experiments.map(({ id, name: own }) => [id, own] as const)]}
        choose={(id) => choose(id === "" ? {} : { experiment: id })}
      >
        {experiment !== undefined && title === undefined && <UnlistedOption experiment={experiment} />}
        <ArchivedOptions archived={archived} />
      </Select>
      {experiment !== undefined && <Part experiment={experiment} listed={title} chosen={chosen} choose={choose} />}
    </fieldset>
  );
}

interface PartProps extends Pick<SideProps, "chosen" | "choose"> {
  experiment: string;
  /** The experiment as a list has it, if any does. */
  listed: ExperimentSummary | undefined;
}

/** The revision and the case of an experiment. */
function Part({ experiment, listed, chosen, choose }: PartProps) {
  const report = useFetched(fetchExperiment, experiment).data;
  const newest = (listed ?? report?.summary)?.revision;
  return (
    <>
      {((newest ?? 0) > 1 || chosen.revision !== undefined) && <Revisions newest={newest} chosen={chosen} choose={choose} />}
      <Cases report={report} chosen={chosen} choose={choose} />
    </>
  );
}

function Revisions({ newest, chosen, choose }: { newest: number | undefined; chosen: SideKey; choose: (side: SideKey) => void }) {
  const { revision, ...rest } = chosen;
  const numbers = range(1, (newest ?? 0) + 1);
  const known = numbers.map((number) => [String(number), number === newest ? `${number}, now` : `${number}, until ${number + 1} began`] as const);
  return (
    <Select
      label="Revision"
      value={revision ?? ""}
      options={[["", "as it stands now"], ...unknownOption(revision, numbers.map(String)), ...known]}
      choose={(value) => choose({ ...rest, ...(value !== "" && { revision: value }) })}
    />
  );
}

/** What an address names and no list has. */
const unknownOption = (value: string | undefined, known: readonly string[]) => (value === undefined || known.includes(value) ? [] : options([value]));

function Cases({ report, chosen, choose }: { report: ExperimentReport | undefined; chosen: SideKey; choose: (side: SideKey) => void }) {
  const { case: only, ...rest } = chosen;
  const names = report === undefined ? [] : [...new Set(arrange(report).cases.map(({ name }) => name))];
  return (
    <Select
      label="Case"
      value={only ?? ""}
      options={[["", "every case"], ...unknownOption(only, names), ...options(names)]}
      choose={(value) => choose({ ...rest, ...(value !== "" && { case: value }) })}
    />
  );
}

function Compared({ query }: { query: string }) {
  const comparison = useFetched(fetchComparison, query);
  if (comparison.unknown) {
    return <Alert words={comparison.trouble ?? ""} kind="card warn" />;
  }
  return (
    <Loaded of={comparison} what="comparison">
      {(found) => <Result found={found} />}
    </Loaded>
  );
}

const gap = (value: Gap | null) => (value === null ? "–" : `${percent(value.value)} (${interval(value.low, value.high)})`);
const signedGap = (value: Gap | null) => (value === null ? "–" : `${signed(value.value)} (${signed(value.low)} to ${signed(value.high)})`);

/** A side in words. */
function wordsOf({ name, case: only, revision }: ComparedSide): string {
  return `${only ?? name}${revision === null ? "" : `, revision ${revision}`}`;
}

/** What one finds of two cells. A cell that stands on both sides is looked at twice. */
function verdictOf({ left_cell, right_cell, left_pairs, right_pairs, verdict }: ComparedPoint): string {
  if (left_cell !== right_cell || verdict === "same_cell") return VERDICTS[verdict];
  const later = counted(Math.abs(right_pairs - left_pairs), "later pair");
  return verdict === "not_played" ? `one cell; ${later}, none before` : `one cell; its ${later}: ${VERDICTS[verdict]}`;
}

/** What each side counts, where a revision is compared. */
function Times({ sides }: { sides: readonly [string, ComparedSide][] }) {
  if (sides.every(([, { revision }]) => revision === null)) return null;
  return (
    <p class="meaning">
      {sides
        .map(([name, { name: own, revision, until_ms: until }]) => {
          const what = revision === null ? `${own} with the cells of its newest revision` : `${own} with the cells of revision ${revision}`;
          return `${name}: ${what} and ${until === null ? "all pairs until now" : `the pairs that were complete on ${moment(until)}, when revision ${Number(revision) + 1} began`}.`;
        })
        .join(" ")}
    </p>
  );
}

/** Series in the picture at the beginning, and rows of a table. */
const MOST = 12;
const FIRST = 100;

/** Why nothing is compared. */
export function noneWords({ left, right, only_left, only_right }: SideBySide): string {
  if (left.case === null || right.case === null) return "No series of the two has the same case, opponent and budget. Choose a case on each side to compare them.";
  const wordsOf = (series: readonly LoneSeries[]) => series.map(({ title, points }) => `${title}, on size ${points.map(({ size }) => size).join(", ")}`).join("; ") || "nothing";
  return `The two cases have no cells that belong together: they differ in board size, opponent or budget. The first is played as ${wordsOf(only_left)}. The second is played as ${wordsOf(only_right)}.`;
}

function Result({ found }: { found: SideBySide }) {
  const title = `${wordsOf(found.left)} beside ${wordsOf(found.right)}`;
  const [first, more] = useMore(found.series.length, MOST, "series", "differences");
  const points = found.series.flatMap((own) => own.points);
  const isSame = points.every(({ verdict }) => verdict === "same_cell");
  const table = () => fileOf(found);
  return (
    <>
      <Section id="differences" kind="picture" title="First less second, in percentage points">
        <Times sides={[["First", found.left], ["Second", found.right]]} />
        {found.notes.map((note) => (
          <p key={note}>
            <Words of={note} />
          </p>
        ))}
        {found.series.length === 0 && <p>{noneWords(found)}</p>}
        {points.length > 0 && isSame && (
          <p>{points.length === 1 ? "The common cell is the same games." : `The ${count(points.length)} common cells are the same games.`}</p>
        )}
        {!isSame && (
          <>
            <PictureFrame
              picture={{ ...differencesPicture(`Differences of win rates, ${title}`, found.series.slice(0, first), table), title: "" }}
              name={title}
              title={`Differences of win rates, ${title}`}
              paper={() => <Paper picture={differencesPicture("", found.series, table)} title={`Differences of win rates, ${title}`} />}
            />
            {more}
          </>
        )}
        <p class="meaning">{found.method}</p>
      </Section>
      {found.series.length > 0 && <ComparedTable series={found.series} title={title} />}
      <Alone side="first" name={wordsOf(found.left)} series={found.only_left} />
      <Alone side="second" name={wordsOf(found.right)} series={found.only_right} />
    </>
  );
}

interface ComparedRow {
  own: ComparedSeries;
  /** A size; the row of all of them has none. */
  point?: ComparedPoint;
}

const cellLink = (cell: string | undefined, value: Gap | null | undefined) => cell !== undefined && <a href={pathOf("cell", cell)}>{gap(value ?? null)}</a>;

const COLUMNS: readonly Column<ComparedRow>[] = [
  ["Case", ({ own }) => seriesWords(own)],
  ["Size", ({ point }) => point?.size ?? "all"],
  ["First", ({ point }) => cellLink(point?.left_cell, point?.left)],
  ["Pairs", ({ point }) => point && count(point.left_pairs), "number"],
  ["Second", ({ point }) => cellLink(point?.right_cell, point?.right)],
  ["Pairs", ({ point }) => point && count(point.right_pairs), "number"],
  ["Difference", ({ own, point }) => (point === undefined ? <b>{signedGap(own.mean)}</b> : signedGap(point.difference))],
  ["Verdict", ({ own, point }) => (point !== undefined ? verdictOf(point) : own.p_value === null ? "–" : pValue(own.p_value))],
];

export function ComparedTable({ series, title }: { series: readonly ComparedSeries[]; title: string }) {
  const rows = series.flatMap((own): ComparedRow[] => [...own.points.map((point) => ({ own, point })), { own }]);
  const [first, more] = useMore(rows.length, FIRST, "rows", "compared");
  return (
    <>
      <DataTable kind="list" label={title} rows={rows.slice(0, first)} columns={COLUMNS} tall captioned />
      {more}
    </>
  );
}

const fileOf = ({ series }: SideBySide): Table =>
  tableOf(
    series.flatMap(({ points, left, right, against, budget }) => points.map((point) => ({ ...point, names: { left, right, against, budget } }))),
    [
      ...(["left", "right", "against", "budget"] as const).map((name) => [name, ({ names }: { names: Record<typeof name, string> }) => names[name]] as const),
      "size",
      ["left_rate", ({ left }) => left?.value],
      "left_pairs",
      ["right_rate", ({ right }) => right?.value],
      "right_pairs",
      ...(["value", "low", "high"] as const).map((end) => [end === "value" ? "difference" : end, ({ difference }: ComparedPoint) => difference?.[end]] as const),
      "verdict",
    ],
  );

/** The cells that one side has alone, with their results. */
function Alone({ side, name, series }: { side: string; name: string; series: readonly LoneSeries[] }) {
  const rows = series.flatMap(({ title, points }) => points.map((point) => ({ title, point })));
  const [first, more] = useMore(rows.length, FIRST, "cells", `only ${side}`);
  if (rows.length === 0) return null;
  const columns = ["size", "rate", "low", "high", "pairs", "cell"] as const;
  const field = (name: (typeof columns)[number], { size, rate, pairs, cell }: LonePoint) => ({ size, rate: rate?.value, low: rate?.low, high: rate?.high, pairs, cell })[name];
  return (
    <section aria-label={`Only in ${name}`}>
      <h2>Only in the {side}, {name}: {counted(rows.length, "cell")}</h2>
      <DataTable
        kind="list"
        label={`Cells only in the ${side}`}
        rows={rows.slice(0, first)}
        columns={[
          ["Case", ({ title }) => title],
          ["Size", ({ point }) => point.size],
          ["Rate in %", ({ point }) => cellLink(point.cell, point.rate)],
          ["Pairs", ({ point }) => count(point.pairs), "number"],
        ]}
        files={{
          name: `only in ${name}`,
          table: () => tableOf(rows, [["case", ({ title }) => title], ...columns.map((column) => [column, ({ point }: (typeof rows)[number]) => field(column, point)] as const)]),
        }}
        tall
      />
      {more}
    </section>
  );
}
