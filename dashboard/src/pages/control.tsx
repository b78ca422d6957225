/** Whether players score 50 % against themselves: the light, and every cell that it is made of. */

import { fetchControl } from "../api";
import type { ControlCell, ControlPage as Page } from "../api";
import { bySize, ControlChart, controlHeight, experimentsOf } from "../charts/control";
import { Paper, PAPER_WIDTH } from "../charts/paper";
import { PAPER, SCREEN } from "../charts/palette";
import { budget, count, counted, interval, inPercent, percent, sequence } from "../format";
import { useTitle } from "../frame";
import { useFetched } from "../live";
import { StillChart } from "../parts/chart";
import { DataTable } from "../parts/data-table";
import { Exports } from "../parts/exports";
import { Fold } from "../parts/fold";
import { Loaded } from "../parts/loaded";
import { Words } from "../parts/words";
import { pathOf } from "../routes";

export function ControlPage() {
  useTitle("Control");
  const fetched = useFetched(fetchControl);
  return (
    <Loaded of={fetched} what="control">
      {(page) => <Control page={page} />}
    </Loaded>
  );
}

const tableOf = (cells: readonly ControlCell[]) => ({
  columns: ["cell", "player", "experiments", "size", "budget", "pairs", "rate", "low", "high", "cs_low", "cs_high", "first_move_rate"],
  rows: cells.map(({ label, experiments, budget: spent, point }) => [
    point.cell,
    label,
    experiments.map(({ name }) => name).join(", "),
    point.size,
    budget(spent),
    point.pairs,
    point.rate,
    point.low,
    point.high,
    point.cs_low,
    point.cs_high,
    point.first_move_rate,
  ]),
});

function Control({ page: { control, cells } }: { page: Page }) {
  // By size, so that a size that favours a side is seen at once.
  const played = cells.filter(({ point }) => point.rate !== null).sort((a, b) => a.point.size - b.point.size || a.label.localeCompare(b.label));
  const waiting = cells.length - played.length;
  return (
    <>
      <section class="notice">
        <h1>Control</h1>
        <p class="lead">
          A player that plays against itself scores 50&nbsp;%. Where it does not, something favours a side: a machine, a rule, or a way of counting. The control is made
          of all cells whose case is their baseline, in experiments that are not archived.
        </p>
        {control === undefined ? (
          <p>No such cell has a complete pair yet.</p>
        ) : (
          <>
            <p class="control" data-light={control.light}>
              {control.light}: <Words of={control.words} />
            </p>
            <p>
              {inPercent(control.rate)} over {counted(control.pairs, "pair")} of {counted(control.cells, "cell")}
            </p>
          </>
        )}
      </section>
      {played.length > 0 && (
        <section class="picture" aria-labelledby="cells">
          <h2 id="cells">Cells by board size</h2>
          <div class="panel">
            <StillChart
              title="Win rate of players against themselves, by board size"
              height={controlHeight(played)}
              draw={(width) => <ControlChart cells={played} width={width} theme={SCREEN} linkTo={({ point }) => pathOf("cell", point.cell)} />}
            />
            <Exports
              name="control"
              table={() => tableOf(played)}
              drawing={() => (
                <Paper title="Win rate of players against themselves, by board size" height={controlHeight(played)}>
                  <ControlChart cells={played} width={PAPER_WIDTH} theme={PAPER} />
                </Paper>
              )}
            />
          </div>
          <Fold name="method" kind="method" summary="How to read the bars">
            <p class="meaning">
              Dark bars: intervals of each cell for a number of games that was fixed beforehand; of many honest cells, one in twenty misses 50&nbsp;%. Light bars hold at any
              look. The light above judges all cells together.
            </p>
          </Fold>
          <DataTable kind="list" label="Control cells" columns={["Player", "Experiment", "Budget", "Pairs", "Win rate in %", "Interval", "At any look", "First move in %"]} tall={played.length > 20} captioned>
            {bySize(played).flatMap((group) => [
              <tr key={group.size} class="group">
                <th scope="rowgroup" colSpan={8}>
                  Size {group.size}
                </th>
              </tr>,
              ...group.cells.map((cell) => {
                const { label, experiments, budget: spent, point } = cell;
                return (
              <tr key={point.cell} data-cell={point.cell}>
                <th scope="row">
                  <a href={pathOf("cell", point.cell)}>{label}</a>
                </th>
                <td class="name">{experiments[0] === undefined ? "–" : <a href={pathOf("experiment", experiments[0].id)}>{experimentsOf(cell)}</a>}</td>
                <td>{budget(spent)}</td>
                <td>{count(point.pairs)}</td>
                <td>
                  <b>{percent(point.rate)}</b>
                </td>
                <td>{interval(point.low, point.high)}</td>
                <td>{sequence(point.cs_low, point.cs_high)}</td>
                <td>{percent(point.first_move_rate)}</td>
              </tr>
                );
              }),
            ])}
          </DataTable>
        </section>
      )}
      {waiting > 0 && <p class="meaning">{counted(waiting, "cell")} more without a complete pair.</p>}
    </>
  );
}
