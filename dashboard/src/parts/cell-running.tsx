/** How the result of a cell came about: its estimate and what its stopping rules watch, pair by pair. */

import { useMemo } from "preact/hooks";
import type { CellReport, RuleMeasure, RunningCell, RunningRule } from "../api";
import { settledDomain } from "../charts/running-layout";
import type { RunningMark } from "../charts/running-layout";
import type { Table } from "../export/table";
import { capital, count, counted, inPercent, interval, moment, number, sequence, shortPercent } from "../format";
import { pathOf } from "../routes";
import { Fold } from "./fold";
import { RunningChart } from "./running-chart";
import { Words } from "./words";

const decimals = (value: number) => number(+value.toFixed(2)).replace("-", "−");

/** What a rule watches: its axis, its name in a file, and how a value is written. */
const MEASURES: Record<RuleMeasure, { axis: string; column: string; write: (value: number) => string }> = {
  llr: { axis: "Log-likelihood ratio", column: "llr", write: decimals },
  log_e_value: { axis: "Logarithm of the e-value", column: "log_e_value", write: decimals },
  half_width: { axis: "Half of the interval's width, in points", column: "half_width", write: (value) => decimals(100 * value) },
};

/** The axis of a rule goes on after what the rule has read, by this factor. */
const ROOM = 1.25;

const HALF = [{ value: 0.5, text: "50" }];

export function CellRunning({ report, running, name }: { report: CellReport; running: RunningCell; name: string }) {
  const { points, every, in_order: inOrder, pairs } = running;
  const marks = useMemo(
    () => points.map((point): RunningMark => ({ pairs: point.pairs, value: point.rate, bands: [[point.cs_low, point.cs_high], [point.low, point.high]] })),
    [points],
  );
  const domain = useMemo((): [number, number] => {
    const [low, high] = settledDomain(marks, [0.45, 0.55]);
    return [Math.max(0, low), Math.min(1, high)];
  }, [marks]);
  const table: Table = {
    columns: ["pairs", "rate", "low", "high", "cs_low", "cs_high"],
    rows: points.map(({ pairs, rate, low, high, cs_low, cs_high }) => [pairs, rate, low, high, cs_low, cs_high]),
  };
  const changes = useMemo(() => running.changes.map(({ pairs }) => pairs), [running]);
  if (points.length === 0) return <p class="lead">The picture begins with the first complete pair.</p>;
  return (
    <section class="picture" aria-labelledby="running">
      <h2 id="running">How the result came about</h2>
      <div class={running.rules.length > 0 ? "panels many" : "panels"}>
        <RunningChart
          title="Win rate by the number of pairs, in their order"
          name={`${name}, win rate by pairs`}
          axis="Win rate in %"
          marks={marks}
          last={pairs}
          domain={domain}
          write={shortPercent}
          levels={HALF}
          say={({ value, bands: [running, fixed] }) => `${inPercent(value)}, interval ${interval(...fixed!)}\u00a0%, at any look ${sequence(...running!)}\u00a0%`}
          changes={changes}
          table={table}
        >
          <Changes running={running} />
        </RunningChart>
        {running.rules.map((rule) => (
          <Rule key={rule.words} rule={rule} name={name} pairs={pairs} />
        ))}
      </div>
      <p class="meaning">
        Dark band: the {Math.round(100 * report.confidence)}&nbsp;% interval for a number of games that was fixed beforehand ({report.interval_method}).
        Light band: the {report.sequence_method}. Pairs stand in the order of their numbers, whenever they arrived.
        {every > 1 && ` The picture has a point for the first pair, for every ${count(every)} further pairs, and for the last one.`}
        {inOrder < pairs && ` Pair ${count(inOrder)} is not complete: stopping rules have read the ${counted(inOrder, "pair")} before it.`}
      </p>
    </section>
  );
}

/** What the numbered lines of the picture are. */
function Changes({ running: { changes } }: { running: RunningCell }) {
  if (changes.length === 0) return null;
  return (
    <Fold name="changes" kind="changes" summary={<>Dotted lines: {counted(changes.length, "change")} that people made, at the pairs complete then</>}>
      <ol>
        {changes.map(({ entry, experiment }) => (
          <li key={`${entry.seq} ${experiment.id}`}>
            <time dateTime={new Date(entry.at_ms).toISOString()}>{moment(entry.at_ms)}</time>, {entry.who}: {entry.action}{" "}
            <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a>
            {entry.detail !== "" && `, ${entry.detail}`}
          </li>
        ))}
      </ol>
    </Fold>
  );
}

/** The lines at which a rule decides. */
function levelsOf({ measure, lower, upper }: RunningRule) {
  return [lower, upper].flatMap((value) => (value === null ? [] : [{ value, text: MEASURES[measure].write(value) }]));
}

function Rule({ rule, name, pairs }: { rule: RunningRule; name: string; pairs: number }) {
  const { axis, column, write } = MEASURES[rule.measure];
  const marks = useMemo(() => rule.values.map(({ pairs, value }): RunningMark => ({ pairs, value, bands: [] })), [rule]);
  const levels = useMemo(() => levelsOf(rule), [rule]);
  const domain = useMemo(() => settledDomain(marks, [...levels.map(({ value }) => value), ...(rule.measure === "half_width" ? [0] : [])]), [marks, levels]);
  // A decision after a few pairs is seen as well as one after thousands.
  const last = Math.min(pairs, Math.ceil(ROOM * (marks.at(-1)?.pairs ?? pairs)));
  const decided = useMemo(() => (rule.decided === null ? undefined : { pairs: rule.decided, text: `decided after ${count(rule.decided)}` }), [rule.decided]);
  return (
    <RunningChart
      title={`${axis} of the stopping rule`}
      name={`${name}, ${axis.toLowerCase()}`}
      axis={axis}
      look={2}
      marks={marks}
      last={last}
      domain={domain}
      write={write}
      levels={levels}
      decided={decided}
      say={({ value }) => `${write(value)}${levels.length > 0 ? `; decides at ${levels.map(({ text }) => text).join(" and ")}` : ""}`}
      table={{ columns: ["pairs", column], rows: rule.values.map(({ pairs, value }) => [pairs, value]) }}
    >
      <p class="rule">
        <Words of={capital(rule.words)} />. Rule of{" "}
        {rule.experiments.map((experiment, i) => (
          <span key={experiment.id}>
            {i > 0 && ", "}
            <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a>
          </span>
        ))}
        .
      </p>
    </RunningChart>
  );
}
