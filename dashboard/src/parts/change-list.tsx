/** The changes of a picture's dotted lines, in their order. */

import type { AuditEntry } from "../api";
import { counted } from "../format";
import { pathOf } from "../routes";
import { Time } from "./elements";
import { Fold } from "./fold";

interface Change extends AuditEntry {
  /** The experiment that was changed, where that is not clear. */
  experiment?: { id: string; name: string };
}

export function ChangeList({ name, changes, note = "" }: { name: string; changes: readonly Change[]; note?: string }) {
  if (changes.length === 0) return null;
  return (
    <Fold name={name} kind="changes" summary={`Dotted lines: ${counted(changes.length, "change")} that people made${note}`}>
      <ol>
        {changes.map(({ seq, at_ms, who, action, detail, experiment }) => (
          <li key={`${seq} ${experiment?.id}`}>
            <Time ms={at_ms} />, {who}: {action}
            {experiment !== undefined && <> <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a></>}
            {detail !== "" && `, ${detail}`}
          </li>
        ))}
      </ol>
    </Fold>
  );
}
