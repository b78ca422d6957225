/** Two experiments, revisions of them, or a case of each, side by side. The coordinator compares them. */

import { go } from "../address";
import { fetchComparison, fetchExperiment } from "../api";
import type { ComparedPoint, ComparedSeries, ComparedSide, ComparedVerdict, ExperimentReport, ExperimentSummary, Gap, LoneSeries, SideBySide } from "../api";
import { Differences, differencesHeight, seriesWords } from "../charts/differences";
import { PAPER, SCREEN } from "../charts/palette";
import { arrange } from "../charts/panels";
import { count, counted, interval, moment, percent, pValue, signed } from "../format";
import { useAll, useFrame, useHere, useTitle } from "../frame";
import { useFetched } from "../live";
import { StillChart } from "../parts/chart";
import { DataTable } from "../parts/data-table";
import { Exports } from "../parts/exports";
import { Loaded } from "../parts/loaded";
import { useMore } from "../parts/more";
import { PublishedPoints } from "../parts/published";
import { ArchivedOptions, UnlistedOption, useArchived } from "../parts/archived-options";
import { Words } from "../parts/words";
import type { Table } from "../export/table";
import { pathOf } from "../routes";
import { queryOf, sidesOf, sidesPath } from "../sides";
import type { SideKey, Sides } from "../sides";
import { WaitingPage } from "./notices";

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
      <label>
        Experiment{" "}
        <select value={title?.id ?? experiment ?? ""} onChange={({ currentTarget: { value } }) => choose(value === "" ? {} : { experiment: value })}>
          <option value="">Choose…</option>
          {experiment !== undefined && title === undefined && <UnlistedOption experiment={experiment} />}
          {experiments.map(({ id, name: own }) => (
            <option key={id} value={id}>
              {own}
            </option>
          ))}
          <ArchivedOptions archived={archived} />
        </select>
      </label>
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
  const numbers = Array.from({ length: newest ?? 0 }, (_, i) => String(i + 1));
  return (
    <label>
      Revision{" "}
      <select value={revision ?? ""} onChange={({ currentTarget: { value } }) => choose({ ...rest, ...(value !== "" && { revision: value }) })}>
        <option value="">as it stands now</option>
        {revision !== undefined && !numbers.includes(revision) && <option value={revision}>{revision}</option>}
        {numbers.map((number) => (
          <option key={number} value={number}>
            {Number(number) === newest ? `${number}, now` : `${number}, until ${Number(number) + 1} began`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Cases({ report, chosen, choose }: { report: ExperimentReport | undefined; chosen: SideKey; choose: (side: SideKey) => void }) {
  const { case: only, ...rest } = chosen;
  const names = report === undefined ? [] : [...new Set(arrange(report).cases.map(({ name }) => name))];
  return (
    <label>
      Case{" "}
      <select value={only ?? ""} onChange={({ currentTarget: { value } }) => choose({ ...rest, ...(value !== "" && { case: value }) })}>
        <option value="">every case</option>
        {only !== undefined && !names.includes(only) && <option value={only}>{only}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Compared({ query }: { query: string }) {
  const comparison = useFetched(fetchComparison, query);
  if (comparison.unknown) {
    return (
      <p class="card warn" role="alert">
        <Words of={comparison.trouble ?? ""} />
      </p>
    );
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

/** Pictures in sight; the table has all. */
const MOST = 12;

/** Rows of a table in sight before somebody asks for more. */
const FIRST = 100;

/** Why nothing is compared. */
export function noneWords({ left, right, only_left, only_right }: SideBySide): string {
  if (left.case === null || right.case === null) return "No series of the two has the same case, opponent and budget. Choose a case on each side to compare them.";
  const wordsOf = (series: readonly LoneSeries[]) => series.map(({ title, points }) => `${title}, on size ${points.map(({ size }) => size).join(", ")}`).join("; ") || "nothing";
  return `The two cases have no cells that belong together: they differ in board size, opponent or budget. The first is played as ${wordsOf(only_left)}. The second is played as ${wordsOf(only_right)}.`;
}

function Result({ found }: { found: SideBySide }) {
  const [all, setAll] = useAll("differences");
  const title = `${wordsOf(found.left)} beside ${wordsOf(found.right)}`;
  const shown = all ? found.series : found.series.slice(0, MOST);
  const points = found.series.flatMap((own) => own.points);
  const isSame = points.every(({ verdict }) => verdict === "same_cell");
  return (
    <>
      <section class="picture" aria-labelledby="differences">
        <h2 id="differences">First less second, in percentage points</h2>
        <Times
          sides={[
            ["First", found.left],
            ["Second", found.right],
          ]}
        />
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
          <div class="panel">
            <StillChart
              title={`Differences of win rates, ${title}`}
              height={differencesHeight(shown)}
              draw={(width) => <Differences series={shown} width={width} theme={SCREEN} />}
            />
            <Exports
              name={title}
              table={() => tableOf(found)}
              drawing={() => (
                <svg xmlns="http://www.w3.org/2000/svg" width={960} height={differencesHeight(found.series)}>
                  <rect width="960" height={differencesHeight(found.series)} fill={PAPER.surface} />
                  <Differences series={found.series} width={960} theme={PAPER} />
                </svg>
              )}
            />
          </div>
        )}
        {!isSame && found.series.length > MOST && (
          <button type="button" class="plain" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `The first ${MOST}` : `All ${found.series.length}`}
          </button>
        )}
        <p class="meaning">{found.method}</p>
      </section>
      {found.series.length > 0 && <ComparedTable series={found.series} title={title} />}
      <Alone side="first" name={wordsOf(found.left)} series={found.only_left} />
      <Alone side="second" name={wordsOf(found.right)} series={found.only_right} />
    </>
  );
}

export function ComparedTable({ series, title }: { series: readonly ComparedSeries[]; title: string }) {
  // A row for each size, and one for all of them.
  const rows = series.flatMap((own) => [...own.points.map((point) => ({ own, point })), { own, point: undefined }]);
  const [first, more] = useMore(rows.length, FIRST, "rows", "compared");
  return (
    <>
      <DataTable kind="list" label={title} columns={["Case", "Size", "First", "Pairs", "Second", "Pairs", "Difference", "Verdict"]} tall captioned>
        {rows.slice(0, first).map(({ own, point }) =>
          point === undefined ? (
            <tr key={`${seriesWords(own)} all`}>
              <th scope="row">{seriesWords(own)}</th>
              <td>all</td>
              <td colSpan={4} />
              <td>
                <b>{signedGap(own.mean)}</b>
              </td>
              <td>{own.p_value === null ? "–" : pValue(own.p_value)}</td>
            </tr>
          ) : (
            <tr key={`${seriesWords(own)} ${point.size}`}>
              <th scope="row">{seriesWords(own)}</th>
              <td>{point.size}</td>
              <td>
                <a href={pathOf("cell", point.left_cell)}>{gap(point.left)}</a>
              </td>
              <td class="number">{count(point.left_pairs)}</td>
              <td>
                <a href={pathOf("cell", point.right_cell)}>{gap(point.right)}</a>
              </td>
              <td class="number">{count(point.right_pairs)}</td>
              <td>{signedGap(point.difference)}</td>
              <td>{verdictOf(point)}</td>
            </tr>
          ),
        )}
      </DataTable>
      {more}
    </>
  );
}

function tableOf({ series }: SideBySide): Table {
  return {
    columns: ["left", "right", "against", "budget", "size", "left_rate", "left_pairs", "right_rate", "right_pairs", "difference", "low", "high", "verdict"],
    rows: series.flatMap(({ left, right, against, budget, points }) =>
      points.map((point) => [
        left,
        right,
        against,
        budget,
        point.size,
        point.left?.value ?? null,
        point.left_pairs,
        point.right?.value ?? null,
        point.right_pairs,
        point.difference?.value ?? null,
        point.difference?.low ?? null,
        point.difference?.high ?? null,
        point.verdict,
      ]),
    ),
  };
}

/** The cells that one side has alone, with their results. */
function Alone({ side, name, series }: { side: string; name: string; series: readonly LoneSeries[] }) {
  const rows = series.flatMap(({ title, points }) => points.map((point) => ({ title, point })));
  const [first, more] = useMore(rows.length, FIRST, "cells", `only ${side}`);
  if (rows.length === 0) return null;
  return (
    <section aria-label={`Only in ${name}`}>
      <h2>
        Only in the {side}, {name}: {counted(rows.length, "cell")}
      </h2>
      <DataTable
        kind="list"
        label={`Cells only in the ${side}`}
        columns={["Case", "Size", "Rate in %", "Pairs"]}
        files={{
          name: `only in ${name}`,
          table: () => ({
            columns: ["case", "size", "rate", "low", "high", "pairs", "cell"],
            rows: rows.map(({ title, point: { size, rate, pairs, cell } }) => [title, size, rate?.value ?? null, rate?.low ?? null, rate?.high ?? null, pairs, cell]),
          }),
        }}
        tall
      >
        {rows.slice(0, first).map(({ title, point: { size, cell, rate, pairs } }) => (
          <tr key={cell}>
            <th scope="row">{title}</th>
            <td>{size}</td>
            <td>
              <a href={pathOf("cell", cell)}>{gap(rate)}</a>
            </td>
            <td class="number">{count(pairs)}</td>
          </tr>
        ))}
      </DataTable>
      {more}
    </section>
  );
}
