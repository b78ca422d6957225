/** The pictures of a study. */

import type { TuneConcentration, TuneRecommendation, TuneStrategy } from "../api";
import type { ParameterAxis } from "../charts/axis";
import type { Picture } from "../charts/picture";
import { courseOf, coursePicture, expectedPicture } from "../charts/study/course";
import { pointsPicture } from "../charts/study/points";
import { responsePicture } from "../charts/study/response";
import { surfacePicture } from "../charts/study/surface";
import { weightPicture } from "../charts/study/weight";
import { count, counted } from "../format";
import { useFetched } from "../live";
import type { Study } from "../study";
import { options, Section, Select } from "./elements";
import { Trouble } from "./loaded";
import { Panels, PictureFrame } from "./picture";

interface PartProps {
  study: Study;
  recommended: TuneRecommendation;
  axes: readonly ParameterAxis[];
}

const frames = ({ name }: Study, pictures: readonly Picture[]) =>
  pictures.length > 0 && <Panels>{pictures.map((picture) => <PictureFrame key={picture.title} picture={picture} name={`${name}, ${picture.title}`} />)}</Panels>;

/** What it recommended over time. */
export function StudyCourse({ study, recommended, axes }: PartProps) {
  const course = courseOf(study, recommended);
  const expected = expectedPicture(course);
  return (
    <Section id="course" kind="picture" title="Recommendation over time">
      {frames(study, [...axes.map((axis) => coursePicture(course, axis)), ...(expected === undefined ? [] : [expected])])}
      <p class="meaning">
        Each mark is what the first trials alone recommend: it is computed from the log again. The band holds the middle 90&nbsp;% of the model's weight, or
        the values with at least 5&nbsp;% of it.{!study.course_is_complete && " Some looks back are still being computed."}
      </p>
    </Section>
  );
}

/** Why a curve may be higher elsewhere than at the recommended value. */
export function chosenWords(strategy: TuneStrategy | undefined): string {
  const rule =
    strategy === "clop" || strategy === "duel"
      ? "the mean of each number over the points by their weight, and of a flag or a word the value with most weight. That is steadier than the highest point"
      : "what the strategy chooses by a rule of its own";
  return `The recommendation is ${rule}, so a curve may be higher beside it.`;
}

/** The fitted win rate along each parameter. */
export function StudyResponses({ study, recommended, axes }: PartProps) {
  const pictures = recommended.responses.flatMap((response) => {
    const axis = axes.find(({ name }) => name === response.name);
    return axis === undefined || response.rates.length === 0 ? [] : [responsePicture(response, axis, recommended)];
  });
  return pictures.length === 0 ? null : (
    <Section id="response" kind="picture" title="Fitted response">
      {frames(study, pictures)}
      <p class="meaning">
        The win rate against {study.against} by the model, with all other parameters as recommended; the dashed line is the recommended value.{" "}
        {chosenWords(study.strategy)} The band is the model's 95&nbsp;% interval. It is too narrow where the response is no quadratic function: {study.measuredBy}.
      </p>
    </Section>
  );
}

/** Where the weight of the model is. */
export function StudyWeight({ study, recommended: { point }, concentration, axes }: PartProps & { concentration: TuneConcentration }) {
  const { points, effective_points: effective, shares } = concentration;
  const pictures = shares.flatMap((own) => {
    const axis = axes.find(({ name }) => name === own.name);
    return axis === undefined ? [] : [weightPicture(own, axis, axis.isUsed(point) ? axis.place(point[own.name]!) : undefined)];
  });
  return (
    <Section id="weight" kind="picture" title="Concentration of weight">
      <p class="lead">
        {points === 0
          ? "No result has weight yet."
          : `Points that seem worse than the average lose weight in the fit. The weight is on ${counted(points, "point")}, as if on ${effective.toFixed(1)} of equal weight.`}
      </p>
      {points > 0 && frames(study, pictures)}
    </Section>
  );
}

/** What of a study an address names. */
export interface StudyView {
  /** The parameters of the heat map, along the axis and upwards; without one, the first that there is. */
  x?: string;
  y?: string;
  /** The size whose optimum is shown, where each has its own. */
  size?: number;
}

/** The two parameters that an address names, or the first ones. */
export function pairOf(names: readonly string[], { x, y }: StudyView): [string, string] | undefined {
  const known = (name: string | undefined) => (name !== undefined && names.includes(name) ? name : undefined);
  const upwards = known(y);
  const across = known(x) ?? names.find((name) => name !== upwards);
  const other = upwards !== undefined && upwards !== across ? upwards : names.find((name) => name !== across);
  return across === undefined || other === undefined ? undefined : [across, other];
}

interface PairProps extends PartProps {
  view: StudyView;
  go: (view: StudyView) => void;
}

/** The fitted win rate over two parameters. */
export function StudyPair(props: PairProps) {
  const pair = pairOf(props.axes.map(({ name }) => name), props.view);
  return pair === undefined ? null : <Pair {...props} pair={pair} />;
}

function Pair({ study, recommended, axes, view, go, pair: [x, y] }: PairProps & { pair: [string, string] }) {
  const fetched = useFetched(study.fetchSurface, study.id, x, y, recommended.size ?? undefined);
  const surface = fetched.data;
  const axis = (name: string) => axes.find((one) => one.name === name)!;
  // A parameter that stands on the other axis changes places with it.
  const choose = (place: "x" | "y", name: string) => {
    const [other, own, opposite] = place === "x" ? (["y", x, y] as const) : (["x", y, x] as const);
    go({ ...view, [place]: name, [other]: name === opposite ? own : opposite });
  };
  const names = options(axes.map(({ name }) => name));
  return (
    <Section
      id="pair"
      kind="picture"
      title="Two parameters"
      tools={
        <>
          <Select label="Across" value={x} options={names} choose={(name) => choose("x", name)} />
          <Select label="Upwards" value={y} options={names} choose={(name) => choose("y", name)} />
        </>
      }
    >
      <Trouble of={fetched} what="fitted win rate" />
      {surface !== undefined && surface.rates.length === 0 && <p class="lead">No game against the baseline shows these parameters yet.</p>}
      {surface !== undefined && surface.rates.length > 0 && frames(study, [surfacePicture(surface, axis(x), axis(y))])}
      <p class="meaning">
        The win rate against {study.against} by the model, with all other parameters as recommended: blue above 50&nbsp;%, orange below. The ring is what is recommended.
      </p>
    </Section>
  );
}

/** The points that it has played. */
export function StudyPoints({ study, recommended, axes }: PartProps) {
  const fetched = useFetched(study.fetchPoints, study.id);
  const { data } = fetched;
  if (data === undefined) return <Trouble of={fetched} what="list of points" />;
  if (data.points.length === 0) return null;
  const points = data.points.filter(({ size }) => recommended.size === null || size === recommended.size);
  return (
    <Section id="points" kind="picture" title="Points played">
      <Trouble of={fetched} what="list of points" />
      {frames(study, [pointsPicture(points, axes, recommended.point)])}
      <p class="meaning">
        Each line is a point on a size{points.some(({ cell }) => cell !== undefined) && " and leads to its cell"}: blue from 50&nbsp;% on, orange and dashed below;
        the strong line is what is recommended. A point is often one pair of games, so its score says little.
        {data.count > data.points.length && ` Of ${counted(data.count, "point")}, ${count(data.points.length)} from every time are drawn.`}
      </p>
    </Section>
  );
}
