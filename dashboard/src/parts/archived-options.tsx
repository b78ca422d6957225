/** The choice of an experiment that the overview does not list, such as one in the archive. */

import { fetchExperiment } from "../api";
import { useFetched } from "../live";

export function UnlistedOption({ experiment }: { experiment: string }) {
  const report = useFetched(fetchExperiment, experiment).data;
  return <option value={experiment}>{report?.summary.name ?? experiment}</option>;
}
