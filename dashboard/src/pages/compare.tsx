/** Two experiments, or a case of each, side by side. The coordinator compares them. */

import { go } from "../address";
import { fetchComparison, fetchExperiment } from "../api";
import type { ComparedSeries, ComparedVerdict, ExperimentSummary, Gap, SideBySide } from "../api";
import { Differences, differencesHeight } from "../charts/differences";
import { PAPER, SCREEN } from "../charts/palette";
import { arrange } from "../charts/panels";
import { interval, percent, probability, signed } from "../format";
import { useAll, useFrame, useTitle } from "../frame";
import { useFetched } from "../live";
import { StillChart } from "../parts/chart";
import { DataTable } from "../parts/data-table";
import { Exports } from "../parts/exports";
import { Loaded } from "../parts/loaded";
import { PublishedPoints } from "../parts/published";
import type { Table } from "../export/table";
import { pathOf } from "../routes";
import { WaitingPage } from "./notices";

const VERDICTS: Record<ComparedVerdict, string> = {
  agrees: "agree",
  differs: "differ",
  too_few_games: "too few games",
  not_played: "not played",
  same_cell: "the same games",
};

/** What the address compares. */
function sidesOf(address: URL) {
  const part = (name: string) => address.searchParams.get(name) ?? undefined;
  return { left: part("left"), right: part("right"), leftCase: part("left_case"), rightCase: part("right_case") };
}

type Sides = ReturnType<typeof sidesOf>;

function addressOf({ left, right, leftCase, rightCase }: Sides): string {
  const query = new URLSearchParams();
  for (const [name, value] of [["left", left], ["right", right], ["left_case", leftCase], ["right_case", rightCase]] as const) {
    if (value !== undefined) query.set(name, value);
  }
  return `${pathOf("compare")}?${query.toString()}`;
}

export function ComparePage() {
  const { overview, trouble, address } = useFrame();
  useTitle("Compare");
  if (overview === undefined) return <WaitingPage trouble={trouble} />;
  const sides = sidesOf(address);
  return (
    <>
      <h1>Compare</h1>
      <p class="lead">
        Choose two experiments, or a case of each. Series of the same case, baseline and budget are put side by side. The
        points of a published figure are drawn beside those of the first experiment. Two revisions of an experiment are compared on its page.
      </p>
      <Choice experiments={overview.experiments} sides={sides} />
      {sides.left !== undefined && <PublishedPoints key={sides.left} experiment={sides.left} />}
      {sides.left !== undefined && sides.right !== undefined && (
        <Compared left={sides.left} right={sides.right} leftCase={sides.leftCase} rightCase={sides.rightCase} />
      )}
    </>
  );
}

function Choice({ experiments, sides }: { experiments: readonly ExperimentSummary[]; sides: Sides }) {
  const choose = (change: Partial<Sides>) => go(addressOf({ ...sides, ...change }), true);
  return (
    <div class="sides">
      <Side name="First" experiments={experiments} chosen={sides.left} chosenCase={sides.leftCase} choose={(left, leftCase) => choose({ left, leftCase })} />
      <Side name="Second" experiments={experiments} chosen={sides.right} chosenCase={sides.rightCase} choose={(right, rightCase) => choose({ right, rightCase })} />
    </div>
  );
}

interface SideProps {
  name: string;
  experiments: readonly ExperimentSummary[];
  chosen: string | undefined;
  chosenCase: string | undefined;
  choose: (experiment: string | undefined, only: string | undefined) => void;
}

const or = (text: string) => (text === "" ? undefined : text);

function Side({ name, experiments, chosen, chosenCase, choose }: SideProps) {
  return (
    <fieldset>
      <legend>{name}</legend>
      <label>
        Experiment{" "}
        <select value={chosen ?? ""} onChange={(event) => choose(or(event.currentTarget.value), undefined)}>
          <option value="">Choose…</option>
          {chosen !== undefined && experiments.every(({ id }) => id !== chosen) && <option value={chosen}>{chosen}</option>}
          {experiments.map(({ id, name: title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {chosen !== undefined && <Cases experiment={chosen} chosen={chosenCase} choose={(only) => choose(chosen, only)} />}
    </fieldset>
  );
}

function Cases({ experiment, chosen, choose }: { experiment: string; chosen: string | undefined; choose: (only: string | undefined) => void }) {
  const report = useFetched(fetchExperiment, experiment).data;
  const names = report === undefined ? [] : [...new Set(arrange(report).cases.map(({ name }) => name))];
  return (
    <label>
      Case{" "}
      <select value={chosen ?? ""} onChange={(event) => choose(or(event.currentTarget.value))}>
        <option value="">All</option>
        {chosen !== undefined && !names.includes(chosen) && <option value={chosen}>{chosen}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Compared({ left, right, leftCase, rightCase }: { left: string; right: string; leftCase: string | undefined; rightCase: string | undefined }) {
  const comparison = useFetched(fetchComparison, left, right, leftCase, rightCase);
  return (
    <Loaded of={comparison} what="comparison">
      {(found) => <Result found={found} />}
    </Loaded>
  );
}

const gap = (value: Gap | null) => (value === null ? "–" : `${percent(value.value)} (${interval(value.low, value.high)})`);
const signedGap = (value: Gap | null) => (value === null ? "–" : `${signed(value.value)} (${signed(value.low)} to ${signed(value.high)})`);

/** Pictures in sight; the table has all. */
const MOST = 12;

function Result({ found }: { found: SideBySide }) {
  const [all, setAll] = useAll("differences");
  const title = `${found.left.case ?? found.left.name} beside ${found.right.case ?? found.right.name}`;
  const shown = all ? found.series : found.series.slice(0, MOST);
  return (
    <>
      <section class="picture" aria-labelledby="differences">
        <h2 id="differences">First less second, in percentage points</h2>
        {found.series.length === 0 && <p>No series of the two has the same case and budget. Choose a case on each side to compare them.</p>}
        {shown.length > 0 && (
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
        {found.series.length > MOST && (
          <button type="button" class="plain" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `The first ${MOST}` : `All ${found.series.length}`}
          </button>
        )}
        <p class="meaning">{found.method}</p>
      </section>
      {found.series.length > 0 && <ComparedTable series={found.series} title={title} />}
      <Alone name={found.left.name} series={found.only_left} />
      <Alone name={found.right.name} series={found.only_right} />
    </>
  );
}

function ComparedTable({ series, title }: { series: readonly ComparedSeries[]; title: string }) {
  return (
    <DataTable kind="list" label={title} columns={["Case", "Size", "First", "Second", "Difference", "They"]} tall captioned>
      {series.flatMap((own) => [
        ...own.points.map((point) => (
          <tr key={`${nameOf(own)} ${point.size}`}>
            <th scope="row">{nameOf(own)}</th>
            <td>{point.size}</td>
            <td>{gap(point.left)}</td>
            <td>{gap(point.right)}</td>
            <td>{signedGap(point.difference)}</td>
            <td>{VERDICTS[point.verdict]}</td>
          </tr>
        )),
        <tr key={`${nameOf(own)} all`}>
          <th scope="row">{nameOf(own)}</th>
          <td>all</td>
          <td />
          <td />
          <td>
            <b>{signedGap(own.mean)}</b>
          </td>
          <td>{own.p_value === null ? "–" : `p = ${probability(own.p_value)}`}</td>
        </tr>,
      ])}
    </DataTable>
  );
}

/** A pair of series in words. */
export function nameOf({ left, right, against, budget }: ComparedSeries): string {
  return `${left === right ? left : `${left} − ${right}`} against ${against}, ${budget}`;
}

function tableOf({ series }: SideBySide): Table {
  return {
    columns: ["left", "right", "against", "budget", "size", "left_rate", "right_rate", "difference", "low", "high", "verdict"],
    rows: series.flatMap(({ left, right, against, budget, points }) =>
      points.map((point) => [
        left,
        right,
        against,
        budget,
        point.size,
        point.left?.value ?? null,
        point.right?.value ?? null,
        point.difference?.value ?? null,
        point.difference?.low ?? null,
        point.difference?.high ?? null,
        point.verdict,
      ]),
    ),
  };
}

function Alone({ name, series }: { name: string; series: readonly string[] }) {
  if (series.length === 0) return null;
  return (
    <details>
      <summary>
        Only in {name}: {series.length}
      </summary>
      <ul>
        {series.map((own) => (
          <li key={own}>{own}</li>
        ))}
      </ul>
    </details>
  );
}
