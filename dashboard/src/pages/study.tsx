/** A study: what it recommends and how sure that is, how it came there, and what comes next. */

import { go } from "../address";
import { fetchStudy, fetchTune } from "../api";
import { axesOf } from "../charts/axis";
import { alikeWords } from "../charts/study/course";
import { count, interval, percent, valueText } from "../format";
import { useFrame, useHere, useTitle } from "../frame";
import { useFetched, type Fetched } from "../live";
import { useArchived } from "../parts/archived-options";
import { Command } from "../parts/command";
import { DataTable } from "../parts/data-table";
import { Facts, Section, Switch, Words } from "../parts/elements";
import { Loaded } from "../parts/loaded";
import { StudyCourse, StudyPair, StudyPoints, StudyResponses, StudyWeight, type StudyView } from "../parts/study-pictures";
import { pathOf, withQuery } from "../routes";
import { studyOfProgram, studyOfTune, type Study, type StudyRecommendation } from "../study";

/** What of a study an address shows. */
export function readStudyView(url: URL): StudyView {
  const [x, y, size] = ["x", "y", "size"].map((name) => url.searchParams.get(name));
  return { ...(x && { x }), ...(y && { y }), ...(size && /^\d+$/.test(size) && { size: Number(size) }) };
}

export const writeStudyView = (page: "tune" | "study", id: string, view: StudyView) => withQuery(pathOf(page, id), { ...view });

/** A study that the coordinator's scheduler plays. */
export function TunePage({ id }: { id: string }) {
  return <StudyAt id={id} fetched={useFetched(fetchTune, id)} what="tune" of={studyOfTune} />;
}

/** A study whose points another program plays. */
export function StudyPage({ id }: { id: string }) {
  return <StudyAt id={id} fetched={useFetched(fetchStudy, id)} what="study" of={studyOfProgram} />;
}

function StudyAt<T>({ id, fetched, what, of }: { id: string; fetched: Fetched<T>; what: "tune" | "study"; of: (status: T) => Study }) {
  const address = useHere();
  const study = fetched.data && of(fetched.data);
  useTitle(study === undefined ? what : `${Math.floor((100 * study.played) / Math.max(1, study.planned))} % ${study.name}, ${what}`);
  return (
    <Loaded of={fetched} what={what}>
      {(status) => <StudyShown study={of(status)} view={readStudyView(address)} go={(view) => go(writeStudyView(what, id, view))} />}
    </Loaded>
  );
}

export function StudyShown({ study, view, go: show }: { study: Study; view: StudyView; go: (view: StudyView) => void }) {
  const { recommendations, concentrations, state } = study;
  const place = Math.max(0, recommendations.findIndex(({ size }) => size === view.size));
  const [recommended, concentration] = [recommendations[place], concentrations[place]];
  const axes = axesOf(study.parameters);
  const question = useQuestion(study.id) ?? "";
  const heading = study.page === "study" ? study.name : question || "Which setting is best?";
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          {study.above} <span class={`badge ${state[1]}`}>{state[0]}</span>
        </p>
        <h1>
          <Words of={heading} />
        </h1>
        <Facts of={study.facts} />
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
          <Setting study={study} recommended={recommended} />
          <StudyCourse study={study} recommended={recommended} axes={axes} />
          <StudyResponses study={study} recommended={recommended} axes={axes} />
          <StudyWeight study={study} recommended={recommended} concentration={concentration} axes={axes} />
          <StudyPair study={study} recommended={recommended} axes={axes} view={view} go={show} />
          <StudyPoints study={study} recommended={recommended} axes={axes} />
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

/** A study whose points are played in one way has the size 0. */
const sizeName = (size: number | null | undefined) => (size ? String(size) : "all");

/** The recommended setting, what is known of it, and what comes next. */
function Setting({ study, recommended }: { study: Study; recommended: StudyRecommendation }) {
  const { point, parameters, predicted, measured, words, promote, verdict } = recommended;
  const { confirmations, ending } = study;
  const known = (name: string) => parameters.find((one) => one.name === name)?.values;
  return (
    <Section id="recommended" kind="picture" title={study.isOver ? "Recommended setting" : "Recommended so far"}>
      <p class={`finding ${verdict === "better" ? "better" : "open"}`} data-verdict={verdict}>
        <Words of={words} />
      </p>
      <DataTable
        label="The recommended setting"
        kind="list"
        rows={Object.entries(point)}
        columns={[
          ["Parameter", ([name]) => name],
          ["Recommended", ([name, value]) => (known(name)?.length === 0 ? "not in use" : valueText(value))],
          ["Not told apart from", ([name]) => alikeWords(known(name) ?? [])],
        ]}
        captioned
      />
      {measured.length > 0 && (
        <DataTable
          label="Measured win rate by size"
          kind="list"
          rows={measured}
          columns={[
            ["Size", ({ size }) => sizeName(size)],
            ["Games", ({ games }) => count(games)],
            ["Win rate in %", ({ rate }) => percent(rate)],
            ["95\u00a0% interval", ({ low, high }) => interval(low, high)],
          ]}
          captioned
        />
      )}
      {predicted.length > 0 && (
        <DataTable
          label="Win rate by size that the model expects"
          kind="list"
          rows={predicted}
          columns={[
            ["Size", ({ size }) => sizeName(size)],
            ["Expected by the model in %", ({ rate }) => percent(rate)],
          ]}
          captioned
        />
      )}
      <p class="meaning">
        {measured.length > 0 && "The measured games had no part in choosing the setting, so their interval holds. "}
        What the model expects is optimistic where the response is no quadratic function: {study.measuredBy}.
      </p>
      {confirmations.map(({ experiment, case: label, verdict: own, words: said }) => (
        <p key={experiment} class="against" data-confirmation={own}>
          <a href={pathOf("experiment", experiment)}>Confirmation of {label}</a>: <Words of={said} />
        </p>
      ))}
      {confirmations.length === 0 && ending !== undefined && (
        <p class="against">
          Not confirmed: <Words of={ending} />.
        </p>
      )}
      {promote !== undefined && (
        <>
          <p>This makes the setting a named baseline:</p>
          <Command text={promote} />
        </>
      )}
    </Section>
  );
}
