/** How the result of a cell came about: its estimate and what its stopping rules watch, pair by pair. */

import { useMemo } from "preact/hooks";
import type { CellReport, RuleMeasure, RunningCell, RunningRule } from "../api";
import { runningPicture, settledDomain, type RunningMark } from "../charts/running";
import { tableOf } from "../export/table";
import { capital, count, counted, inPercent, interval, number, sequence, shortPercent } from "../format";
import { pathOf } from "../routes";
import { ChangeList } from "./change-list";
import { Section, Words } from "./elements";
import { Panels, PictureFrame } from "./picture";

const decimals = (value: number) => number(+value.toFixed(2)).replace("-", "−");

/** What a rule watches: its axis, and how a value is written. */
const MEASURES: Record<RuleMeasure, { axis: string; write: (value: number) => string }> = {
  llr: { axis: "Log-likelihood ratio", write: decimals },
  log_e_value: { axis: "Logarithm of the e-value", write: decimals },
  half_width: { axis: "Half of the interval's width, in points", write: (value) => decimals(100 * value) },
};

/** The axis of a rule goes on after what the rule has read, by this factor. */
const ROOM = 1.25;

const after = (pairs: number, words: string) => `After ${count(pairs)} pairs: ${words}`;

/** The win rate with both of its bands. */
function ratePicture({ points, pairs, changes }: RunningCell) {
  const marks = points.map(({ pairs: own, rate, low, high, cs_low, cs_high }): RunningMark => ({ pairs: own, value: rate, bands: [[cs_low, cs_high], [low, high]] }));
  const [low, high] = settledDomain(marks, [0.45, 0.55]);
  return runningPicture({
    title: "Win rate by the number of pairs, in their order",
    axis: "Win rate in %",
    marks,
    last: pairs,
    domain: [Math.max(0, low), Math.min(1, high)],
    write: shortPercent,
    levels: [0.5],
    say: ({ pairs: own, value, bands: [running, fixed] }) => after(own, `${inPercent(value)}, interval ${interval(...fixed!)}\u00a0%, at any look ${sequence(...running!)}\u00a0%`),
    changes: changes.map((change) => change.pairs),
    table: () => tableOf(points, ["pairs", "rate", "low", "high", "cs_low", "cs_high"]),
  });
}

/** What a rule watches, with the lines at which it decides. */
function rulePicture({ measure, lower, upper, values, decided }: RunningRule, pairs: number) {
  const { axis, write } = MEASURES[measure];
  const levels = [lower, upper].filter((value) => value !== null);
  const marks = values.map(({ pairs: own, value }): RunningMark => ({ pairs: own, value, bands: [] }));
  return runningPicture({
    title: `${axis} of the stopping rule`,
    axis,
    look: 2,
    marks,
    // A decision after a few pairs is seen as well as one after thousands.
    last: Math.min(pairs, Math.ceil(ROOM * (marks.at(-1)?.pairs ?? pairs))),
    domain: settledDomain(marks, [...levels, ...(measure === "half_width" ? [0] : [])]),
    write,
    levels,
    decided: decided === null ? undefined : { pairs: decided, text: `decided after ${count(decided)}` },
    say: ({ pairs: own, value }) => after(own, `${write(value)}${levels.length > 0 ? `; decides at ${levels.map(write).join(" and ")}` : ""}`),
    table: () => tableOf(values, ["pairs", [measure, ({ value }) => value]]),
  });
}

export function CellRunning({ report, running, name }: { report: CellReport; running: RunningCell; name: string }) {
  const { points, every, in_order: inOrder, pairs, changes, rules } = running;
  const rate = useMemo(() => ratePicture(running), [running]);
  const watched = useMemo(() => rules.map((rule) => ({ rule, picture: rulePicture(rule, pairs) })), [rules, pairs]);
  if (points.length === 0) return <p class="lead">The picture begins with the first complete pair.</p>;
  return (
    <Section id="running" kind="picture" title="How the result came about">
      <Panels>
        {[
          <PictureFrame key="rate" picture={rate} name={`${name}, win rate by pairs`}>
            <ChangeList name="changes" note=", at the pairs complete then" changes={changes.map(({ entry, experiment }) => ({ ...entry, experiment }))} />
          </PictureFrame>,
          ...watched.map(({ rule, picture }) => (
            <PictureFrame key={rule.words} picture={picture} name={`${name}, ${picture.title.toLowerCase()}`}>
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
            </PictureFrame>
          )),
        ]}
      </Panels>
      <p class="meaning">
        Dark band: the {Math.round(100 * report.confidence)}&nbsp;% interval for a number of games that was fixed beforehand ({report.interval_method}).
        Light band: the {report.sequence_method}. Pairs stand in the order of their numbers, whenever they arrived.
        {every > 1 && ` The picture has a point for the first pair, for every ${count(every)} further pairs, and for the last one.`}
        {inOrder < pairs && ` Pair ${count(inOrder)} is not complete: stopping rules have read the ${counted(inOrder, "pair")} before it.`}
      </p>
    </Section>
  );
}
