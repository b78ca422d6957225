/** Whether players score 50 % against themselves. */

import { useFrame, useTitle } from "../frame";
import { count, counted, percent } from "../format";
import { WaitingPage } from "./notices";

export function ControlPage() {
  const { overview, trouble } = useFrame();
  useTitle("Control");
  if (overview === undefined) return <WaitingPage trouble={trouble} />;
  const { control } = overview;
  return (
    <section class="notice">
      <h1>Control</h1>
      <p class="lead">
        A player that plays against itself scores 50 %. Where it does not, something favours a side: a machine, a rule, or a
        way of counting. The control is made of all cells whose case is their baseline, in experiments that are not archived.
      </p>
      {control === undefined ? (
        <p>No such cell has a complete pair yet.</p>
      ) : (
        <>
          <p class="control" data-light={control.light}>
            {control.light}: {control.words}
          </p>
          <p>
            {percent(control.rate)} % over {count(control.pairs)} pairs of {counted(control.cells, "cell")}
          </p>
        </>
      )}
    </section>
  );
}
