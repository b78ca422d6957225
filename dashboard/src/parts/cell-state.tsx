/** Who plans a cell, why the cell stands as it does, who plays in it, and commands that go on from here. */

import type { CellReport, CellState as State, DifferingParameter } from "../api";
import { count, counted } from "../format";
import { coordinatorUrl, pathOf } from "../routes";
import { operand, option } from "../shell";
import { Command } from "./command";
import { DataTable } from "./data-table";
import { Facts, Section, Words } from "./elements";

/** A state in words, and the look of its badge, which is that of a state of experiments. */
export const STATES: Record<State, readonly [words: string, look: string]> = {
  open: ["open", "active"],
  in_play: ["in play", "active"],
  complete: ["complete", "finished"],
  stopped: ["stopped by its rule", "finished"],
  ended: ["stopped by a person", "finished"],
  set_aside: ["set aside", "stuck"],
  closed: ["closed by a revision", ""],
  paused: ["paused", ""],
  archived: ["archived", ""],
};

export function CellBadge({ state }: { state: State }) {
  const [words, look] = STATES[state];
  return <span class={`badge ${look}`}>{words}</span>;
}

export function CellState({ report: { plans, reasons } }: { report: CellReport }) {
  return (
    <Section id="state" kind="cell-state" title="State">
      <DataTable
        kind="list"
        label="Experiments with this cell"
        rows={plans}
        rowProps={({ experiment, state }) => ({ key: experiment.id, "data-state": state })}
        columns={[
          ["Experiment", ({ experiment }) => <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a>],
          ["Case", (plan) => plan.case],
          ["Baseline", ({ baseline }) => baseline],
          ["Pairs planned", ({ pairs }) => count(pairs)],
          ["State", ({ state }) => <CellBadge state={state} />],
        ]}
        captioned
      />
      <Reasons of={reasons} />
    </Section>
  );
}

export function Reasons({ of }: { of: readonly string[] }) {
  return (
    <ul class="reasons" aria-label="Reasons">
      {of.map((reason) => (
        <li key={reason}>
          <Words of={reason} />
        </li>
      ))}
    </ul>
  );
}

/** The parameters in which two players differ. */
export function ParameterTable({ parameters, names }: { parameters: readonly DifferingParameter[]; names: readonly [of: string, baseline: string] }) {
  if (parameters.length === 0) return <p>The case is the baseline: both players are the same.</p>;
  return (
    <DataTable
      kind="list"
      label="Parameters in which the players differ"
      rows={parameters}
      columns={[
        ["Parameter", ({ name }) => <code>{name}</code>],
        [names[0], (parameter) => parameter.case],
        [names[1], ({ baseline }) => baseline],
      ]}
      captioned
    />
  );
}

export function CellPlayers({ report }: { report: CellReport }) {
  const { parameters, opening, semantics, is_repeatable: repeatable } = report;
  return (
    <Section id="players" kind="cell-state" title="Players">
      <ParameterTable parameters={parameters} names={[report.case, report.baseline]} />
      <Facts
        of={[
          <>
            games begin with <Words of={opening} />
          </>,
          `engine semantics ${semantics}${repeatable ? "" : ", which this version does not play"}`,
        ]}
      />
    </Section>
  );
}

export function CellCommands({ report: { id, plans, point, is_repeatable: repeatable } }: { report: CellReport }) {
  const at = option("--coordinator", coordinatorUrl());
  const first = plans[0];
  const commands: (readonly [meaning: string, command: string])[] = [
    ["Its state and the reasons:", `gauntlet why ${id} ${at}`],
    [`Its ${counted(point.games, "game")} as a table, for pandas, R or a spreadsheet:`, `gauntlet game list --cell ${id} --all --format csv ${at}`],
    ["Its games as game files:", `gauntlet game sgf --cell ${id} --all ${at}`],
    ...(first === undefined ? [] : [["This cell and the others of the experiment:", `gauntlet results --format csv ${at} ${operand(first.experiment.name)}`] as const]),
    [repeatable ? "A game played again, move for move; GAME is an id from the list above:" : "Games of this engine are played again by its own version:", `gauntlet game replay GAME ${at}`],
    ["All counters rebuilt from the games, on the machine with the database:", "gauntlet verify"],
  ];
  return (
    <Section id="commands" kind="cell-state" title="On the command line">
      {commands.map(([meaning, command]) => (
        <div key={command}>
          <p class="meaning">{meaning}</p>
          <Command text={command} />
        </div>
      ))}
    </Section>
  );
}
