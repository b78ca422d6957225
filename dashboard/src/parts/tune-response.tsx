/** The fitted response of a tune along each parameter, and where the weight of the model is. */

import type { TuneConcentration, TuneRecommendation, TuneStrategy } from "../api";
import type { ParameterAxis } from "../charts/tune-axis";
import { BAND_HEIGHT, BandChart } from "../charts/tune-band";
import { responseBand } from "../charts/tune-bands";
import { WEIGHT_HEIGHT, WeightChart } from "../charts/tune-weight";
import { counted } from "../format";
import type { Tuned } from "../tuned";
import { TuneFigure } from "./tune-figure";

interface TuneResponseProps {
  tuned: Tuned;
  recommended: TuneRecommendation;
  concentration: TuneConcentration;
  axes: readonly ParameterAxis[];
}

/** Why a curve may be higher elsewhere than at the recommended value. */
export function chosenWords(strategy: TuneStrategy | undefined): string {
  const rule =
    strategy === "clop" || strategy === "duel"
      ? "the mean of each number over the points by their weight, and of a flag or a word the value with most weight. That is steadier than the highest point"
      : "what the strategy chooses by a rule of its own";
  return `The recommendation is ${rule}, so a curve may be higher beside it.`;
}

export function TuneResponses({ tuned, recommended, concentration, axes }: TuneResponseProps) {
  const responses = recommended.responses.flatMap((response) => {
    const axis = axes.find(({ name }) => name === response.name);
    return axis === undefined || response.rates.length === 0 ? [] : [{ axis, response }];
  });
  return (
    <>
      {responses.length > 0 && (
        <section class="picture" aria-labelledby="response">
          <h2 id="response">Fitted response</h2>
          <div class="panels many">
            {responses.map(({ axis, response }) => (
              <TuneFigure
                key={axis.name}
                title={`Win rate by ${axis.name}`}
                name={`${tuned.name}, fitted win rate by ${axis.name}`}
                height={BAND_HEIGHT}
                draw={(width, theme) => <BandChart band={responseBand(response, axis, recommended)} width={width} theme={theme} />}
                table={() => ({ columns: [axis.name, "rate", "low", "high"], rows: response.rates.map(([value, { rate, low, high }]) => [String(value), rate, low, high]) })}
              />
            ))}
          </div>
          <p class="meaning">
            The win rate against {tuned.against} by the model, with all other parameters as recommended; the dashed line is the recommended value. {chosenWords(tuned.strategy)} The band is the
            model's 95&nbsp;% interval. It is too narrow where the response is no quadratic function: {tuned.measuredBy}.
          </p>
        </section>
      )}
      <section class="picture" aria-labelledby="weight">
        <h2 id="weight">Concentration of weight</h2>
        <p class="lead">
          {concentration.points === 0
            ? "No result has weight yet."
            : `Points that seem worse than the average lose weight in the fit. The weight is on ${counted(concentration.points, "point")}, as if on ${concentration.effective_points.toFixed(1)} of equal weight.`}
        </p>
        {concentration.points > 0 && (
          <div class="panels many">
            {concentration.shares.flatMap((shares) => {
              const axis = axes.find(({ name }) => name === shares.name);
              if (axis === undefined) return [];
              return [
                <TuneFigure
                  key={shares.name}
                  title={`Weight by ${shares.name}`}
                  name={`${tuned.name}, weight by ${shares.name}`}
                  height={WEIGHT_HEIGHT}
                  draw={(width, theme) => <WeightChart shares={shares} axis={axis} at={axis.isUsed(recommended.point) ? axis.place(recommended.point[shares.name]!) : undefined} width={width} theme={theme} />}
                  table={() => ({ columns: ["from", "to", "share"], rows: shares.parts.map(({ from, to, share }) => [String(from), String(to), share]) })}
                />,
              ];
            })}
          </div>
        )}
      </section>
    </>
  );
}
