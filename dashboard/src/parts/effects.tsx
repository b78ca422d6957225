/** Which parameters of a sweep matter. */

import type { ExperimentSummary, Importances } from "../api";
import { panelTitle } from "../charts/panels";
import type { Panel } from "../charts/panels";
import type { Analysed } from "../charts/standing";
import { inPercent, points, pValue, signed, valueText } from "../format";
import { DataTable } from "./data-table";
import { Exports } from "./exports";
import { Fold } from "./fold";

interface EffectsProps {
  summary: ExperimentSummary;
  analysed: Analysed;
  panels: readonly Panel[];
  shown: readonly Panel[];
}

export function Effects({ summary, analysed, panels, shown }: EffectsProps) {
  const found = shown.flatMap((panel) => {
    const importance = analysed.field(panel)?.importance ?? null;
    return importance === null ? [] : [{ panel, importance }];
  });
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="effects">
      <h2 id="effects">Which parameters matter</h2>
      {found.map(({ panel, importance }) => {
        const title = panelTitle(panel, panels);
        return (
          <div key={panel.key}>
            {found.length > 1 && <h3>{title}</h3>}
            <EffectsTable importance={importance} title={title} />
            <Exports name={`${summary.name}, parameters, ${title}`} table={() => effectsTable(importance)} />
          </div>
        );
      })}
      <Fold name="effects, method" kind="method" summary="What the columns mean">
      <p class="meaning">
        The share is the part of the explained differences between cases that is due to a parameter alone. The effect is the
        standard deviation of the win rate over its values, chance taken out.
      </p>
      </Fold>
    </section>
  );
}

function EffectsTable({ importance: { parameters, interaction_share, no_interaction }, title }: { importance: Importances; title: string }) {
  const label = `Importance of parameters ${title}`;
  return (
    <DataTable kind="list" label={label} columns={["Parameter", "Share", "Effect in points", "No effect", "Values"]} captioned>
      {parameters.map(({ parameter, share, effect, effect_low, effect_high, no_effect, levels }) => (
        <tr key={parameter}>
          <th scope="row">{parameter}</th>
          <td>
            <meter min={0} max={1} value={share} aria-label={`Share of ${parameter}`} /> {inPercent(share)}
          </td>
          <td>
            {points(effect)} ({points(effect_low)}–{points(effect_high)})
          </td>
          <td>{pValue(no_effect.p_value)}</td>
          <td class="words">{levels.map(({ value, effect: own }) => `${valueText(value)}: ${signed(own)}`).join(", ") || "by a curve"}</td>
        </tr>
      ))}
      <tr>
        <th scope="row">together only</th>
        <td>
          <meter min={0} max={1} value={interaction_share} aria-label="Share of interactions" /> {inPercent(interaction_share)}
        </td>
        <td>–</td>
        <td>{no_interaction === null ? "–" : pValue(no_interaction.p_value)}</td>
        <td class="words">what no parameter does alone</td>
      </tr>
    </DataTable>
  );
}

function effectsTable({ parameters }: Importances) {
  const columns = ["share", "effect", "effect_low", "effect_high"] as const;
  return {
    columns: ["parameter", ...columns, "p_value"],
    rows: parameters.map((own) => [own.parameter, ...columns.map((column) => own[column]), own.no_effect.p_value]),
  };
}
