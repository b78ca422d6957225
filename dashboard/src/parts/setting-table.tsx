/** A recommended setting: its values, and what the model expects of it. */

import type { TuneRecommendation } from "../api";
import { alikeWords } from "../charts/tune-bands";
import { percent, valueText } from "../format";
import { DataTable } from "./data-table";

export function SettingTable({ recommended: { point, parameters } }: { recommended: TuneRecommendation }) {
  return (
    <DataTable label="The recommended setting" kind="list" columns={["Parameter", "Recommended", "Not told apart from"]} captioned>
      {Object.entries(point).map(([name, value]) => {
        const known = parameters.find((one) => one.name === name);
        return (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{known?.values.length === 0 ? "not in use" : valueText(value)}</td>
            <td>{alikeWords(known?.values ?? [])}</td>
          </tr>
        );
      })}
    </DataTable>
  );
}

/** The win rates that the model expects; `nameOf` says what a size is called. */
export function ExpectedTable({ recommended: { predicted }, nameOf = String }: { recommended: TuneRecommendation; nameOf?: (size: number) => string }) {
  if (predicted.length === 0) return null;
  return (
    <DataTable label="Win rate by size that the model expects" kind="list" columns={["Size", "Expected by the model in %"]} captioned>
      {predicted.map(({ size, rate }) => (
        <tr key={size}>
          <th scope="row">{nameOf(size)}</th>
          <td>{percent(rate)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
