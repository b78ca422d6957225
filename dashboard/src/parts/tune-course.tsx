/** What a tune recommended over time. */

import type { TuneRecommendation } from "../api";
import { BAND_HEIGHT, BandChart } from "../charts/tune-band";
import { alikeWords, courseBand, courseOf, expectedBand } from "../charts/tune-bands";
import type { ParameterAxis } from "../charts/tune-axis";
import type { Tuned } from "../tuned";
import { TuneFigure } from "./tune-figure";

export function TuneCourse({ tuned, recommended, axes }: { tuned: Tuned; recommended: TuneRecommendation; axes: readonly ParameterAxis[] }) {
  const course = courseOf(tuned, recommended);
  const expected = expectedBand(course);
  const of = (title: string) => `${tuned.name}, ${title}`;
  const rows = ({ name, isUsed }: ParameterAxis) =>
    course.map(({ games, point, parameters }) => [games, isUsed(point) ? String(point[name]) : null, alikeWords(parameters.find((one) => one.name === name)?.values ?? [])]);
  return (
    <section class="picture" aria-labelledby="course">
      <h2 id="course">Recommendation over time</h2>
      <div class="panels many">
        {axes.map((axis) => (
          <TuneFigure
            key={axis.name}
            title={`Recommended ${axis.name}`}
            name={of(`recommended ${axis.name} over time`)}
            height={BAND_HEIGHT}
            draw={(width, theme) => <BandChart band={courseBand(course, axis)} width={width} theme={theme} look={2} />}
            table={() => ({ columns: ["games", axis.name, "not_told_apart"], rows: rows(axis) })}
          />
        ))}
        {expected.marks.length > 0 && (
          <TuneFigure
            title="Win rate that the model expected"
            name={of("expected win rate over time")}
            height={BAND_HEIGHT}
            draw={(width, theme) => <BandChart band={expected} width={width} theme={theme} look={6} />}
            table={() => ({ columns: ["games", "rate", "low", "high"], rows: course.flatMap(({ games, rate }) => (rate === undefined ? [] : [[games, rate.rate, rate.low, rate.high]])) })}
          />
        )}
      </div>
      <p class="meaning">
        Each mark is what the first trials alone recommend: it is computed from the log again. The band holds the middle 90&nbsp;% of the model's weight, or the values
        with at least 5&nbsp;% of it.{!tuned.course_is_complete && " Some looks back are still being computed."}
      </p>
    </section>
  );
}
