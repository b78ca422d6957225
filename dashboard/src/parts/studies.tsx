/** The studies of other programs, in a list. */

import { fetchStudies } from "../api";
import type { StudySummary } from "../api";
import { count, counted, moment } from "../format";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";

/** What goes on with a study, in a word. */
export function studyState({ archived, games_left, asked, told, failed }: StudySummary): string {
  if (archived) return "archived";
  return games_left === 0 && asked === told + failed ? "finished" : "active";
}

const FILES = ["id", "name", "strategy", "state", "games_told", "games", "points_told", "points_without_result", "points_given_back", "points_given_up", "begun"];

/** Nothing where there is no study. */
export function Studies() {
  const { data } = useFetched(fetchStudies);
  if (data === undefined || data.length === 0) return null;
  const table = () => ({
    columns: FILES,
    rows: data.map((one) => [one.id, one.name, one.strategy, studyState(one), one.games_told, one.games, one.told, one.asked - one.told - one.failed, one.failed, one.given_up, new Date(one.created_ms).toISOString()]),
  });
  return (
    <section aria-labelledby="studies">
      <h2 id="studies">Studies</h2>
      <p class="meaning">Other programs ask these for points, play them by themselves, and tell the results.</p>
      <DataTable kind="list" label="Studies" columns={["Study", "Parameters", "Strategy", "Games told", "Without a result", "State", "Begun"]} files={{ name: "studies", table }} captioned>
        {data.map((one) => (
          <tr key={one.id} data-study={one.name}>
            <th scope="row">
              <a href={pathOf("study", one.id)}>{one.name}</a>
            </th>
            <td>{one.parameters.length}</td>
            <td>{one.strategy}</td>
            <td>
              {count(one.games_told)} of {count(one.games)}
            </td>
            <td>{counted(one.asked - one.told - one.failed, "point")}</td>
            <td>{studyState(one)}</td>
            <td>{moment(one.created_ms)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
