/** Which parameters of a sweep matter. */

import type { Importances } from "../api";
import { panelTitle } from "../charts/panels";
import type { Analysed } from "../charts/standing";
import { tableOf } from "../export/table";
import { inPercent, points, pValue, signed, valueText } from "../format";
import { DataTable } from "./data-table";
import { Section } from "./elements";
import type { ExperimentView } from "./experiment-view";
import { Exports } from "./exports";
import { Fold } from "./fold";

export function Effects({ report: { summary }, analysed, selection: { panels, shown } }: ExperimentView & { analysed: Analysed }) {
  const found = shown.flatMap((panel) => {
    const importance = analysed.field(panel)?.importance ?? null;
    return importance === null ? [] : [{ panel, importance }];
  });
  if (found.length === 0) return null;
  return (
    <Section id="effects" title="Which parameters matter">
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
    </Section>
  );
}

function EffectsTable({ importance: { parameters, interaction_share, no_interaction }, title }: { importance: Importances; title: string }) {
  const label = `Importance of parameters ${title}`;
  const share = (name: string, value: number) => (
    <>
      <meter min={0} max={1} value={value} aria-label={`Share of ${name}`} /> {inPercent(value)}
    </>
  );
  return (
    <DataTable
      kind="list"
      label={label}
      rows={parameters}
      columns={[
        ["Parameter", ({ parameter }) => parameter],
        ["Share", (own) => share(own.parameter, own.share)],
        ["Effect in points", ({ effect, effect_low, effect_high }) => `${points(effect)} (${points(effect_low)}–${points(effect_high)})`],
        ["No effect", ({ no_effect }) => pValue(no_effect.p_value)],
        ["Values", ({ levels }) => levels.map(({ value, effect }) => `${valueText(value)}: ${signed(effect)}`).join(", ") || "by a curve", "words"],
      ]}
      captioned
    >
      <tr>
        <th scope="row">together only</th>
        <td>{share("interactions", interaction_share)}</td>
        <td>–</td>
        <td>{no_interaction === null ? "–" : pValue(no_interaction.p_value)}</td>
        <td class="words">what no parameter does alone</td>
      </tr>
    </DataTable>
  );
}

const effectsTable = ({ parameters }: Importances) => tableOf(parameters, ["parameter", "share", "effect", "effect_low", "effect_high", ["p_value", ({ no_effect }) => no_effect.p_value]]);
