/** Published points beside our own: a table that the reader has as a file, drawn into the picture of an experiment. */

import { useState } from "preact/hooks";
import { fetchExperiment } from "../api";
import type { ExperimentReport } from "../api";
import { Figure } from "../charts/figure";
import { casesWithout, figuresOf, readPublished, referencesOf } from "../charts/references";
import type { Published } from "../charts/references";
import { useParameter } from "../frame";
import { useFetched } from "../live";
import { DEFAULT_VIEW } from "../url";
import { budget as budgetWords } from "../format";
import { Exports } from "./exports";

interface PublishedFile {
  name: string;
  points: readonly Published[];
  figures: readonly string[];
}

/** Columns of the numbers behind the picture. */
const COLUMNS = ["case", "against", "budget", "size", "published_rate", "rate", "low", "high"];

export function PublishedPoints({ experiment }: { experiment: string }) {
  const report = useFetched(fetchExperiment, experiment).data;
  const [file, setFile] = useState<PublishedFile>();
  const [first, setFirst] = useState<string>();
  const [named, setFigure] = useParameter("figure");
  const figure = named !== undefined && file?.figures.includes(named) ? named : first;
  const [trouble, setTrouble] = useState<string>();
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    try {
      const points = readPublished(await chosen.text());
      const figures = figuresOf(points);
      // An experiment of the thesis is called like its figure.
      const own = report?.summary.name.split("/").at(-1);
      setFile({ name: chosen.name, points, figures });
      setFirst(figures.find((name) => name.replace(/^fig:/, "") === own) ?? figures[0]);
      setTrouble(undefined);
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section class="picture" aria-labelledby="published">
      <h2 id="published">Published points beside the first experiment</h2>
      <div class="tools">
        <label>
          Table of points{" "}
          <input type="file" accept=".csv,text/csv" onChange={(event) => void read(event.currentTarget.files?.[0])} />
        </label>
        {file !== undefined && (
          <label>
            Figure{" "}
            <select value={figure} onChange={(event) => setFigure(event.currentTarget.value)}>
              {file.figures.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {trouble !== undefined && (
        <p class="card warn" role="alert">
          {trouble}
        </p>
      )}
      {report !== undefined && file !== undefined && figure !== undefined && <Beside report={report} file={file} figure={figure} />}
      <p class="meaning">
        CSV with the columns figure, series, size and winrate in per cent, such as docs/results/thesis-figures.csv. The file stays in this browser. Differences,
        verdicts and tests: <code>gauntlet compare NAME --with FILE.csv</code>
      </p>
    </section>
  );
}

function Beside({ report, file, figure }: { report: ExperimentReport; file: PublishedFile; figure: string }) {
  const labels = report.series.map(({ label }) => label);
  const references = referencesOf(file.points, figure, labels);
  if (references.length === 0) {
    return <p class="lead">No case of {report.summary.name} has the name of a series of {figure}, or one as its only value.</p>;
  }
  const hidden = casesWithout(references, report);
  const drawing = () => <Figure report={report} view={{ ...DEFAULT_VIEW, pick: "all", chart: "size", hidden }} references={references} referenceName={`${figure} of ${file.name}`} />;
  return (
    <div class="panel">
      <div class="scroll" tabIndex={0} role="region" aria-label={`${figure} beside ${report.summary.name}`}>
        {drawing()}
      </div>
      <Exports
        name={`${report.summary.name} beside ${figure}`}
        drawing={drawing}
        table={() => ({
          columns: COLUMNS,
          rows: references.flatMap(({ label, size, rate }) =>
            report.series
              .filter((series) => series.label === label)
              .map(({ points, baseline_label, budget }) => {
                const own = points.find((point) => point.size === size);
                return [label, baseline_label, budgetWords(budget), size, rate, own?.rate ?? null, own?.low ?? null, own?.high ?? null];
              }),
          ),
        })}
      />
    </div>
  );
}
