/** A study: what is recommended to the program that asks for points and tells results, and how it came about. */

import { go } from "../address";
import { fetchStudy } from "../api";
import type { StudyStatus, TuneRecommendation } from "../api";
import { axesOf } from "../charts/tune-axis";
import { count, counted, interval, moment, percent } from "../format";
import { useHere, useTitle } from "../frame";
import { useFetched } from "../live";
import { Loaded } from "../parts/loaded";
import { ExpectedTable, SettingTable } from "../parts/setting-table";
import { studyState } from "../parts/studies";
import { Switch } from "../parts/switch";
import { TuneCourse } from "../parts/tune-course";
import { TunePair } from "../parts/tune-pair";
import { TunePoints } from "../parts/tune-points";
import { TuneResponses } from "../parts/tune-response";
import { Words } from "../parts/words";
import { pathOf } from "../routes";
import { readTuneView, writeTuneView } from "../tune-view";
import type { TuneView } from "../tune-view";
import { studyOf } from "../tuned";

export function StudyPage({ id }: { id: string }) {
  const fetched = useFetched(fetchStudy, id);
  const address = useHere();
  const status = fetched.data;
  useTitle(status === undefined ? "Study" : `${Math.floor((100 * status.games_told) / Math.max(1, status.games))} % ${status.name}, study`);
  return (
    <Loaded of={fetched} what="study">
      {(data) => <StudyShown status={data} view={readTuneView(address)} go={(view) => go(writeTuneView("study", id, view))} />}
    </Loaded>
  );
}

/** The size of a study whose points are played in one way. */
const NO_SIZE = 0;

interface StudyShownProps {
  status: StudyStatus;
  view: TuneView;
  go: (view: TuneView) => void;
}

export function StudyShown({ status, view, go: show }: StudyShownProps) {
  const { recommendations, concentrations, parameters, sizes } = status;
  const place = Math.max(0, recommendations.findIndex(({ size }) => size === view.size));
  const recommended = recommendations[place];
  const concentration = concentrations[place];
  const axes = axesOf(parameters);
  const tuned = studyOf(status);
  const waiting = status.asked - status.told - status.failed;
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          <a href={`${pathOf("home")}#studies`}>Studies</a> <span class={`badge ${status.archived ? "archived" : "active"}`}>{studyState(status)}</span>
        </p>
        <h1>{status.name}</h1>
        <p class="facts">
          <span>strategy {status.strategy}</span>
          <span>begun by {status.who} on {moment(status.created_ms)}</span>
          {sizes.length > 0 && <span>size {sizes.map(({ size }) => size).join(", ")}</span>}
          <span data-played={status.games_told}>
            {count(status.games_told)} of {counted(status.games, "game")} told
          </span>
          <span data-left={status.games_left}>{count(status.games_left)} left</span>
          <span>{counted(waiting, "point")} without a result</span>
          {status.failed > 0 && <span>{counted(status.failed, "point")} given back</span>}
          {status.given_up > 0 && <span>{counted(status.given_up, "point")} given up, which results chose that were taken back</span>}
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
          <Setting status={status} recommended={recommended} words={status.words[place] ?? ""} />
          <TuneCourse tuned={tuned} recommended={recommended} axes={axes} />
          <TuneResponses tuned={tuned} recommended={recommended} concentration={concentration} axes={axes} />
          <TunePair tuned={tuned} recommended={recommended} axes={axes} view={view} go={show} />
          <TunePoints tuned={tuned} recommended={recommended} axes={axes} />
        </>
      )}
    </>
  );
}

function Setting({ status, recommended, words }: { status: StudyStatus; recommended: TuneRecommendation; words: string }) {
  const { overall, verdict } = recommended;
  const isOver = status.games_left === 0 && status.asked === status.told + status.failed;
  return (
    <section class="picture" aria-labelledby="recommended">
      <h2 id="recommended">{isOver ? "Recommended setting" : "Recommended so far"}</h2>
      <p class={`finding ${verdict === "better" ? "better" : "open"}`} data-verdict={verdict}>
        <Words of={words} />
        {overall !== null && ` The model expects ${percent(overall.rate)} % against the baseline, with a 95 % interval of ${interval(overall.low, overall.high)} %.`}
      </p>
      <SettingTable recommended={recommended} />
      <ExpectedTable recommended={recommended} nameOf={(size) => (size === NO_SIZE ? "all" : String(size))} />
      <p class="meaning">The model is optimistic where the response is no quadratic function: {studyOf(status).measuredBy}.</p>
    </section>
  );
}
