/** The charts of an experiment's cases, in the order of their switch. */

import { CASES } from "./kinds/cases";
import { HEAT } from "./kinds/heat";
import { BASELINE, BUDGET } from "./kinds/panels";
import { PARALLEL } from "./kinds/parallel";
import { RESPONSE } from "./kinds/response";
import { SIZE } from "./kinds/size";
import { VERSION } from "./kinds/version";

export const CHARTS = [SIZE, CASES, BUDGET, BASELINE, VERSION, RESPONSE, HEAT, PARALLEL] as const;
