/** Published points beside our own: a table that the reader has as a file, drawn into the picture of an experiment. */

import { useState } from "preact/hooks";
import { fetchExperiment, type ExperimentReport } from "../api";
import { Figure } from "../charts/figure";
import { casesWithout, figuresOf, readPublished, referencesOf, type Published } from "../charts/references";
import type { Reference } from "../charts/winrate-layout";
import { tableOf } from "../export/table";
import { budget as budgetWords } from "../format";
import { useParameter } from "../frame";
import { useFetched } from "../live";
import { DEFAULT_VIEW } from "../url";
import { Alert, options, Select } from "./elements";
import { Exports } from "./exports";

interface PublishedFile {
  name: string;
  points: readonly Published[];
  figures: readonly string[];
}

/** The numbers behind the picture. */
function fileOf(report: ExperimentReport, references: readonly Reference[]) {
  const rows = references.flatMap(({ label, size, rate }) =>
    report.series
      .filter((series) => series.label === label)
      .map(({ points, baseline_label, budget }) => ({ label, size, published: rate, baseline_label, budget: budgetWords(budget), point: points.find((point) => point.size === size) })),
  );
  return tableOf(rows, [
    ["case", ({ label }) => label],
    ["against", ({ baseline_label }) => baseline_label],
    "budget",
    "size",
    ["published_rate", ({ published }) => published],
    ...(["rate", "low", "high"] as const).map((name) => [name, ({ point }: (typeof rows)[number]) => point?.[name]] as const),
  ]);
}

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
        {file !== undefined && <Select label="Figure" value={figure ?? ""} options={options(file.figures)} choose={setFigure} />}
      </div>
      <Alert words={trouble} kind="card warn" />
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
        table={() => fileOf(report, references)}
      />
    </div>
  );
}
