import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { Chart } from "../src/charts/pictures";
import { select } from "../src/charts/selection";
import { Pictures } from "../src/parts/pictures";
import { DEFAULT_VIEW } from "../src/url";
import { InFrame } from "./in-frame";
import { point, report, series } from "./report";

const SWEPT = report([50, 500].map((rave_k) => series(`rave_k=${rave_k}`, [point(4, 80, 200, 7)], { swept: { rave_k } })), [4]);

const legend = (chart: Chart) => {
  const view = { ...DEFAULT_VIEW, chart };
  const page = render(
    <InFrame>
      <Pictures report={SWEPT} analysed={undefined} unranked="" selection={select(SWEPT, view)} standing={new Map()} view={view} chart={chart} mayChange={false} go={() => undefined} />
    </InFrame>,
  );
  return /<div class="legend".*?<\/div>/s.exec(page)![0];
};

test("the switches of cases have marks only where the picture has these marks", () => {
  for (const [chart, marks] of [["size", 2], ["response", 0]] as const) {
    expect(legend(chart).match(/<button/g)).toHaveLength(2);
    expect(legend(chart).match(/<svg/g) ?? []).toHaveLength(marks);
  }
});
