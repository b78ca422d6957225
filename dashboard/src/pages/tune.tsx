/** A tune: what it recommends and how sure that is, how it came there, and what comes next. */

import { go } from "../address";
import { fetchTune } from "../api";
import type { Confirmation, Measured, Recommended, TuneStatus } from "../api";
import { axesOf } from "../charts/tune-axis";
import { count, counted, interval, percent } from "../format";
import { useFrame, useHere, useTitle } from "../frame";
import { useFetched } from "../live";
import { useArchived } from "../parts/archived-options";
import { Command } from "../parts/command";
import { DataTable } from "../parts/data-table";
import { STATES } from "../parts/experiments";
import { Loaded } from "../parts/loaded";
import { ExpectedTable, SettingTable } from "../parts/setting-table";
import { Switch } from "../parts/switch";
import { TuneCourse } from "../parts/tune-course";
import { TunePair } from "../parts/tune-pair";
import { TunePoints } from "../parts/tune-points";
import { TuneResponses } from "../parts/tune-response";
import { Words } from "../parts/words";
import { pathOf } from "../routes";
import { readTuneView, writeTuneView } from "../tune-view";
import type { TuneView } from "../tune-view";
import { tuneOf } from "../tuned";
import { DEFAULT_VIEW, writeView } from "../url";

export function TunePage({ id }: { id: string }) {
  const fetched = useFetched(fetchTune, id);
  const address = useHere();
  const status = fetched.data;
  useTitle(status === undefined ? "Tune" : `${Math.floor((100 * status.games_played) / Math.max(1, status.tune.games))} % ${status.name}, tune`);
  return (
    <Loaded of={fetched} what="tune">
      {(data) => <TuneShown status={data} view={readTuneView(address)} go={(view) => go(writeTuneView("tune", id, view))} />}
    </Loaded>
  );
}

interface TuneShownProps {
  status: TuneStatus;
  view: TuneView;
  go: (view: TuneView) => void;
}

export function TuneShown({ status, view, go: show }: TuneShownProps) {
  const { recommendations, concentrations, tune } = status;
  const place = Math.max(0, recommendations.findIndex(({ size }) => size === view.size));
  const recommended = recommendations[place];
  const concentration = concentrations[place];
  const axes = axesOf(tune.parameters);
  const tuned = tuneOf(status);
  const question = useQuestion(status.experiment);
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          {status.name} <span class={`badge ${status.state}`}>{STATES[status.state]}</span>
        </p>
        <h1>
          <Words of={question || "Which setting is best?"} />
        </h1>
        <p class="facts">
          <span>strategy {tune.strategy ?? "foreign"}</span>
          <span>against {status.baseline}</span>
          <span>size {status.sizes.map(({ size }) => size).join(", ")}</span>
          <span data-played={status.games_played}>
            {count(status.games_played)} of {counted(tune.games, "game")} played
          </span>
          <span data-left={status.games_left}>{count(status.games_left)} left</span>
          <span>{counted(status.outstanding, "pair")} asked for and not finished</span>
          <span>
            <a href={writeView({ ...DEFAULT_VIEW, experiment: status.experiment, chart: "size" })}>All points as cases, history, and what can be done</a>
          </span>
          {status.imported > 0 && <span>learns from {counted(status.imported, "game")} of other experiments, too</span>}
          {status.given_up > 0 && <span>{counted(status.given_up, "game")} given up, at points that excluded games chose</span>}
        </p>
      </header>
      {recommendations.length > 1 && (
        <Switch
          label="Optimum of size"
          value={String(recommended?.size)}
          options={recommendations.map(({ size }) => [String(size), `Size ${size}`] as const)}
          choose={(size) => show({ ...view, size: Number(size) })}
        />
      )}
      {recommended !== undefined && concentration !== undefined && (
        <>
          <Setting status={status} recommended={recommended} />
          <TuneCourse tuned={tuned} recommended={recommended} axes={axes} />
          <TuneResponses tuned={tuned} recommended={recommended} concentration={concentration} axes={axes} />
          <TunePair tuned={tuned} recommended={recommended} axes={axes} view={view} go={show} />
          <TunePoints tuned={tuned} recommended={recommended} axes={axes} />
        </>
      )}
    </>
  );
}

/** The question of an experiment, which the overview tells, or the archive. */
function useQuestion(id: string): string | undefined {
  const { overview } = useFrame();
  const listed = overview?.experiments ?? [];
  return [...listed, ...useArchived()].find((one) => one.id === id)?.question;
}

const rateWords = ({ rate, low, high }: Measured) => [percent(rate), interval(low, high)];

/** The recommended setting, what is known of it, and what comes next. */
function Setting({ status, recommended }: { status: TuneStatus; recommended: Recommended }) {
  const { measured, measured_overall: overall, words, promote, verdict } = recommended;
  const all = overall === undefined ? measured : [...measured, overall];
  return (
    <section class="picture" aria-labelledby="recommended">
      <h2 id="recommended">{recommended.is_final ? "Recommended setting" : "Recommended so far"}</h2>
      <p class={`finding ${verdict === "better" ? "better" : "open"}`} data-verdict={verdict}>
        <Words of={words} />
      </p>
      <SettingTable recommended={recommended} />
      {all.length > 0 && (
        <DataTable label="Measured win rate by size" kind="list" columns={["Size", "Games", "Win rate in %", "95\u00a0% interval"]} captioned>
          {all.map((one) => (
            <tr key={one.size ?? "all"}>
              <th scope="row">{one.size ?? "all"}</th>
              <td>{count(one.games)}</td>
              {rateWords(one).map((text, i) => (
                <td key={i}>{text}</td>
              ))}
            </tr>
          ))}
        </DataTable>
      )}
      <ExpectedTable recommended={recommended} />
      <p class="meaning">
        {all.length > 0
          ? "The measured games had no part in choosing the setting, so their interval holds. What the model expects is optimistic where the response is no quadratic function."
          : "The model is optimistic where the response is no quadratic function. The last games of the tune measure the setting, and have no part in choosing it."}
      </p>
      {status.confirmations.map((confirmation) => (
        <Confirmed key={confirmation.experiment} confirmation={confirmation} />
      ))}
      {status.confirmations.length === 0 && status.ending !== undefined && (
        <p class="against">
          Not confirmed: <Words of={status.ending} />.
        </p>
      )}
      {promote !== undefined && (
        <>
          <p>This makes the setting a named baseline:</p>
          <Command text={promote} />
        </>
      )}
    </section>
  );
}

function Confirmed({ confirmation: { experiment, case: label, verdict, words } }: { confirmation: Confirmation }) {
  return (
    <p class="against" data-confirmation={verdict}>
      <a href={pathOf("experiment", experiment)}>Confirmation of {label}</a>: <Words of={words} />
    </p>
  );
}
