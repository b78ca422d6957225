/** Win rates by the value of one parameter, with the curves that the coordinator fits. */

import { fitsOf, isPooled } from "../fits";
import { ofPanels, type ChartKind } from "../kind";
import { linesPicture } from "../lines";
import { layoutResponse } from "../response-layout";
import { responsesOf } from "../responses";
import { mostParameters, sweepsOf } from "../sweeps";

export const RESPONSE: ChartKind<"response"> = {
  key: "response",
  name: "Parameter",
  isOfSweeps: true,
  hasBars: true,
  hasLines: true,
  axes: ["across"],
  isOffered: (panels) => mostParameters(panels) > 0,
  pictures: (scene) => {
    const said = new Set<string>();
    return ofPanels(scene, (panel) => {
      const whole = scene.panels.find(({ key }) => key === panel.key) ?? panel;
      const curves = scene.analysed?.field(panel)?.curves ?? [];
      return sweepsOf([...panel.lines, ...panel.others])
        .flatMap((sweep) => responsesOf(sweep, scene.sizes, scene.across))
        .map((response) => {
          const pooled = isPooled(response.parameter.name, whole.lines);
          const fits = fitsOf(response, curves, pooled);
          // Curves of all groups belong to no picture of one: they are told once.
          const words = fits.map((fit) => fit.words).filter((own) => !pooled || !said.has(`${panel.key} ${own}`));
          for (const own of words) said.add(`${panel.key} ${own}`);
          return {
            key: response.title,
            title: response.title,
            cases: response.curves.length,
            curves: response.scattered ? [] : response.curves.map((curve) => curve.case),
            notes: [...(response.cut === undefined ? [] : [response.cut]), ...words],
            ...linesPicture(response.curves.length, scene, (frame) => layoutResponse(response, frame, pooled ? [] : fits)),
          };
        });
    });
  },
};
