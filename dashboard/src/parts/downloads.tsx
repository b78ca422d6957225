/** The picture and its numbers as files. */

import { experimentBundlePath, experimentCsvPath, experimentPath } from "../api";
import type { ExperimentReport } from "../api";
import { Figure } from "../charts/figure";
import { arrange, chosenPanels } from "../charts/panels";
import type { Analysed } from "../charts/standing";
import { picturesOf } from "../charts/pictures";
import { intervalSentence, select } from "../charts/selection";
import { pictureLatex } from "../export/pgfplots";
import { fileName, saveBlob, saveText, toPng } from "../export/save";
import { capital } from "../format";
import type { View } from "../url";
import { svgText } from "./exports";

interface DownloadsProps {
  report: ExperimentReport;
  analysed: Analysed | undefined;
  view: View;
}

export function Downloads({ report, analysed, view }: DownloadsProps) {
  const { id, name } = report.summary;
  const drawing = () => svgText(<Figure report={report} analysed={analysed} view={view} />);
  const latex = () => {
    const selection = select(report, view, analysed?.standing(chosenPanels(arrange(report).panels, view.panel)));
    const pictures = picturesOf(selection, report.sizes, view, { analysed, earlier: report.earlier });
    const caption = (words: string) => `${report.summary.question || name} ${capital(words)}. ${intervalSentence(report)}`;
    return pictures.map((picture) => pictureLatex(picture, selection.unit, caption(picture.words))).join("\n");
  };
  return (
    <div class="downloads" role="group" aria-label="Download">
      <span aria-hidden="true">Download</span>
      <button type="button" onClick={() => saveText(drawing(), "image/svg+xml", fileName(name, "svg"))}>
        SVG
      </button>
      <button type="button" onClick={() => void toPng(drawing()).then((blob) => saveBlob(blob, fileName(name, "png")))}>
        PNG
      </button>
      <button type="button" onClick={() => saveText(latex(), "text/x-tex", fileName(name, "tex"))}>
        LaTeX
      </button>
      <a href={experimentPath(id)} download={fileName(name, "json")}>
        JSON
      </a>
      <a href={experimentCsvPath(id)} download={fileName(name, "csv")}>
        CSV
      </a>
      <a href={experimentBundlePath(id)} download={fileName(`gauntlet-${name}`, "tar.gz")} title="Plans, games with their moves, results and machines in one file: gauntlet rerun plays a sample of it again">
        Bundle
      </a>
    </div>
  );
}
