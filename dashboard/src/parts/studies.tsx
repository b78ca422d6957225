/** The studies of other programs, in a list. */

import { fetchStudies, type StudySummary } from "../api";
import { isoTime, tableOf } from "../export/table";
import { count, counted, moment } from "../format";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { studyState } from "../study";
import { DataTable } from "./data-table";
import { Section } from "./elements";

const waiting = ({ asked, told, failed }: StudySummary) => asked - told - failed;

const filed = (studies: readonly StudySummary[]) =>
  tableOf(studies, ["id", "name", "strategy", ["state", studyState], "games_told", "games", ["points_told", ({ told }) => told], ["points_without_result", waiting], ["points_given_back", ({ failed }) => failed], ["points_given_up", ({ given_up }) => given_up], ["begun", ({ created_ms }) => isoTime(created_ms)]]);

/** Nothing where there is no study. */
export function Studies() {
  const { data } = useFetched(fetchStudies);
  if (data === undefined || data.length === 0) return null;
  return (
    <Section id="studies" title="Studies">
      <p class="meaning">Other programs ask these for points, play them by themselves, and tell the results.</p>
      <DataTable
        kind="list"
        label="Studies"
        rows={data}
        rowProps={({ id, name }) => ({ key: id, "data-study": name })}
        columns={[
          ["Study", ({ id, name }) => <a href={pathOf("study", id)}>{name}</a>],
          ["Parameters", ({ parameters }) => parameters.length],
          ["Strategy", ({ strategy }) => strategy],
          ["Games told", ({ games_told, games }) => `${count(games_told)} of ${count(games)}`],
          ["Without a result", (own) => counted(waiting(own), "point")],
          ["State", studyState],
          ["Begun", ({ created_ms }) => moment(created_ms)],
        ]}
        files={{ name: "studies", table: () => filed(data) }}
        captioned
      />
    </Section>
  );
}
