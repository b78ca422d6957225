/** A link to the first of the experiments that plan a cell: the active ones come first. */

import { pathOf } from "../routes";

export function FirstExperiment({ of }: { of: readonly { id: string; name: string }[] }) {
  const [first] = of;
  return first === undefined ? null : <a href={pathOf("experiment", first.id)}>{first.name}</a>;
}
