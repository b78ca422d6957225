/** Who plans a cell, why the cell stands as it does, who plays in it, and commands that go on from here. */

import type { CellReport, CellState as State } from "../api";
import { count, counted } from "../format";
import { coordinatorUrl, pathOf } from "../routes";
import { operand, option } from "../shell";
import { Command } from "./command";
import { DataTable } from "./data-table";
import { Words } from "./words";

export const STATES: Record<State, string> = {
  open: "open",
  in_play: "in play",
  complete: "complete",
  stopped: "stopped by its rule",
  ended: "stopped by a person",
  set_aside: "set aside",
  closed: "closed by a revision",
  paused: "paused",
  archived: "archived",
  superseded: "superseded",
};

/** The badge of a state: the colours are those of experiments. */
export const LOOKS: Record<State, string> = {
  open: "active",
  in_play: "active",
  complete: "finished",
  stopped: "finished",
  ended: "finished",
  set_aside: "stuck",
  closed: "",
  paused: "",
  archived: "",
  superseded: "",
};

export function CellState({ report: { plans, reasons } }: { report: CellReport }) {
  return (
    <section class="cell-state" aria-labelledby="state">
      <h2 id="state">State</h2>
      <DataTable kind="list" label="Experiments with this cell" columns={["Experiment", "Case", "Baseline", "Pairs planned", "State"]} captioned>
        {plans.map(({ experiment, case: own, baseline, pairs, state }) => (
          <tr key={experiment.id} data-state={state}>
            <th scope="row">
              <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a>
            </th>
            <td>{own}</td>
            <td>{baseline}</td>
            <td>{count(pairs)}</td>
            <td>
              <span class={`badge ${LOOKS[state]}`}>{STATES[state]}</span>
            </td>
          </tr>
        ))}
      </DataTable>
      <ul class="reasons" aria-label="Reasons">
        {reasons.map((reason) => (
          <li key={reason}>
            <Words of={reason} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function CellPlayers({ report: { parameters, case: own, baseline, opening, semantics, is_repeatable: repeatable } }: { report: CellReport }) {
  return (
    <section class="cell-state" aria-labelledby="players">
      <h2 id="players">Players</h2>
      {parameters.length === 0 ? (
        <p>The case is the baseline: both players are the same.</p>
      ) : (
        <DataTable kind="list" label="Parameters in which the players differ" columns={["Parameter", own, baseline]} captioned>
          {parameters.map(({ name, case: left, baseline: right }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{left}</td>
              <td>{right}</td>
            </tr>
          ))}
        </DataTable>
      )}
      <p class="facts">
        <span>
          games begin with <Words of={opening} />
        </span>
        <span>
          engine semantics {semantics}
          {!repeatable && ", which this version does not play"}
        </span>
      </p>
    </section>
  );
}

export function CellCommands({ report: { id, plans, point, is_repeatable: repeatable } }: { report: CellReport }) {
  const at = option("--coordinator", coordinatorUrl());
  const first = plans[0];
  return (
    <section class="cell-state" aria-labelledby="commands">
      <h2 id="commands">On the command line</h2>
      <p class="meaning">Its state and the reasons:</p>
      <Command text={`gauntlet why ${id} ${at}`} />
      <p class="meaning">Its {counted(point.games, "game")} as a table, for pandas, R or a spreadsheet:</p>
      <Command text={`gauntlet game list --cell ${id} --all --format csv ${at}`} />
      <p class="meaning">Its games as game files:</p>
      <Command text={`gauntlet game sgf --cell ${id} --all ${at}`} />
      {first !== undefined && (
        <>
          <p class="meaning">This cell and the others of the experiment:</p>
          <Command text={`gauntlet results --format csv ${at} ${operand(first.experiment.name)}`} />
        </>
      )}
      <p class="meaning">{repeatable ? "A game played again, move for move; GAME is an id from the list above:" : "Games of this engine are played again by its own version:"}</p>
      <Command text={`gauntlet game replay GAME ${at}`} />
      <p class="meaning">All counters rebuilt from the games, on the machine with the database:</p>
      <Command text="gauntlet verify" />
    </section>
  );
}
