/** Choices of experiments that the overview does not list: those in the archive, and one that is known by its id or name alone. */

import { fetchExperiment, fetchExperiments, type ExperimentSummary } from "../api";
import { useFetched } from "../live";

/** The experiments in the archive. */
export function useArchived(): ExperimentSummary[] {
  return (useFetched(fetchExperiments).data ?? []).filter(({ state }) => state === "archived");
}

export function ArchivedOptions({ archived }: { archived: readonly ExperimentSummary[] }) {
  return archived.length === 0 ? null : (
    <optgroup label="In the archive">
      {archived.map(({ id, name }) => (
        <option key={id} value={id}>{name}</option>
      ))}
    </optgroup>
  );
}

export function UnlistedOption({ experiment }: { experiment: string }) {
  const report = useFetched(fetchExperiment, experiment).data;
  return <option value={experiment}>{report?.summary.name ?? experiment}</option>;
}
