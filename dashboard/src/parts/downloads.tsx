/** The picture and its numbers as files. */

import { experimentBundlePath, experimentCsvPath, experimentPath } from "../api";
import { Figure } from "../charts/figure";
import { picturesOf } from "../charts/pictures";
import { captionOf, select } from "../charts/selection";
import { standingIn } from "../charts/standing";
import { fileName } from "../export/save";
import type { ExperimentView } from "./experiment-view";
import { drawingFiles, textFile, useFiles } from "./exports";

export function Downloads({ report, analysed, view, chart }: Pick<ExperimentView, "report" | "analysed" | "view" | "chart">) {
  const { id, name } = report.summary;
  const shown = { ...view, chart };
  const latex = () => {
    const selection = select(report, view, standingIn(report, analysed, view.panel));
    const pictures = picturesOf(selection, report.sizes, shown, { analysed, earlier: report.earlier });
    return pictures.map((picture) => picture.latex?.(captionOf(report, picture.words)) ?? "").join("\n");
  };
  const { busy, buttons, alert } = useFiles([...drawingFiles(name, () => <Figure report={report} analysed={analysed} view={shown} />), textFile("tex", name, latex)]);
  return (
    <div class="downloads" role="group" aria-label="Download" aria-busy={busy}>
      <span aria-hidden="true">Download</span>
      {buttons}
      <a href={experimentPath(id)} download={fileName(name, "json")}>JSON</a>
      <a href={experimentCsvPath(id)} download={fileName(name, "csv")}>CSV</a>
      <a href={experimentBundlePath(id)} download={fileName(`gauntlet-${name}`, "tar.gz")} title="Plans, games with their moves, results and machines in one file: gauntlet rerun plays a sample of it again">
        Bundle
      </a>
      {alert}
    </div>
  );
}
