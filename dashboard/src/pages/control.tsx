/** Whether players score 50 % against themselves: the light, and every cell that it is made of. */

import { fetchControl, type ControlCell, type ControlPage as Page } from "../api";
import { bySize, controlPicture, experimentsOf } from "../charts/control";
import { tableOf } from "../export/table";
import { budget, count, counted, inPercent, interval, percent, sequence } from "../format";
import { DataTable, type Column } from "../parts/data-table";
import { Section, Words } from "../parts/elements";
import { Fold } from "../parts/fold";
import { Fetch } from "../parts/loaded";
import { PictureFrame } from "../parts/picture";
import { pathOf } from "../routes";

export const ControlPage = () => (
  <Fetch load={fetchControl} args={[]} what="control" title={() => "Control"}>
    {(page) => <Control page={page} />}
  </Fetch>
);

const fileOf = (cells: readonly ControlCell[]) =>
  tableOf(
    cells.map(({ label, experiments, budget: spent, point }) => ({ ...point, player: label, experiments: experiments.map(({ name }) => name).join(", "), budget: budget(spent) })),
    ["cell", "player", "experiments", "size", "budget", "pairs", "rate", "low", "high", "cs_low", "cs_high", "first_move_rate"],
  );

const COLUMNS: readonly Column<ControlCell>[] = [
  ["Player", ({ label, point }) => <a href={pathOf("cell", point.cell)}>{label}</a>],
  ["Experiment", (cell) => (cell.experiments[0] === undefined ? "–" : <a href={pathOf("experiment", cell.experiments[0].id)}>{experimentsOf(cell)}</a>), "name"],
  ["Size", ({ point }) => point.size],
  ["Budget", ({ budget: spent }) => budget(spent)],
  ["Pairs", ({ point }) => count(point.pairs)],
  ["Win rate in %", ({ point }) => <b>{percent(point.rate)}</b>],
  ["Interval", ({ point }) => interval(point.low, point.high)],
  ["At any look", ({ point }) => sequence(point.cs_low, point.cs_high)],
  ["First move in %", ({ point }) => percent(point.first_move_rate)],
];

function Control({ page: { control, cells } }: { page: Page }) {
  // By size, so that a size that favours a side is seen at once.
  const played = cells.filter(({ point }) => point.rate !== undefined).sort((a, b) => a.point.size - b.point.size || a.label.localeCompare(b.label));
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
            <p>{inPercent(control.rate)} over {counted(control.pairs, "pair")} of {counted(control.cells, "cell")}</p>
          </>
        )}
      </section>
      {played.length > 0 && (
        <Section id="cells" kind="picture" title="Cells by board size">
          <PictureFrame picture={controlPicture(played, () => fileOf(played))} name="control" />
          <Fold name="method" kind="method" summary="How to read the bars">
            <p class="meaning">
              Dark bars: intervals of each cell for a number of games that was fixed beforehand; of many honest cells, one in twenty misses 50&nbsp;%. Light bars hold at any
              look. The light above judges all cells together.
            </p>
          </Fold>
          <DataTable
            kind="list"
            label="Control cells"
            rows={bySize(played).flatMap((group) => group.cells)}
            rowProps={({ point }) => ({ key: point.cell, "data-cell": point.cell })}
            columns={COLUMNS}
            tall={played.length > 20}
            captioned
          />
        </Section>
      )}
      {waiting > 0 && <p class="meaning">{counted(waiting, "cell")} more without a complete pair.</p>}
    </>
  );
}
