/** The pictures of an experiment, with what chooses among them. */

import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ExperimentReport } from "../api";
import { FEW } from "../charts/choice";
import { Figure } from "../charts/figure";
import { counted } from "../format";
import { panelTitle } from "../charts/panels";
import { casesOf, chartsOf, picturesOf } from "../charts/pictures";
import type { Picture } from "../charts/pictures";
import { sweepsOf } from "../charts/sweeps";
import { barSentence, captionOf, edgeSentence, intervalMethod, intervalSentence, paleSentence, telling } from "../charts/selection";
import type { Selection } from "../charts/selection";
import type { Analysed, Standing } from "../charts/standing";
import { RATE } from "../charts/unit";
import { pictureLatex } from "../export/pgfplots";
import { pictureTable } from "../export/picture-table";
import { toggleSeries } from "../url";
import type { Chart as Kind, View } from "../url";
import { Chart, unplayedWords } from "./chart";
import { Exports } from "./exports";
import { Finder } from "./finder";
import { Fold } from "./fold";
import { CurveNames, Legend } from "./legend";
import { useMore } from "./more";
import { Switch } from "./switch";

const ALL = "";

/** Pictures at the beginning. */
const FIRST = 12;

/** The kinds of pictures, on their switch. */
const CHARTS: Record<Kind, string> = {
  size: "Board size",
  cases: "Case",
  budget: "Budget",
  baseline: "Baseline",
  version: "Engine version",
  response: "Parameter",
  heat: "Two parameters",
  parallel: "All parameters",
};

/** Pictures of whole sweeps, in which cases have no marks of their own. */
const WHOLE_SWEEPS: readonly Kind[] = ["response", "heat", "parallel"];

interface PicturesProps {
  report: ExperimentReport;
  analysed: Analysed | undefined;
  /** What is said of cases that are not ranked yet. */
  unranked: string;
  selection: Selection;
  standing: Standing;
  view: View;
  /** The kind of the pictures. */
  chart: Kind;
  go: (view: View, typed?: boolean) => void;
}

export function Pictures({ report, analysed, unranked, selection, standing, view, chart, go }: PicturesProps) {
  const [pointed, setPointed] = useState<string>();
  const { summary, sizes } = report;
  const { cases, shared, panels, shown, drawn, unit, domain } = selection;
  const charts = useMemo(() => chartsOf(shown, report.earlier), [shown, report]);
  const { across, upwards } = view;
  const axes = { chart, ...(across !== undefined && { across }), ...(upwards !== undefined && { upwards }) };
  const pictures = useMemo(
    () => picturesOf(selection, sizes, axes, { analysed, earlier: report.earlier }),
    [selection, sizes, chart, across, upwards, analysed, report],
  );
  const [main, others] = telling(pictures, casesOf, summary.is_tune);
  const parameters = useMemo(() => [...new Set(shown.flatMap(({ lines }) => sweepsOf(lines)).flatMap((sweep) => sweep.parameters.map(({ name }) => name)))], [shown]);
  // The best cases are known when the coordinator has ranked them.
  const empty = summary.games_done === 0 ? unplayedWords(summary) : analysed === undefined && cases.length > FEW ? unranked : "Every series is switched off";
  const unplayed = unplayedWords(summary);
  const groups = new Set(cases.map(({ group }) => group)).size;
  const panel = (picture: Picture) => (
    <div class="panel" key={picture.key} data-panel={picture.panel}>
      {picture.title !== "" && <h3>{picture.title}</h3>}
      {/* Curves over a parameter are no cases. */}
      {"curves" in picture.shows && <CurveNames curves={picture.shows.curves} />}
      <Chart picture={picture} unit={unit} domain={domain} emphasis={"curves" in picture.shows ? undefined : pointed} empty={empty} unplayed={unplayed} />
      <Exports
        name={[summary.name, picture.words].join(", ")}
        table={() => pictureTable(picture)}
        drawing={() => <Figure report={report} analysed={analysed} view={{ ...view, chart }} only={picture.key} />}
        latex={() => pictureLatex(picture, unit, captionOf(report, picture.words))}
      />
      {picture.notes !== undefined && picture.notes.length > 0 && (
        <ul class="optima">
          {picture.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
  return (
    <section class="picture" aria-labelledby="picture">
      <div class="tools">
        <h2 id="picture">{unit === RATE ? "Win rate" : "Elo"} by {CHARTS[chart].toLowerCase()}</h2>
        <Switch
          label="Picture by"
          value={chart}
          options={charts.map((kind) => [kind, CHARTS[kind]] as const)}
          choose={(kind) => go({ ...view, chart: kind })}
        />
        {panels.length > 1 && (
          <label>
            <span class="visually-hidden">Baseline and budget</span>
            <select
              value={panels.some(({ key }) => key === view.panel) ? view.panel : ALL}
              onChange={(event) => {
                const { panel: _, ...rest } = view;
                const chosen = event.currentTarget.value;
                go(chosen === ALL ? rest : { ...rest, panel: chosen });
              }}
            >
              <option value={ALL}>All side by side</option>
              {panels.map((panel) => (
                <option key={panel.key} value={panel.key}>
                  {panelTitle(panel, panels)}
                </option>
              ))}
            </select>
          </label>
        )}
        {(chart === "response" || chart === "heat") && parameters.length > 1 && (
          <AxisChoice label="Across" parameters={parameters} chosen={across} choose={(name) => go(withAxis(view, "across", name))} />
        )}
        {chart === "heat" && (
          <AxisChoice label="Upwards" parameters={parameters} chosen={upwards} choose={(name) => go(withAxis(view, "upwards", name))} />
        )}
        {groups > 1 && (
          <Switch
            label="Groups"
            value={view.groups}
            options={[
              ["together", "Groups together"],
              ["apart", "Apart"],
            ]}
            choose={(apart) => go({ ...view, groups: apart })}
          />
        )}
        <Switch
          label="Unit"
          value={view.unit}
          options={[
            ["rate", "%"],
            ["elo", "Elo"],
          ]}
          choose={(measure) => go({ ...view, unit: measure })}
        />
        <Switch
          label="Axis"
          value={view.axis}
          options={[
            ["full", unit.key === "rate" ? "0–100\u00a0%" : "±600"],
            ["fit", "Fit"],
          ]}
          choose={(axis) => go({ ...view, axis })}
        />
      </div>
      {cases.length > FEW ? (
        // The other pictures show whole sweeps.
        !WHOLE_SWEEPS.includes(chart) && <Finder cases={cases} drawn={drawn} standing={standing} panels={shown} isTune={summary.is_tune} view={view} go={go} point={setPointed} />
      ) : (
        <Legend
          cases={cases}
          isMarked={!WHOLE_SWEEPS.includes(chart)}
          hidden={cases.flatMap(({ key }) => (drawn.has(key) ? [] : [key]))}
          toggle={(key) => go(toggleSeries(view, key))}
          only={(key) => go({ ...view, only: [], hidden: cases.flatMap((other) => (other.key === key ? [] : [other.key])) })}
          showAll={() => go({ ...view, hidden: [], only: [] })}
          point={setPointed}
        />
      )}
      {shared.length > 0 && !WHOLE_SWEEPS.includes(chart) && (
        <p class="meaning">
          All cases have <b>{shared.join(", ")}</b>, which their names here leave out.
        </p>
      )}
      {pictures.length === 0 && <p class="nothing">{unplayed}.</p>}
      <Panels pictures={main} list="pictures" panel={panel} />
      {others.length > 0 && (
        <Fold name="small pictures" summary={`${counted(others.length, "more picture")}, of ${summary.is_tune ? "one case or none" : "no case"}`}>
          {() => <Panels pictures={others} list="small" panel={panel} />}
        </Fold>
      )}
      <p class="meaning">
        {WHOLE_SWEEPS.includes(chart) && chart !== "response" ? "" : barSentence(report)}
        {edgeSentence(selection, chart)}
        {paleSentence(selection, chart)}
      </p>
      <Fold name="method" kind="method" summary="How the intervals are made, and what they guarantee">
        <p class="meaning">
          {intervalSentence(report)} <span class="method">{intervalMethod(report)}</span>
        </p>
      </Fold>
    </section>
  );
}

/** Pictures side by side, the first of many. */
function Panels({ pictures, list, panel }: { pictures: readonly Picture[]; list: string; panel: (picture: Picture) => VNode }) {
  const [first, more] = useMore(pictures.length, FIRST, "pictures", list);
  return (
    <>
      <div class={pictures.length > 1 ? "panels many" : "panels"}>{pictures.slice(0, first).map(panel)}</div>
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

interface AxisChoiceProps {
  label: string;
  parameters: readonly string[];
  chosen: string | undefined;
  choose: (name: string | undefined) => void;
}

function AxisChoice({ label, parameters, chosen, choose }: AxisChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select value={chosen ?? ALL} onChange={(event) => choose(event.currentTarget.value === ALL ? undefined : event.currentTarget.value)}>
        <option value={ALL}>with most values</option>
        {parameters.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
