/** The fitted response of a tune over two parameters. */

import type { TuneRecommendation } from "../api";
import type { ParameterAxis } from "../charts/tune-axis";
import { SURFACE_HEIGHT, SurfaceChart } from "../charts/tune-surface";
import { useFetched } from "../live";
import type { TuneView } from "../tune-view";
import type { Tuned } from "../tuned";
import { Trouble } from "./loaded";
import { TuneFigure } from "./tune-figure";

interface TunePairProps {
  tuned: Tuned;
  recommended: TuneRecommendation;
  axes: readonly ParameterAxis[];
  view: TuneView;
  go: (view: TuneView) => void;
}

/** The two parameters that an address names, or the first ones. */
export function pairOf(names: readonly string[], { x, y }: TuneView): [string, string] | undefined {
  const known = (name: string | undefined) => (name !== undefined && names.includes(name) ? name : undefined);
  const upwards = known(y);
  const across = known(x) ?? names.find((name) => name !== upwards);
  const other = upwards !== undefined && upwards !== across ? upwards : names.find((name) => name !== across);
  return across === undefined || other === undefined ? undefined : [across, other];
}

export function TunePair({ tuned, recommended, axes, view, go }: TunePairProps) {
  const pair = pairOf(
    axes.map(({ name }) => name),
    view,
  );
  if (pair === undefined) return null;
  return <Pair tuned={tuned} recommended={recommended} axes={axes} view={view} go={go} pair={pair} />;
}

function Pair({ tuned, recommended, axes, view, go, pair: [x, y] }: TunePairProps & { pair: [string, string] }) {
  const fetched = useFetched(tuned.fetchSurface, tuned.id, x, y, recommended.size ?? undefined);
  const surface = fetched.data;
  const axis = (name: string) => axes.find((one) => one.name === name)!;
  // A parameter that stands on the other axis changes places with it.
  const choose = (place: "x" | "y", name: string) => {
    const other = place === "x" ? "y" : "x";
    const [own, opposite] = place === "x" ? [x, y] : [y, x];
    go({ ...view, [place]: name, [other]: name === opposite ? own : opposite });
  };
  return (
    <section class="picture" aria-labelledby="pair">
      <div class="tools">
        <h2 id="pair">Two parameters</h2>
        {(["x", "y"] as const).map((place) => (
          <label key={place}>
            <span>{place === "x" ? "Across" : "Upwards"} </span>
            <select value={place === "x" ? x : y} onChange={(event) => choose(place, event.currentTarget.value)}>
              {axes.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <Trouble of={fetched} what="fitted win rate" />
      {surface !== undefined && surface.rates.length === 0 && <p class="lead">No game against the baseline shows these parameters yet.</p>}
      {surface !== undefined && surface.rates.length > 0 && (
        <div class="panels">
          <TuneFigure
            title={`Win rate by ${x} and ${y}`}
            name={`${tuned.name}, fitted win rate by ${x} and ${y}`}
            height={SURFACE_HEIGHT}
            draw={(width, theme) => <SurfaceChart surface={surface} x={axis(x)} y={axis(y)} width={width} theme={theme} />}
            table={() => ({
              columns: [x, y, "rate", "low", "high"],
              rows: surface.rates.flatMap((line, j) => line.map(({ rate, low, high }, i) => [String(surface.xs[i]), String(surface.ys[j]), rate, low, high])),
            })}
          />
        </div>
      )}
      <p class="meaning">The win rate against {tuned.against} by the model, with all other parameters as recommended: blue above 50&nbsp;%, orange below. The ring is what is recommended.</p>
    </section>
  );
}
