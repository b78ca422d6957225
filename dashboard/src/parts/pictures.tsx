/** The pictures of an experiment, with what chooses among them. */

import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { FEW } from "../charts/choice";
import { Figure } from "../charts/figure";
import type { CasePicture } from "../charts/kind";
import { CHARTS } from "../charts/list";
import { panelTitle } from "../charts/panels";
import { chartOf, chartsOf, picturesOf } from "../charts/pictures";
import { barSentence, captionOf, edgeSentence, intervalMethod, intervalSentence, paleSentence, splitSparse } from "../charts/selection";
import { sweepsOf } from "../charts/sweeps";
import { RATE } from "../charts/unit";
import { counted } from "../format";
import { toggleSeries, type View } from "../url";
import { unplayedWords } from "./chart";
import { Section, Select, Switch } from "./elements";
import type { ExperimentView } from "./experiment-view";
import { Finder } from "./finder";
import { Fold, useMore } from "./fold";
import { CurveNames, Legend } from "./legend";
import { Panels, PictureFrame } from "./picture";

const ALL = "";

/** Pictures at the beginning. */
const FIRST = 12;

export function Pictures(props: ExperimentView) {
  const { report, analysed, unranked, selection, standing, view, chart, go } = props;
  const [pointed, setPointed] = useState<string>();
  const { summary, sizes } = report;
  const { cases, shared, shown, drawn, unit } = selection;
  const { isOfSweeps = false, hasBars = false, name } = chartOf(chart);
  const { across, upwards } = view;
  const pictures = useMemo(
    () => picturesOf(selection, sizes, { ...view, chart }, { analysed, earlier: report.earlier }),
    [selection, sizes, chart, across, upwards, analysed, report],
  );
  const [main, others] = splitSparse(pictures, (picture) => picture.cases, summary.is_tune);
  const unplayed = unplayedWords(summary);
  // The best cases are known when the coordinator has ranked them.
  const empty = summary.games_done === 0 ? unplayed : analysed === undefined && cases.length > FEW ? unranked : "Every series is switched off";
  const panel = (picture: CasePicture) => (
    <PictureFrame
      key={picture.key}
      picture={picture}
      name={[summary.name, picture.words].join(", ")}
      title={`${unit.axis}, ${picture.words}`}
      panel={picture.panel}
      paper={() => <Figure report={report} analysed={analysed} view={{ ...view, chart }} only={picture.key} />}
      caption={captionOf(report, picture.words)}
      // Curves over a parameter are no cases.
      above={picture.curves && <CurveNames curves={picture.curves} />}
      emphasis={picture.curves === undefined ? pointed : undefined}
      empty={empty}
      unplayed={unplayed}
    >
      {picture.notes !== undefined && picture.notes.length > 0 && (
        <ul class="optima">
          {picture.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </PictureFrame>
  );
  return (
    <Section id="picture" kind="picture" title={`${unit === RATE ? "Win rate" : "Elo"} by ${name.toLowerCase()}`} tools={<Tools {...props} />}>
      {cases.length > FEW ? (
        !isOfSweeps && <Finder cases={cases} drawn={drawn} standing={standing} panels={shown} isTune={summary.is_tune} view={view} go={go} point={setPointed} />
      ) : (
        <Legend
          cases={cases}
          isMarked={!isOfSweeps}
          hidden={cases.flatMap(({ key }) => (drawn.has(key) ? [] : [key]))}
          toggle={(key) => go(toggleSeries(view, key))}
          only={(key) => go({ ...view, only: [], hidden: cases.flatMap((other) => (other.key === key ? [] : [other.key])) })}
          showAll={() => go({ ...view, hidden: [], only: [] })}
          point={setPointed}
        />
      )}
      {shared.length > 0 && !isOfSweeps && (
        <p class="meaning">
          All cases have <b>{shared.join(", ")}</b>, which their names here leave out.
        </p>
      )}
      {pictures.length === 0 && <p class="nothing">{unplayed}.</p>}
      <FirstPanels pictures={main} list="pictures" panel={panel} />
      {others.length > 0 && (
        <Fold name="small pictures" summary={`${counted(others.length, "more picture")}, of ${summary.is_tune ? "one case or none" : "no case"}`}>
          {() => <FirstPanels pictures={others} list="small" panel={panel} />}
        </Fold>
      )}
      <p class="meaning">
        {hasBars && barSentence(report)}
        {edgeSentence(selection, chart)}
        {paleSentence(selection, chart)}
      </p>
      <Fold name="method" kind="method" summary="How the intervals are made, and what they guarantee">
        <p class="meaning">
          {intervalSentence(report)} <span class="method">{intervalMethod(report)}</span>
        </p>
      </Fold>
    </Section>
  );
}

/** What chooses the chart, and what it shows. */
function Tools({ report, selection: { cases, panels, shown, unit }, view, chart, go }: ExperimentView) {
  const charts = useMemo(() => chartsOf(shown, report.earlier), [shown, report]);
  const parameters = useMemo(() => [...new Set(shown.flatMap(({ lines }) => sweepsOf(lines)).flatMap((sweep) => sweep.parameters.map(({ name }) => name)))], [shown]);
  const choosePanel = (chosen: string) => {
    const { panel: _, ...rest } = view;
    go(chosen === ALL ? rest : { ...rest, panel: chosen });
  };
  const axes = parameters.length > 1 ? (chartOf(chart).axes ?? []) : [];
  return (
    <>
      <Switch
        label="Picture by"
        value={chart}
        options={CHARTS.filter(({ key }) => charts.includes(key)).map(({ key, name }) => [key, name] as const)}
        choose={(kind) => go({ ...view, chart: kind })}
      />
      {panels.length > 1 && (
        <Select
          label={<span class="visually-hidden">Baseline and budget</span>}
          value={panels.find(({ key }) => key === view.panel)?.key ?? ALL}
          options={[[ALL, "All side by side"], ...panels.map((panel) => [panel.key, panelTitle(panel, panels)] as const)]}
          choose={choosePanel}
        />
      )}
      {axes.map((axis) => (
        <Select
          key={axis}
          label={axis === "across" ? "Across" : "Upwards"}
          value={view[axis] ?? ALL}
          options={[[ALL, "with most values"], ...parameters.map((name) => [name, name] as const)]}
          choose={(name) => go(withAxis(view, axis, name === ALL ? undefined : name))}
        />
      ))}
      {new Set(cases.map(({ group }) => group)).size > 1 && (
        <Switch label="Groups" value={view.groups} options={[["together", "Groups together"], ["apart", "Apart"]]} choose={(groups) => go({ ...view, groups })} />
      )}
      <Switch label="Unit" value={view.unit} options={[["rate", "%"], ["elo", "Elo"]]} choose={(measure) => go({ ...view, unit: measure })} />
      <Switch label="Axis" value={view.axis} options={[["full", unit === RATE ? "0–100\u00a0%" : "±600"], ["fit", "Fit"]]} choose={(axis) => go({ ...view, axis })} />
    </>
  );
}

/** Pictures side by side, the first of many. */
function FirstPanels({ pictures, list, panel }: { pictures: readonly CasePicture[]; list: string; panel: (picture: CasePicture) => VNode }) {
  const [first, more] = useMore(pictures.length, FIRST, "pictures", list);
  return (
    <>
      <Panels>{pictures.slice(0, first).map(panel)}</Panels>
      {more}
    </>
  );
}

/** The view with another parameter on an axis; a parameter that the other axis has changes places with it. */
function withAxis(view: View, axis: "across" | "upwards", name: string | undefined): View {
  const { [axis]: before, ...rest } = view;
  const other = axis === "across" ? "upwards" : "across";
  const swapped = name !== undefined && view[other] === name && before !== undefined ? { ...rest, [other]: before } : rest;
  return name === undefined ? swapped : { ...swapped, [axis]: name };
}
