/** The picture and its numbers as files. */

import { experimentBundlePath, experimentCsvPath, experimentPath } from "../api";
import type { ExperimentReport } from "../api";
import { Figure } from "../charts/figure";
import { standingIn } from "../charts/standing";
import type { Analysed } from "../charts/standing";
import { picturesOf } from "../charts/pictures";
import { captionOf, select } from "../charts/selection";
import { pictureLatex } from "../export/pgfplots";
import { fileName, saveBlob, saveText, toPng } from "../export/save";
import type { Chart, View } from "../url";
import { useAttempt } from "./attempt";
import { notSaved, svgText } from "./exports";

interface DownloadsProps {
  report: ExperimentReport;
  analysed: Analysed | undefined;
  view: View & { chart: Chart };
}

export function Downloads({ report, analysed, view }: DownloadsProps) {
  const { id, name } = report.summary;
  const { busy, trouble, attempt } = useAttempt(notSaved);
  const drawing = () => svgText(<Figure report={report} analysed={analysed} view={view} />);
  const latex = () => {
    const selection = select(report, view, standingIn(report, analysed, view.panel));
    const pictures = picturesOf(selection, report.sizes, view, { analysed, earlier: report.earlier });
    return pictures.map((picture) => pictureLatex(picture, selection.unit, captionOf(report, picture.words))).join("\n");
  };
  const made: readonly (readonly [words: string, make: () => unknown])[] = [
    ["SVG", () => saveText(drawing(), "image/svg+xml", fileName(name, "svg"))],
    ["PNG", async () => saveBlob(await toPng(drawing()), fileName(name, "png"))],
    ["LaTeX", () => saveText(latex(), "text/x-tex", fileName(name, "tex"))],
  ];
  return (
    <div class="downloads" role="group" aria-label="Download" aria-busy={busy}>
      <span aria-hidden="true">Download</span>
      {made.map(([words, make]) => (
        <button key={words} type="button" aria-disabled={busy} onClick={() => void attempt(make)}>
          {words}
        </button>
      ))}
      <a href={experimentPath(id)} download={fileName(name, "json")}>
        JSON
      </a>
      <a href={experimentCsvPath(id)} download={fileName(name, "csv")}>
        CSV
      </a>
      <a href={experimentBundlePath(id)} download={fileName(`gauntlet-${name}`, "tar.gz")} title="Plans, games with their moves, results and machines in one file: gauntlet rerun plays a sample of it again">
        Bundle
      </a>
      {trouble !== undefined && <span role="alert">{trouble}</span>}
    </div>
  );
}
