/** The picture and its numbers as files. */

import { render } from "preact";
import { experimentCsvPath, experimentPath } from "../api";
import type { ExperimentReport } from "../api";
import { Figure } from "../charts/figure";
import type { View } from "../url";

/** A file name out of an experiment's name. */
function fileName(report: ExperimentReport, ending: string): string {
  return `${report.summary.name.replace(/[^\p{L}\p{N}._-]+/gu, "-") || "experiment"}.${ending}`;
}

function saveSvg(report: ExperimentReport, view: View): void {
  const place = document.createElement("div");
  render(<Figure report={report} view={view} />, place);
  const text = new XMLSerializer().serializeToString(place.firstElementChild!);
  render(null, place);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName(report, "svg");
  link.click();
  // The browser reads the blob after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function Downloads({ report, view }: { report: ExperimentReport; view: View }) {
  const { id } = report.summary;
  return (
    <div class="downloads" role="group" aria-label="Download">
      <span aria-hidden="true">Download</span>
      <button type="button" onClick={() => saveSvg(report, view)}>
        SVG
      </button>
      <a href={experimentPath(id)} download={fileName(report, "json")}>
        JSON
      </a>
      <a href={experimentCsvPath(id)} download={fileName(report, "csv")}>
        CSV
      </a>
    </div>
  );
}
