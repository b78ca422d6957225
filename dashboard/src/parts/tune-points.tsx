/** The points that a tune has played. */

import type { PlayedPoint, TuneRecommendation } from "../api";
import type { ParameterAxis } from "../charts/tune-axis";
import { POINTS_HEIGHT, PointsChart } from "../charts/tune-points";
import { count, counted } from "../format";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import type { Tuned } from "../tuned";
import { Trouble } from "./loaded";
import { TuneFigure } from "./tune-figure";

/** Points of a study have no cell. */
const pathOfCell = ({ cell }: PlayedPoint) => (cell === undefined ? undefined : pathOf("cell", cell));

export function TunePoints({ tuned, recommended, axes }: { tuned: Tuned; recommended: TuneRecommendation; axes: readonly ParameterAxis[] }) {
  const fetched = useFetched(tuned.fetchPoints, tuned.id);
  const { data } = fetched;
  if (data === undefined) return <Trouble of={fetched} what="list of points" />;
  if (data.points.length === 0) return null;
  const points = data.points.filter(({ size }) => recommended.size === null || size === recommended.size);
  return (
    <section class="picture" aria-labelledby="points">
      <h2 id="points">Points played</h2>
      <Trouble of={fetched} what="list of points" />
      <div class="panels">
        <TuneFigure
          title="Points played, by their score"
          name={`${tuned.name}, points played`}
          height={POINTS_HEIGHT}
          draw={(width, theme, isPaper) => (
            <PointsChart axes={axes} points={points} recommended={recommended.point} width={width} theme={theme} linkTo={isPaper ? undefined : pathOfCell} />
          )}
          table={() => ({
            columns: [...axes.map(({ name }) => name), "size", "wins", "draws", "losses", "rate"],
            rows: points.map(({ point, size, outcome, rate }) => [...axes.map(({ name, isUsed }) => (isUsed(point) ? String(point[name]) : null)), size, outcome.wins, outcome.draws, outcome.losses, rate]),
          })}
        />
      </div>
      <p class="meaning">
        Each line is a point on a size{points.some(({ cell }) => cell !== undefined) && " and leads to its cell"}: blue from 50&nbsp;% on, orange and dashed below; the strong line is what is recommended. A point is often
        one pair of games, so its score says little.
        {data.count > data.points.length && ` Of ${counted(data.count, "point")}, ${count(data.points.length)} from every time are drawn.`}
      </p>
    </section>
  );
}
