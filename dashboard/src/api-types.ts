// Written by `GAUNTLET_WRITE=1 cargo test -p protocol --lib tests` from `protocol/src`.

import { addQuery } from "./routes";

/** What is sent, to a path below the root of the pages. */
export interface Call<Answer> {
  method: "GET" | "POST" | "DELETE";
  path: string;
  body?: unknown;
  /** For the type alone. */
  answer?: Answer;
}

/** The acknowledgement of a game. */
export type Ack = {
/** The game. */
game: GameId;
/** The lease under which the game was played. */
lease: LeaseId;
/** The reason, when the game was rejected. */
message?: string;
/** The decision. */
status: AckStatus;
};

/** The decision on a game. It is final and committed, so that the worker can delete the game. */
export type AckStatus = "accepted" | "duplicate" | "superseded" | "rejected";

/** Something that people should look at. */
export type Alarm = {
/** The kind. */
kind: AlarmKind;
/** How serious it is. */
severity: Severity;
/** Since when it stands, in milliseconds since 1970. */
since_ms: number;
/** What it is about, for people: a machine's name, or `control`. */
subject: string;
/** What is wrong, in words. */
words: string;
/** The machine that it is about, if it is about one. */
worker?: WorkerId;
};

/** The kind of an alarm. */
export type AlarmKind = "control" | "results" | "speed" | "drift" | "choice" | "bias";

/** All alarms that are not over, red ones first, then the oldest first: `GET /api/v1/alarms`. */
export type Alarms = {
/** The alarms. */
alarms: Array<Alarm>;
};

/** The result of applying an experiment: the answer to `POST /api/v1/experiments`. */
export type Applied = {
/** The number of cells. */
cells: number;
/** What the revision changed in the cells. */
changes: CellChanges;
/** Whether the experiment is new. */
created: boolean;
/** Games that its cells already had, from an earlier run or from another experiment with the same cells. */
games_done: number;
/** Games planned. */
games_planned: number;
/** The experiment's id, which all revisions share. */
id: ExperimentId;
/** Whether this made a revision; false if the content was that of the newest one. */
revised: boolean;
/** The number of the revision, from 1. */
revision: number;
};

/** A pair that was set aside after repeated failures. It is not handed out until a person asks for a retry. */
export type AsidePair = {
/** The cell. */
cell: CellId;
/** How often the pair was leased and not completed. */
failures: number;
/** The number of the pair within the cell. */
pair: number;
/** When the pair was set aside, in milliseconds since 1970. */
since_ms: number;
/** Case, baseline and size. */
what: string;
/** The last failure. */
why: string;
};

/** The answer to an [`AskRequest`]. */
export type AskAnswer = {
/** Games of the budget that are neither told nor asked for. */
games_left: number;
/** The points: fewer than wanted where fewer games are left, and none at the end of the study. */
points: Array<AskedPoint>;
};

/** `POST /api/v1/studies/{id or name}/ask`: what is to be played next. */
export type AskRequest = {
/** How many points are wanted. */
count: number;
/** A name of this call, which no other call has. The same call again gives the same points. */
key?: string;
};

/** A point that is to be played. */
export type AskedPoint = {
/** Whether it was given back without a result. */
failed?: boolean;
/** Whether it was given up, because results had chosen it that were taken back: it need not be played. */
given_up?: boolean;
/** Its number, with which its result is told. */
number: number;
/** The point that it plays against; absent for the baseline, which the program chooses once for all points. */
opponent?: Record<string, TunedValue>;
/** Its result, once it is told. */
outcome?: TuneOutcome;
/** A value of every parameter. */
point: Record<string, TunedValue>;
/** The size; absent in a study without sizes. */
size?: number;
};

/** An entry of the audit log. */
export type AuditEntry = {
/** The kind of change, such as `apply`, `exclude` or `revoke`. */
action: string;
/** The time, in milliseconds since 1970. */
at_ms: number;
/** Further details. */
detail: string;
/** The number of the change, from 1, in order. */
seq: number;
/** The object that was changed. */
what: string;
/** The name of the caller's token, or of the user of a command on the database. */
who: string;
};

/** A page of the audit log, latest change first: `GET /api/v1/audit`. */
export type AuditPage = {
/** The changes. */
entries: Array<AuditEntry>;
/** The value of `before` for the next page; absent on the last page. */
next: number | null;
};

/** `GET /api/v1/baselines/{name}`: a named baseline with its ancestors and its children. */
export type BaselineLineage = {
/** Its parent, the parent of that, and so on. */
ancestors: Array<NamedBaseline>;
/** The baseline. */
baseline: NamedBaseline;
/** The names of the baselines whose parent it is. */
children: Array<string>;
};

/** How the number of games of a sweep was determined, and so which numbers are valid. */
export type Basis = "any_look" | "complete";

/** A machine's games beside those of other machines in the same cell, colour by colour. */
export type BesideOthers = {
/** The residual: the machine's score minus that of the others. */
difference: number;
/** The chance that honest machines differ as much, for one look at one machine; absent where all results are equal. */
p_value: number | null;
/** The case's score in the others' games, weighted like the machine's own games. */
rate: number;
};

/** The budget of a move, before a worker converts it for its own machine. */
export type Budget = {
sims: number;
} | {
reference_seconds: number;
};

/** Sums over the games of a search, by move number: `GET /api/v1/games/by-move`. */
export type ByMoveNumber = {
/** The games summed up. */
games: number;
/** Whether these are all games of the search; otherwise they are the first ones in its order. */
is_all: boolean;
/** In ascending order; numbers that no game has are left out. */
numbers: Array<MoveNumber>;
/** Games of the search whose moves were deleted to make room. */
without_moves: number;
};

/** The cells of a case that change alike. */
export type CaseDifference = {
/** The baseline. */
baseline: string;
/** The case. */
case: string;
/** The number of cells. */
cells: number;
/** The change. */
change: CellChange;
/** Games that the plan has in these cells afterwards, or had before if they are closed. */
games_planned: number;
/** Games of them that are played already. They stay stored whatever happens. */
games_played: number;
/** The test group. */
group: string;
};

/** How a game ended for the case. */
export type CaseResult = "win" | "draw" | "loss";

/** How a cell changes with a revision. */
export type CellChange = "added" | "reopened" | "changed" | "closed" | "kept";

/** What a revision changes in the cells of a plan. */
export type CellChanges = {
/** Cells that the plan did not have. */
added: number;
/** Cells with other names, weights or numbers of games. */
changed: number;
/** Cells that are closed: not played any more, and not shown. Their games stay stored. */
closed: number;
/** Cells that stay as they are. */
kept: number;
/** Cells that an earlier revision had closed. Their games count again. */
reopened: number;
};

/** A cell: the digest of case, baseline, size, budget, openings, seed and engine semantics. */
export type CellId = string;

/** The counted games of a machine in a cell. */
export type CellMachine = {
/** The comparison with the other machines; absent if no other machine has games of the same colour. */
beside?: BesideOthers;
/** Games drawn. */
draws: number;
/** Counted games. */
games: number;
/** Games lost by the case. */
losses: number;
/** Its name. */
name: string;
/** The case's score. */
rate: number;
/** Games won by the case. */
wins: number;
/** The machine. */
worker: WorkerId;
};

/** What an experiment plans for a cell. */
export type CellPlan = {
/** The baseline's label in that experiment. */
baseline: string;
/** The case's group and label in that experiment. */
case: string;
/** The experiment. */
experiment: PlannedBy;
/** The pairs that it plans. */
pairs: number;
/** Whether it has the cell played. */
state: CellState;
};

/** A cell in full: `GET /api/v1/cells/{id}`. */
export type CellReport = {
/** The baseline's label. */
baseline: string;
/** The baseline's differences from the engine's defaults. */
baseline_params: ParamSet;
/** The budget of a move. */
budget: Budget;
/** The case's group and label, as the first of the plans names them. */
case: string;
/** The case's differences from the engine's defaults. */
case_params: ParamSet;
/** The case's results as White, who moves first, and as Black. */
colours: Array<ColourResults>;
/** The confidence level of the intervals, such as 0.95. */
confidence: number;
/** What the games show, in words. */
finding: string;
/** The cell. */
id: CellId;
/** The method of the intervals. */
interval_method: string;
/** Whether this build plays its games bit for bit alike. */
is_repeatable: boolean;
/** The counted games by their number of moves, the shortest first. */
lengths: Array<LengthResults>;
/** The machines that played counted games, those with most games first. */
machines: Array<CellMachine>;
/** How the games begin, in words. */
opening: string;
/** The parameters in which the players differ. */
parameters: Array<DifferingParameter>;
/** The experiments that have the cell, the active ones first. */
plans: Array<CellPlan>;
/** Everything that was counted. Numbers of planned games and the verdict are those of the first plan. */
point: Point;
/** Why the cell is in its present state, in words, as `gauntlet why` tells. */
reasons: Array<string>;
/** `engine::SEMANTICS` of its games. */
semantics: number;
/** The method of the confidence sequences. */
sequence_method: string;
/** The wins of both players by the winning shape: fork, bridge, ring. */
shapes: Array<ShapeResults>;
/** The board. */
size: number;
/** Why games ended without a result that counts, the most frequent reason first. */
voids: Array<VoidReason>;
};

/** A case on one size. */
export type CellResult = {
/** That p-value adjusted by Benjamini and Hochberg. */
adjusted_p_value: number | null;
/** The correlation of the scores of two cases from one opening, which comparisons of this cell take into account. */
agreement: number | null;
/** The case. */
case: string;
/** Whether the rate differs from 50 %, with all cells taken into account. If so, it is on the side of the rate. */
differs: boolean;
/** Upper end of that interval. */
high: number | null;
/** The natural logarithm of the e-value against 50 %. */
log_e_value: number;
/** Lower end of the Wilson interval on effective games. */
low: number | null;
/** The p-value of 50 % that belongs to the interval, for a number of games that was fixed beforehand. */
p_value: number | null;
/** Complete pairs. */
pairs: number;
/** The rate. */
rate: number;
/** The rate, shrunken towards the mean of all cases on this size. */
shrunken: number | null;
/** The board size. */
size: number;
};

/** The description of a cell's games. Equal descriptions are the same cell in all experiments, which share its games. */
export type CellSpec = {
/** The baseline's parameters. */
baseline: ParamSet;
/** The book that the pairs' openings are taken from, in place of random moves. */
book?: string;
/** The budget of a move. */
budget: Budget;
/** The case's parameters. */
case: ParamSet;
/** Number of random opening moves, which are the same in both games of a pair. 0 with a book. */
opening_plies: number;
/** The seed from which the seeds of pairs are derived. */
seed: number;
/** `engine::SEMANTICS`: a new number starts new cells. */
semantics: number;
/** The board. */
size: number;
};

/** Whether an experiment has a cell played. */
export type CellState = "open" | "complete" | "stopped" | "ended" | "in_play" | "set_aside" | "closed" | "paused" | "archived";

/** The result of a chi-square test. */
export type ChiSquare = {
/** The degrees of freedom, at least 1. */
degrees: number;
/** The chance of a statistic at least as large if the hypothesis is true. */
p_value: number;
/** The sum of squared standardised deviations. */
statistic: number;
};

/** The case's results with one colour. */
export type ColourResults = {
/** Games drawn. */
draws: number;
/** Upper end of the interval. */
high: number | null;
/** Games lost by the case. */
losses: number;
/** Lower end of the interval of the score. */
low: number | null;
/** The case's score; absent without games. */
rate: number | null;
/** The side that the case played. */
side: "white" | "black";
/** Games won by the case. */
wins: number;
};

/** Two cells on the same board size. */
export type ComparedPoint = {
/** The first rate less the second. If both sides are the same cell at two times, the later one counts with the pairs that the earlier one does not have. */
difference: Gap | null;
/** The first side's rate; absent before the first complete pair. */
left: Gap | null;
/** The first side's cell. */
left_cell: CellId;
/** Complete pairs of the first side. */
left_pairs: number;
/** The second side's rate. */
right: Gap | null;
/** The second side's cell. The same cell has the same games. */
right_cell: CellId;
/** Complete pairs of the second side. */
right_pairs: number;
/** The board size. */
size: number;
/** The verdict. */
verdict: ComparedVerdict;
};

/** Two series that belong together. */
export type ComparedSeries = {
/** The opponent of both; with its name on the second side if that is another one. */
against: string;
/** The budget of a move; that of the first side and that of the second if they differ. */
budget: string;
/** The case of the first side. */
left: string;
/** The mean difference over sizes, weighted by precision; absent before both sides have results of their own on a size. */
mean: Gap | null;
/** The p-value of no difference on any size. */
p_value: number | null;
/** The sizes of both, ascending. */
points: Array<ComparedPoint>;
/** The case of the second side. */
right: string;
};

/** A side of a comparison. */
export type ComparedSide = {
/** The only case compared; absent for all. */
case: string | null;
/** The experiment. */
experiment: ExperimentId;
/** The experiment's name. */
name: string;
/** The revision whose cells are compared; absent for the newest. */
revision: number | null;
/** When the next revision began, in milliseconds since 1970: pairs that were completed later do not count. Absent if results go on. */
until_ms: number | null;
};

/** Whether two rates are the same. */
export type ComparedVerdict = "agrees" | "differs" | "too_few_games" | "not_played" | "same_cell";

/** The difference between two cases, pair by pair: both met the same openings with the same seeds and the same baseline. */
export type Comparison = {
/** The p-value of the hypothesis that the other case is the best of the field. It allows for the choice of the best case by the same games: the cases with more than 0.05 contain a best one with a confidence of 95 %. */
adjusted_p_value: number;
/** The baseline of both. */
against: string;
/** The best case of the field. */
best: string;
/** The budget of a move. */
budget: string;
/** The other case. */
case: string;
/** The first case's rate less the second's. */
difference: number;
/** Openings that both cases played, on all sizes. */
openings: number;
/** Two-sided p-value of no difference: no smaller than a test of the signs of the differences could give. */
p_value: number;
/** The fraction of games that common openings saved: 1 − Var(x − y)/(Var x + Var y). Negative when they cost games; absent when both cases always score the same. */
saved: number | null;
/** The number of sizes with common openings. */
sizes: number;
};

/** The answer to a [`ConfirmRequest`]. */
export type ConfirmAnswer = {
/** Whether this request began the confirmation. */
began: boolean;
/** The confirmation: the one that was begun, or the last one that exists. */
confirmation?: Confirmation;
/** What is played, or would be; absent where an earlier confirmation is the answer. */
plan?: ConfirmationPlan;
};

/** `POST /api/v1/experiments/{id or name}/confirm`: begins the confirmation of a case of this experiment, or says what it would play. */
export type ConfirmRequest = {
/** Whether to begin another confirmation if there is one. */
again?: boolean;
/** The baseline, named likewise. Needed where the case meets several. */
against?: string;
/** The chance that a test accepts the upper hypothesis where the lower one is true; absent for 0.05. */
alpha?: number;
/** The chance of the opposite mistake; absent for 0.05. */
beta?: number;
/** The case: its name in the results, its group if that has one case, or the first digits of the id of its player or of one of its cells. */
case: string;
/** The hypotheses of the tests; absent for 0 and 20 Elo. */
hypotheses?: Hypotheses;
/** Games at which a test is given up; absent for four times the mean length at the worst rate. */
most_games?: number;
/** Whether to say what would be played, and begin nothing. */
preview?: boolean;
/** The board sizes; empty for all on which the case is played. */
sizes?: Array<number>;
/** The share of the workers, relative to other experiments; absent for 1. */
weight?: number;
};

/** A confirmation that was begun, and what it found so far. */
export type Confirmation = {
/** Whether the plan is the one that it began with. */
as_planned: boolean;
/** The name of the baseline. */
baseline: string;
/** The player that is the baseline. */
baseline_player: PlayerId;
/** When it began, in milliseconds since 1970. */
began_ms: number;
/** The name of the case in it. */
case: string;
/** The player that is the case. */
case_player: PlayerId;
/** The cells. */
cells: Array<ConfirmedCell>;
/** The experiment that plays it. */
experiment: ExperimentId;
/** Its name. */
name: string;
/** The number of the confirmation of this case, from 1. A case that is confirmed at the third attempt has had three chances. */
number: number;
/** The experiment that the case comes from. */
origin: ExperimentId;
/** Its name. */
origin_name: string;
/** The revision of its plan when the confirmation began. */
origin_revision: number;
/** Complete pairs in all cells. */
pairs: number;
/** The test of each cell in words. */
rule: string;
/** The state of the experiment that plays it. */
state: ExperimentState;
/** Of the confirmation of a baseline: where the case was played without a test when it was promoted, such as `on size 6 at 1 s`. */
untested?: Array<string>;
/** What the tests say together. */
verdict: ConfirmationVerdict;
/** Who began it. */
who: string;
/** The same in words. */
words: string;
};

/** A cell that a confirmation plays. */
export type ConfirmationCell = {
/** The budget of a move. */
budget: Budget;
/** Pairs at which the test is given up. */
most_pairs: number;
/** The same halfway between the hypotheses. */
pairs_if_between: number;
/** The mean number of pairs if the lower hypothesis is true. */
pairs_if_lower: number;
/** The same if the upper hypothesis is true. */
pairs_if_upper: number;
/** The board. */
size: number;
};

/** What a confirmation plays. */
export type ConfirmationPlan = {
/** The baseline. */
baseline: string;
/** The case. */
case: string;
/** The cells. */
cells: Array<ConfirmationCell>;
/** The name of the experiment that plays it. */
name: string;
/** The number of the confirmation of this case, from 1. */
number: number;
/** How games begin, and what is fresh, in words. */
openings: string;
/** The same halfway between the hypotheses, where tests take longest. */
pairs_if_between: number;
/** The mean number of pairs in all cells, if the lower hypothesis is true in each. */
pairs_if_lower: number;
/** The same if the upper hypothesis is true in each. */
pairs_if_upper: number;
/** The test of each cell in words. */
rule: string;
/** The share of the workers, relative to other experiments. */
weight: number;
};

/** What the tests of a confirmation say together. */
export type ConfirmationVerdict = "open" | "confirmed" | "mixed" | "refuted" | "inconclusive";

/** A cell of a confirmation. */
export type ConfirmedCell = {
/** The budget of a move. */
budget: Budget;
/** The cell. */
cell: CellId;
/** Upper end of its interval. */
high: number | null;
/** Lower end of its interval. */
low: number | null;
/** The outcome of the test. */
outcome: StopOutcome;
/** Pairs that the test has read. */
pairs: number;
/** Win rate after the decision, corrected for the stop; absent before, and after a stop by a person. */
rate: number | null;
/** The board. */
size: number;
/** All of this in words. */
words: string;
};

/** What an experiment that plays a confirmation confirms, in short. */
export type Confirms = {
/** The case. */
case: string;
/** The experiment that the case comes from. */
origin: ExperimentId;
/** Its name. */
origin_name: string;
/** What the tests say together. */
verdict: ConfirmationVerdict;
};

/** A control cell with its result. */
export type ControlCell = {
/** The budget of a move. */
budget: Budget;
/** The experiments that plan the cell. */
experiments: Array<PlannedBy>;
/** The name of the player that meets itself. */
label: string;
/** Everything that was counted. Its planned games are those that began. */
point: Point;
};

/** Every control cell: `GET /api/v1/control`. */
export type ControlPage = {
/** The cells, in the order of their ids. */
cells: Array<ControlCell>;
/** All cells judged together; absent without pairs. */
control?: ControlReport;
};

/** The state of the control: all cells whose case is their baseline, in experiments that are not archived. */
export type ControlReport = {
/** Control cells with complete pairs. */
cells: number;
/** The light. */
light: Light;
/** The natural logarithm of the e-value against 50 %, which holds however often it is looked at. */
log_e_value: number;
/** Their complete pairs. */
pairs: number;
/** The score over all of them. */
rate: number;
/** The state in words. */
words: string;
};

/** A fitted curve and its highest point. */
export type Curve = {
/** The coefficients c₀, c₁, c₂ of logit(rate) = c₀ + c₁u + c₂u². u runs from −1 at `from` to 1 at `to`, in equal steps of the parameter or of its logarithm. */
coefficients: [number, number, number];
/** The smallest of these values. */
from: number;
/** Places of the curve for a picture: values of the parameter in equal steps of u, each with the rate. */
line: Array<[number, number]>;
/** Whether the curve is fitted to the logarithm of the parameter. */
logarithmic: boolean;
/** The test that the curve fits; absent with three values, which a curve always fits. */
misfit: ChiSquare | null;
/** The score test that the parameter has no effect (c₁ = c₂ = 0). */
no_effect: ChiSquare;
/** Where the curve is highest. */
optimum: Optimum;
/** The largest of these values. */
to: number;
/** The number of values that the curve is fitted to: all of them, or those near the optimum. */
values: number;
};

/** The cells of a case that have the same decision. */
export type Decided = {
/** The baseline. */
against: string;
/** The budget of a move. */
budget: Budget;
/** The case. */
case: string;
/** The cells. */
cells: Array<DecidedCell>;
/** The decision. `open` means that a stopping rule has ended and 50 % is not excluded. */
verdict: Verdict;
};

/** A cell with a decision. */
export type DecidedCell = {
/** The cell. */
cell: CellId;
/** The board. */
size: number;
};

/** A parameter in which the players of a game differ. */
export type DifferingParameter = {
/** The baseline's value. */
baseline: string;
/** The case's value. */
case: string;
/** Its name. */
name: string;
};

/** The number of machines that got the directive. */
export type Directed = {
/** The number of machines. */
machines: number;
};

/** What the worker should do from now on. */
export type Directive = "work" | "pause" | "drain";

/** `POST /api/v1/workers/directive`: gives machines a directive, which they receive with their next call. A pause holds until it is revoked. A drain holds for the present process; a process that is started later works again. */
export type DirectiveRequest = {
/** The directive. */
directive: Directive;
/** The machines. */
machines: Machines;
};

/** How a parameter's effect is modelled. */
export type EffectModel = "levels" | "quadratic";

/** The body of every error answer, whatever the call. */
export type ErrorBody = {
/** The error. */
error: ErrorDetail;
};

/** An error with its code and message. */
export type ErrorDetail = {
/** The code for programs, in snake case. */
code: string;
/** The message for people. */
message: string;
/** When to retry, if a retry makes sense. */
retry_after_ms?: number;
};

/** `POST /api/v1/workers/exclude`: takes all counted games of machines out of the results, in one change that `POST /api/v1/workers/restore` undoes. */
export type ExcludeGamesRequest = {
/** The machines. */
machines: Machines;
/** Only games that arrived since this time, in milliseconds since 1970. */
since_ms?: number;
/** The reason, for people who read the results later. */
why: string;
};

/** `POST /api/v1/games/{id}/exclude`: takes a play out of the results. The play stays stored and its game is played again. */
export type ExcludeRequest = {
/** The play; the counted one if absent. */
lease?: LeaseId;
/** The reason, for people who read the results later. */
why: string;
};

/** A parsed, checked and expanded experiment file. */
export type Experiment = {
/** The cells: case × baseline × size × budget, in the order of the file, without rows of weight 0. */
cells: Array<PlannedCell>;
/** The text of the file, for readers; absent if there was none, or one of more than [`MOST_FILE`] bytes. It is no part of the content: comments make no other revision. */
file?: string;
/** The name, a label. A new revision of the same name supersedes the older one. */
name: string;
/** The policy that orders the cells. */
policy?: Policy;
/** The question that the experiment answers. */
question: string;
/** What is tuned. Then `cells` are the first trials, one for each size: the point where the tune begins against the baseline. */
tune?: Tune;
/** The share of the workers, relative to other experiments. */
weight: number;
};

/** The analysis of an experiment. It is computed from counters and from the scores of pairs, and never from games. */
export type ExperimentAnalysis = {
/** The best case of each field, by shrunken rates, compared with those that follow it. Empty unless the games are complete: the tests are those of a fixed number of openings. */
comparisons: Array<Comparison>;
/** Games counted. */
games_done: number;
/** Games planned. */
games_planned: number;
/** Whether nothing more will be played. If not, all numbers may still change. */
has_ended: boolean;
/** The experiment. */
id: ExperimentId;
/** Whether the games that were planned beforehand are all finished, and no rule, tune or change of the planned pairs may have looked at results on the way. Only then do the numbers for a fixed number of games hold. */
is_complete: boolean;
/** The experiment's name. */
name: string;
/** The question that the experiment answers. */
question: string;
/** The names that the series of the experiment's report have here, in the order of the report. */
series: Array<SeriesNames>;
/** The one board size that was asked for; absent for all sizes together. Ranking, claims and numbers of games are then those of this size. */
size?: number;
/** Rankings, claims, curves, importance of parameters and ratings. Cases that equal their baseline are left out: they are controls. */
sweep: SweepAnalysis;
};

/** `POST /api/v1/experiments/{id or name}/change`: changes an experiment beside its plan. The answer is the summary. */
export type ExperimentChange = "pause" | "resume" | "stop" | "archive" | "unarchive" | {
weight: number;
} | {
cell_weights: {
/** The cells. */
cells: Array<CellId>;
/** The factor. */
factor: number;
};
} | {
note: string;
} | {
tags: {
/** The tags to add. */
add?: Array<string>;
/** The tags to remove. */
remove?: Array<string>;
};
};

/** The history of an experiment: `GET /api/v1/experiments/{id or name}/history`. */
export type ExperimentHistory = {
/** What people changed while it ran, the latest change first, at most a thousand: revisions, weights, pauses, exclusions, notes. */
changes: Array<AuditEntry>;
/** The games counted so far, over time: by hours, and lately by minutes. */
games: Array<GamesUntil>;
/** The revisions of its plan, the newest first. */
revisions: Array<Revision>;
/** The experiment now. */
summary: ExperimentSummary;
};

/** An experiment: the digest of everything meaningful in its file. */
export type ExperimentId = string;

/** The news of an experiment. */
export type ExperimentNews = {
/** The number of cases with a decision. */
cases_decided: number;
/** The number of cells with a decision. */
cells_decided: number;
/** The cases with a decision, in the order of the file, at most a hundred. */
decided: Array<Decided>;
/** Games counted in the last hour, in thirty slices of two minutes, the oldest first. The last slice has just begun. */
games: Array<number>;
/** The experiment. */
id: ExperimentId;
/** The best case; absent before the first complete pair, and where no case differs from its baseline. */
leader?: Leader;
};

/** One experiment in full: `GET /api/v1/experiments/{id}`, and the JSON export. */
export type ExperimentReport = {
/** The pairs set aside, at most a hundred. */
aside: Array<AsidePair>;
/** The confidence level of the intervals, such as 0.95. */
confidence: number;
/** The same cases as earlier versions of the engine played them, in cells that a revision closed. */
earlier: Array<Series>;
/** Names this state of the points: an answer to `?since=EDITION` has only those points that have changed. Only callers that ask with `since` get one. */
edition?: string;
/** What a confidence sequence guarantees, in words. */
guarantee: string;
/** The method of the intervals, for the legend. */
interval_method: string;
/** The method of the confidence sequences, for the legend. */
sequence_method: string;
/** One series per case, baseline and budget, in the order of the file. */
series: Array<Series>;
/** The edition to which `series` has the changes. Without one, `series` is complete. */
since?: string;
/** Board sizes, ascending. */
sizes: Array<number>;
/** The summary. */
summary: ExperimentSummary;
/** The latest changes that people made while it ran, the last one first, at most twenty. */
timeline: Array<AuditEntry>;
/** What a reader must know, in words: games that count though their machine is in quarantine or though machines disagree on them, and cases that are the same player as their baseline or as another case. */
warnings: Array<string>;
};

/** A parsed, checked and expanded experiment file. */
export type ExperimentSent = {
/** The cells: case × baseline × size × budget, in the order of the file, without rows of weight 0. */
cells: Array<PlannedCell>;
/** The text of the file, for readers; absent if there was none, or one of more than [`MOST_FILE`] bytes. It is no part of the content: comments make no other revision. */
file?: string;
/** The name, a label. A new revision of the same name supersedes the older one. */
name: string;
/** The policy that orders the cells. */
policy?: Policy;
/** The question that the experiment answers. */
question: string;
/** What is tuned. Then `cells` are the first trials, one for each size: the point where the tune begins against the baseline. */
tune?: TuneSent;
/** The share of the workers, relative to other experiments. */
weight: number;
};

/** An experiment's state. */
export type ExperimentState = "active" | "finished" | "stuck" | "paused" | "stopped" | "archived";

/** A summary of an experiment. */
export type ExperimentSummary = {
/** The number of cells in the plan: case × baseline × size × budget. */
cells: number;
/** The case that the experiment confirms, if it plays a confirmation. */
confirms?: Confirms;
/** Core seconds that the experiment was charged for its leases, with estimates for those in play. */
core_seconds: number;
/** When the experiment was first applied, in milliseconds since 1970. */
created_ms: number;
/** Planned games that are counted. */
games_done: number;
/** Planned games that will not be played, because a stopping rule ended their cells before. */
games_not_needed: number;
/** Games counted per minute, over the last few minutes. */
games_per_minute: number;
/** Games planned. */
games_planned: number;
/** The experiment's id. */
id: ExperimentId;
/** Whether it is the control that the coordinator keeps by itself, which has no end: the numbers of planned games mean nothing. */
is_control: boolean;
/** Whether it looks for the best setting of some parameters. */
is_tune: boolean;
/** The experiment's name, a label. */
name: string;
/** Pairs set aside after repeated failures. */
pairs_aside: number;
/** Pairs leased now. */
pairs_in_flight: number;
/** The question that the experiment answers. */
question: string;
/** The number of the newest revision of the plan, from 1. */
revision: number;
/** Seconds to the end at that rate; absent while nothing is counted. */
seconds_left: number | null;
/** The part of the workers' core time that the experiment gets now, from 0 to 1; absent while it has no pair to be leased. */
share?: number;
/** Why none of the missing games is being played, if none is. */
stalled?: string;
/** The experiment's state. */
state: ExperimentState;
/** Labels that people gave it, in alphabetical order. */
tags: Array<string>;
/** The share of the workers, relative to other experiments. */
weight: number;
};

/** A lease whose games could not be played, for example because of an unknown parameter or a panic of the engine. */
export type FailedLease = {
/** The lease. */
lease: LeaseId;
/** The reason, for people. */
why: string;
};

/** The cases that play against the same baseline with the same budget. */
export type Field = {
/** The baseline. */
against: string;
/** The budget of a move. */
budget: string;
/** The cases with games, the one with the best shrunken rate first. Of equal ones, that with the best rate comes first. */
cases: Array<RankedCase>;
/** The cells with games, by size. Of a size, the one with the best shrunken rate comes first, and of equal ones that with the best rate. */
cells: Array<CellResult>;
/** Whether cases can be compared: each has all sizes, or shares enough sizes with others to complete what it misses. */
comparable: boolean;
/** The curve of each numeric parameter, over all sizes and by size. */
curves: Array<ParameterCurve>;
/** The test that all cases have the same average over sizes. Absent with one case. */
difference: ChiSquare | null;
/** The importance of each parameter. Absent unless several parameters vary, and their effects can be separated. */
importance: Importances | null;
/** The test that the differences between the cases are the same on all sizes. Absent with one case or one size. */
interaction: ChiSquare | null;
/** By how much the best case would look better than the mean if all cases were equal: the winner's curse. */
luck_of_the_best: number | null;
/** The mean of the rates of the cases, with the luck that their common openings give all of them. */
mean: number | null;
/** The sizes, ascending. */
sizes: Array<number>;
/** The standard deviation of the true rates of the cases, chance taken out. */
spread: number | null;
};

/** A finished game on its way from a worker's spool to the store. */
export type FinishedGame = {
/** The game's id, as in the lease. */
game: GameId;
/** The lease under which the game was played. */
lease: LeaseId;
/** CPU microseconds per move, when the budget was in reference seconds. */
move_cpu_us?: number;
/** The outcome according to the rules. */
outcome: Outcome;
/** The moves. */
record: MoveColumns;
/** The machine's speed on this board when the game began. */
speed: Speed;
/** Wall-clock milliseconds from first move to last. */
wall_ms: number;
};

/** Numbers of workers. */
export type Fleet = {
/** Workers that are present. */
alive: number;
/** All group labels. */
labels: Array<string>;
/** Machines that never called: their games were imported, or a person settled disputes by hand. */
others: number;
/** Present workers whose program has another version than the coordinator's. */
outdated: number;
/** Workers in quarantine, present or not. */
quarantined: number;
/** The speed of present workers together: so many cores of the reference machine. */
reference_cores: number;
/** Slots of present workers. */
slots: number;
/** All workers that ever called. */
workers: number;
};

/** The speed of the machines that are present on a size. */
export type FleetSpeed = {
/** Machines that measured this size. */
machines: number;
/** The median of their speeds relative to the reference machine. */
relative: number;
/** The board. */
size: number;
};

/** A stored play in a list. */
export type FoundGame = {
/** The baseline's label. */
baseline: string;
/** The budget of a move. */
budget: Budget;
/** The case's group and label, as the first of the experiments names them. */
case: string;
/** The side the case played. */
case_side: "white" | "black";
/** The game's cell. */
cell: CellId;
/** The experiments that plan the cell, the active ones first. */
experiments: Array<PlannedBy>;
/** The game's id, the same for all plays of the game. */
id: GameId;
/** The winning shape. */
kind?: "fork" | "bridge" | "ring";
/** The lease of this play, which identifies the play. */
lease: LeaseId;
/** The highest result, from 0 to 1, that the loser expected at one of its moves; absent below 0.7 and for games without a loser. */
loser_expected?: number;
/** The number of the pair within the cell. */
pair: number;
/** The number of moves, with those of the opening. */
plies: number;
/** Why the play was excluded. */
reason?: string;
/** When the play was stored, in milliseconds since 1970. */
received_ms: number;
/** How the game ended for the case. */
result: CaseResult;
/** The board. */
size: number;
/** Whether the play counts. */
status: GameStatus;
/** The worker that played it. */
worker: WorkerId;
/** The worker's name. */
worker_name: string;
};

/** A page of a search: `GET /api/v1/games`. */
export type FoundGames = {
/** The plays, in the order of the search. */
games: Array<FoundGame>;
/** The plays that were looked at for this page. */
looked_at: number;
/** The value of `after` for the next page; absent when there are no more. A page may have fewer games than its limit, even none, and yet a next one: a search ends after a while, wherever it is. */
next?: string;
};

/** A game, fixed when its pair is first leased: the digest of cell, pair and half. */
export type GameId = string;

/** A game under way: `GET /api/v1/games/in-play/{lease}`. The request starts live viewing: the worker sends the moves with its next calls. */
export type GameInPlay = {
/** The side the case plays in it. */
case_side: "white" | "black";
/** The game of the pair that is played; absent until its worker has told of it. */
game?: GameId;
/** The games of the pair, in the order in which they are played. */
games: [GameId, GameId];
/** When its worker told of it, in milliseconds since 1970. */
heard_ms?: number;
/** The players' moves so far. */
moves: Array<ViewedMove>;
/** The time of the coordinator, in milliseconds since 1970. */
now_ms: number;
/** The opening: cells in GUI notation, in order, White first. */
opening: Array<string>;
/** Its pair. */
pair: PairInPlay;
};

/** A summary of a stored play: `GET /api/v1/experiments/{id}/games`. */
export type GameLine = {
/** The side the case played. */
case_side: "white" | "black";
/** The game's cell. */
cell: CellId;
/** The game's id, the same for all plays of the game. */
id: GameId;
/** The lease of this play, which identifies the play. */
lease: LeaseId;
/** The outcome. */
outcome: Outcome;
/** The number of the pair within the cell. */
pair: number;
/** The number of moves, including the opening. */
plies: number;
/** Why the play was excluded. */
reason?: string;
/** When the play was stored, in milliseconds since 1970. */
received_ms: number;
/** Whether the play counts. */
status: GameStatus;
/** The worker that played it. */
worker: WorkerId;
/** The worker's name. */
worker_name: string;
};

/** The order of a search. */
export type GameOrder = "newest" | "oldest" | "longest" | "shortest" | "surprising";

/** A stored play in full: `GET /api/v1/games/{id}`. With a budget in simulations the specification is enough to replay it; otherwise the replay uses the simulations of each move in `play.record.sims`. */
export type GameReport = {
/** The summary. */
line: GameLine;
/** The opening: moves made before the players took over, in GUI notation, separated by spaces. */
opening: string;
/** Leases of other plays of the same game. */
other_plays: Array<LeaseId>;
/** Moves, speed and times. */
play: PlayRecord;
/** The seed of the pair, as in the lease. */
seed: number;
/** The description of the cell's games. */
spec: CellSpec;
};

/** Whether a play of a game counts. */
export type GameStatus = "counted" | "superseded" | "excluded";

/** A stored play for people who look at it: `GET /api/v1/games/{id}/view`. */
export type GameView = {
/** The baseline's differences from the engine's defaults. */
baseline_params: ParamSet;
/** The case's differences from the engine's defaults. */
case_params: ParamSet;
/** What a list says of it. */
game: FoundGame;
/** Whether this build plays the game bit for bit alike. */
is_repeatable: boolean;
/** The players' moves after the opening; absent when they were deleted to make room. */
moves?: Array<ViewedMove>;
/** The opening: cells in GUI notation, in order, White first. */
opening: Array<string>;
/** Other plays of the same game. */
other_plays: Array<OtherPlay>;
/** The parameters in which the players differ. */
parameters: Array<DifferingParameter>;
/** `engine::SEMANTICS` of the engine that played it. */
semantics: number;
/** The machine's speed on this board when the game began. */
speed?: Speed;
/** Wall-clock milliseconds from first move to last. */
wall_ms?: number;
/** The fewest stones that form the winning shape, in GUI notation. */
winning: Array<string>;
};

/** The result of excluding or restoring the games of machines. */
export type GamesChanged = {
/** Restored games that count again. Another play of each of the others has been counted meanwhile. */
counted: number;
/** Games excluded or restored. */
games: number;
};

/** A page of stored plays, in the order of cells, pairs and halves. */
export type GamesPage = {
/** The plays. */
games: Array<GameLine>;
/** The value of `after` for the next page; absent on the last page. */
next: string | null;
};

/** The games that an experiment had counted at a time. */
export type GamesUntil = {
/** The time, in milliseconds since 1970. */
at_ms: number;
/** All games counted until then. */
games: number;
};

/** A rate or a difference with its interval. */
export type Gap = {
/** Upper end of its interval. */
high: number;
/** Lower end of its interval. */
low: number;
/** The value. */
value: number;
};

/** The progress of a lease. */
export type HeldLease = {
/** The lease. */
lease: LeaseId;
/** Plies played in its games so far. They show a stuck game of a worker that still calls. */
plies: number;
};

/** The hypotheses of a sequential test, the lower one first. */
export type Hypotheses = {
elo: [number, number];
} | {
score: [number, number];
} | {
normalised_elo: [number, number];
};

/** Which experiment's games a tune is to learn from. */
export type ImportRequest = {
/** The name of the experiment, its id, or the first digits of its id. */
experiment: string;
};

/** The effect of a parameter over the cases of a sweep. */
export type Importance = {
/** The standard deviation of the parameter's effect on the rate over the cases, chance taken out. */
effect: number;
/** Upper end of the interval of the effect. */
effect_high: number;
/** Lower end of the interval of the effect. */
effect_low: number;
/** The effect of each value, relative to the average over the cases. Empty when the effect is a curve. */
levels: Array<Level>;
/** How the effect is modelled. */
model: EffectModel;
/** The test that the parameter has no effect. */
no_effect: ChiSquare;
/** The parameter. */
parameter: string;
/** The fraction of the explained variance between cases that is due to this parameter alone. */
share: number;
};

/** The effects of several parameters. */
export type Importances = {
/** The fraction of the explained variance that is due to no parameter alone: interactions between them. */
interaction_share: number;
/** The test that there is nothing but the parameters' own effects; absent when there are as many effects as cases. */
no_interaction: ChiSquare | null;
/** The parameters, the most important first. */
parameters: Array<Importance>;
};

/** What a tune learns from now on. */
export type Imported = {
/** Their games. */
games: number;
/** Points of the space. */
points: number;
};

/** A new code. */
export type JoinCode = {
/** SHA-256 of the coordinator's certificate in hexadecimal, when no authority has signed it. The invitation must contain it: `CODE@https://HOST:PORT#sha256=…`. */
certificate_sha256?: string;
/** Twelve letters and digits, such as `K7F3-9QXM-2TBD`. */
code: string;
/** When the code expires, in milliseconds since 1970. */
expires_ms: number;
/** How many machines may join with the code. */
machines: number;
};

/** `POST /api/v1/join-codes`: makes a code with which machines join. */
export type JoinCodeRequest = {
/** Milliseconds until the code expires. */
expires_in_ms: number;
/** How many machines may join with the code. */
machines: number;
};

/** `POST /api/v1/join`: a machine sends its code and the digest of a token that it has made itself. A repeated request has the same success, so that a lost answer costs no code. The token itself is only sent to authenticate later calls. */
export type JoinRequest = {
/** The code, in upper or lower case, with or without dashes. */
code: string;
/** The machine's name, for people. */
name: string;
/** SHA-256 of the token, in hexadecimal. */
token_sha256: string;
/** The machine. */
worker: WorkerId;
};

/** The machine has joined. */
export type Joined = {
/** The id of the machine's token in lists. */
id: string;
};

/** A player with its names in this experiment. */
export type LabelledPlayer = {
/** The test group of a case, or the name of a baseline. */
group: string;
/** What distinguishes the player, such as `rave_k=500`. */
label: string;
/** The player's parameters. */
params: ParamSet;
};

/** The best case of an experiment: the first of the ranking of the field with most pairs. */
export type Leader = {
/** The baseline. */
against: string;
/** The budget of a move. */
budget: string;
/** The case. */
case: string;
/** Upper end of that interval. */
high: number;
/** Whether every other case with games is shown to be worse, with a confidence of 95 %. The only case that is planned leads always. */
leads: boolean;
/** Lower end of its interval: the one that holds at any look, until the planned games are complete and no rule looked at them. */
low: number;
/** Win rate, averaged over the sizes. */
rate: number;
};

/** A pair of games (same opening and seed, colours swapped) leased to one worker. */
export type Lease = {
/** The baseline's parameters. */
baseline: ParamSet;
/** Label of the baseline, for people. */
baseline_label: string;
/** The budget of a move. */
budget: Budget;
/** The case's parameters. */
case: ParamSet;
/** Label of the case, for people. */
case_label: string;
/** The cell of the games. */
cell: CellId;
/** How long the games are expected to take, in core microseconds: as long as the counted games of the cell, on the machines that played them. */
expected_us: number;
/** Milliseconds until the lease lapses. Every sync that lists the lease as held extends it. */
expires_in_ms: number;
/** The missing games: both, or the one that was not finished before. */
games: Array<LeasedGame>;
/** The id of the lease. */
id: LeaseId;
/** The opening: moves made before the players take over, in GUI notation, separated by spaces. */
opening: string;
/** The number of the pair within its cell, from 0. */
pair: number;
/** The seed of both games. */
seed: number;
/** The simulations of each move, in place of the budget, when a game with a budget in time is replayed. Only with a single game. */
sims?: Array<number>;
/** The board. */
size: number;
};

/** A lease of one pair to one worker. */
export type LeaseId = string;

/** One game of a leased pair. */
export type LeasedGame = {
/** The side the case plays; the baseline plays the other. */
case_side: "white" | "black";
/** The game's id, the same for all plays of the game. */
id: GameId;
};

/** The games with a number of moves. */
export type LengthResults = {
/** Games drawn. */
draws: number;
/** Games lost by the case. */
losses: number;
/** The number of moves, with those of the opening. */
plies: number;
/** Games won by the case. */
wins: number;
};

/** The effect of one value of a parameter. */
export type Level = {
/** The number of cases with the value. */
cases: number;
/** The rate relative to the average over the cases. */
effect: number;
/** The value. */
value: Value;
};

/** A traffic light. */
export type Light = "grey" | "green" | "amber" | "red";

/** A cell that the other side does not have. */
export type LonePoint = {
/** The cell. */
cell: CellId;
/** Its complete pairs. */
pairs: number;
/** Its rate; absent before the first complete pair. */
rate: Gap | null;
/** The board size. */
size: number;
};

/** A series, or some of its sizes, that the other side does not have. */
export type LoneSeries = {
/** Its points, ascending in size. */
points: Array<LonePoint>;
/** Case, baseline and budget in words. */
title: string;
};

/** The results of a machine in a cell, beside those of other machines. */
export type MachineCell = {
/** The baseline. */
baseline: string;
/** The budget of a move. */
budget: Budget;
/** The case. */
case: string;
/** The cell. */
cell: CellId;
/** The residual in standard deviations: what exceeds the mean of a random sample; absent if no other machine played, or all games ended alike. */
deviations?: number;
/** Its counted games. */
games: number;
/** Counted games of other machines. */
others_games: number;
/** The case's score that follows from the others' games; absent if they have none of the same colours. */
others_rate?: number;
/** The case's score in its games, from 0 to 1. */
rate: number;
/** The board. */
size: number;
};

/** All that is known of a machine. */
export type MachineReport = {
/** Its results in the cells with most of its games, at most a hundred. */
cells: Array<MachineCell>;
/** The number of cells that it played. */
cells_played: number;
/** The speed of the machines that are present, by size. */
fleet: Array<FleetSpeed>;
/** Its speeds of the last two weeks, oldest first: one for each size and five minutes in which a speed changed. */
history: Array<PastSpeed>;
/** Pairs that it plays at the moment. */
in_play: Array<PairInPlay>;
/** Memory per slot for the trees of a game's two players in MiB; absent for imported machines. */
memory_mib?: number;
/** The coordinator's time, in milliseconds since 1970. */
now_ms: number;
/** Why it plays or not, as `gauntlet why` says it. */
reasons: Array<string>;
/** The self-test that its build passed: the digest of games that every build plays alike. */
self_test: string;
/** Its part of the counted games of all machines, from 0 to 1. */
share: number;
/** The id of the token that it works with, if it came with one. */
token?: string;
/** What it told of itself; absent until its next call after a request. */
told?: ToldState;
/** The machine, as in lists. */
worker: WorkerReport;
};

/** The state of a machine, as it tells it in a call. */
export type MachineState = {
/** Its clock in milliseconds since 1970, when the call was made. */
clock_ms: number;
/** The last lines of its log, oldest first. */
log: Array<string>;
/** Finished games on its disk that are not acknowledged yet. */
spooled: number;
};

/** A selection of machines. */
export type Machines = "all" | {
label: string;
} | {
named: string;
} | {
token: string;
};

/** A mean and the interval that has the true mean 95 times in 100. */
export type MeanInterval = {
/** The upper end. */
high: number;
/** The lower end. */
low: number;
/** The mean. */
mean: number;
};

/** A win rate against the baseline with its 95 % interval. */
export type Measured = {
/** The games. */
games: number;
/** Upper end. */
high: number;
/** Lower end. */
low: number;
/** The rate, from 0 to 1. */
rate: number;
/** The size; absent for all sizes together. */
size?: number;
};

/** Memory in MiB. */
export type Mib = number;

/** Pairs that were begun and are not complete: being played, returned, failed, excluded, or set aside. */
export type MissingPairs = {
/** Their games that are counted: losses, draws and wins of the case. */
games: [number, number, number];
/** The win rate if all of their missing games are won. */
high: number;
/** The win rate if all of their missing games are lost. */
low: number;
/** The number of pairs. */
pairs: number;
/** The same in words. */
words: string;
};

/** A game's moves as columns with one entry per move. */
export type MoveColumns = {
/** What the mover's search proved about the position after the move. The words name both sides. */
claim: Array<string>;
/** CPU microseconds of the search. */
cpu_us: Array<number>;
/** Cells in GUI notation, separated by single spaces, without the opening. */
moves: string;
/** Nodes in the mover's tree after the search. */
nodes: Array<number>;
/** Simulations made for the move. */
sims: Array<number>;
/** The mean result that the mover expects, 0 to 1. */
value: Array<number>;
};

/** All moves with one number. */
export type MoveNumber = {
/** The baseline's moves, if there are any. */
baseline?: MovesOf;
/** The case's moves, if there are any. */
case?: MovesOf;
/** Games that ended with this move, by how they ended for the case: wins, draws, losses. */
ended: [number, number, number];
/** The fraction of the games that had this move. */
going: number;
/** The number of the move in its game, from 1, with the opening counted. */
ply: number;
};

/** The moves of one player with the same number in their games. */
export type MovesOf = {
/** The number of moves. */
moves: number;
/** Nodes in the tree after a move. */
nodes: MeanInterval;
/** The result that the mover got in the end, 0 to 1. */
result: MeanInterval;
/** CPU seconds of a move. */
seconds: MeanInterval;
/** Simulations of a move. */
sims: MeanInterval;
/** The fraction of moves after which the mover's search had proved how the game ends. */
solved: number;
/** The result that the mover expected, 0 to 1. */
value: MeanInterval;
};

/** A case that was promoted. It never changes. */
export type NamedBaseline = {
/** The name of the baseline that the case was measured against. */
against: string;
/** The parameters of that baseline. */
against_params: ParamSet;
/** The name of the case in it. */
case: string;
/** The last confirmation of the case as it stood at the promotion; absent if there was none. */
confirmation?: Confirmation;
/** The name, which experiment files use: `baseline = "NAME"`. */
name: string;
/** The experiment that the case comes from. */
origin: ExperimentId;
/** Its name. */
origin_name: string;
/** The revision of its plan when the case was promoted. */
origin_revision: number;
/** Its parameters, as differences from the engine's defaults. */
params: ParamSet;
/** The named baseline that it is, if it is one: the parent. */
parent?: string;
/** The player. */
player: PlayerId;
/** The engine's preset that it is, if it is one. */
preset?: string;
/** When it was promoted, in milliseconds since 1970. */
promoted_ms: number;
/** Who promoted it. */
who: string;
};

/** A new token. Only this answer contains the secret. */
export type NewToken = {
/** The token's id in lists. */
id: string;
/** The secret. */
token: string;
};

/** The news of all experiments that are not archived: `GET /api/v1/news`. */
export type News = {
/** The news by experiment, newest experiment first. What takes long to compute may be missing at first and some seconds old later. */
experiments: Array<ExperimentNews>;
};

/** Why there is no work. */
export type NoWork = {
/** The code, for programs. */
code: NoWorkCode;
/** The message for people, with what to do. */
message: string;
};

/** Why there is no work, for programs. */
export type NoWorkCode = "no_experiment" | "finished" | "all_leased" | "not_calibrated" | "too_little_memory" | "set_aside" | "enough_in_hand" | "paused" | "quarantined" | "other";

/** A trial with its number. */
export type NumberedTrial = {
/** Whether it is no part of the log any more, because excluded games had chosen its point. Its result is not told. */
given_up?: boolean;
/** The number. */
number: number;
/** Its result. */
outcome: TuneOutcome | null;
/** What is played. */
proposal: TuneProposal;
/** Who wanted the trial: start, strategy, foreign, final or imported. */
wanted_by: string;
};

/** The highest point of a curve. */
export type Optimum = {
/** The value of the parameter with the highest rate within the sweep, by the curve. */
at: number;
/** Upper end of the interval of that value, within the sweep: a tested value. */
high: number;
/** What is known about the place. */
kind: OptimumKind;
/** Lower end of the interval of that value, within the sweep: a tested value. */
low: number;
/** The rate at that value, by the curve. It has no interval: the curve may be wrong there, and the place was chosen for its height. */
rate: number;
};

/** What is known about the place of an optimum. */
export type OptimumKind = "inside" | "open" | "lower_end" | "upper_end" | "flat";

/** Another play of the same game. */
export type OtherPlay = {
/** Its lease. */
lease: LeaseId;
/** Whether it counts. */
status: GameStatus;
/** The worker's name. */
worker_name: string;
};

/** How a finished game ended. */
export type Outcome = {
/** A winning shape. */
kind: "fork" | "bridge" | "ring";
result: "win";
/** A side. */
winner: "white" | "black";
} | {
result: "draw";
};

/** The data of the first page: `GET /api/v1/overview`. */
export type Overview = {
/** What people should look at, as in [`Alarms`](crate::alarm::Alarms). */
alarms: Array<Alarm>;
/** Whether players score 50 % against themselves; absent without pairs of such games. */
control?: ControlReport;
/** Experiments, newest first. */
experiments: Array<ExperimentSummary>;
/** Numbers of workers. */
fleet: Fleet;
/** Games counted a minute, lately. A game of a cell that experiments share is one game, while the rate of each of them has it. */
games_per_minute: number;
/** Seconds until all active experiments are complete, if games go on as in the last few minutes; absent while nothing is counted. */
seconds_left: number | null;
/** Why results cannot be stored, if they cannot. */
trouble?: string;
/** Version of the coordinator's binary. */
version: string;
/** The first workers, in the order of [`WorkersPage`]. */
workers: Array<WorkerReport>;
};

/** A signed-in page in a list: `GET /api/v1/pages`. */
export type PageLine = {
/** When the page must sign in again, in milliseconds since 1970. */
expires_ms: number;
/** The page's id: the first twelve digits of the digest of its cookie. */
id: string;
/** That token's name. */
name: string;
/** When the page signed in, in milliseconds since 1970. */
signed_in_ms: number;
/** The id of the token that the page signed in with. */
token: string;
};

/** A pair of games that a machine plays at the moment. */
export type PairInPlay = {
/** The baseline's label. */
baseline: string;
/** The budget of a move. */
budget: Budget;
/** The case's group and label. */
case: string;
/** The pair's cell. */
cell: CellId;
/** The experiments that plan the cell. */
experiments: Array<PlannedBy>;
/** When the pair was lent, in milliseconds since 1970. */
granted_ms: number;
/** The lease of the pair. */
lease: LeaseId;
/** The number of the pair within the cell. */
pair: number;
/** Moves played in both games so far. */
plies: number;
/** When it last moved on, in milliseconds since 1970. */
progress_ms: number;
/** The board. */
size: number;
/** The worker that plays. */
worker: WorkerId;
/** The worker's name. */
worker_name: string;
};

/** The pairs in play: `GET /api/v1/games/in-play`. */
export type PairsInPlay = {
/** The time of the coordinator, in milliseconds since 1970. */
now_ms: number;
/** Some of them, those that moved on last first. */
pairs: Array<PairInPlay>;
/** The number of all. */
total: number;
};

/** A player's parameters as differences from the engine's defaults. */
export type ParamSet = Record<string, boolean | number | string>;

/** The curve of a numeric parameter. */
export type ParameterCurve = {
/** The curve. */
curve: Curve;
/** The parameter. */
parameter: string;
/** The board size; absent for the average over sizes. */
size: number | null;
};

/** What would have been recommended after the first trials of a tune. */
export type PastRecommendation = {
/** Their games. */
games: number;
/** What was not told apart from its values. */
parameters: Array<TuneKnown>;
/** The setting. */
point: Record<string, TunedValue>;
/** The win rate that the model expected. */
rate?: TuneRate;
/** The size it is for; absent if it is for all. */
size?: number;
/** The number of these trials. */
trials: number;
};

/** A speed that a machine reported. */
export type PastSpeed = {
/** The beginning of the five minutes, in milliseconds since 1970. */
at_ms: number;
/** The speed of recent moves relative to the first ones after the calibration. */
drift: number;
/** The speed relative to the reference machine, with the drift. */
relative: number;
/** Simulations per CPU second of one slot, as calibrated. */
sims_per_s: number;
/** The board. */
size: number;
};

/** What applying an experiment would change: the answer to `POST /api/v1/diff`. */
export type PlanDifference = {
/** The cells by case and change, in the order of the file; cells that are closed come last. */
cases: Array<CaseDifference>;
/** The numbers of cells. */
cells: CellChanges;
/** The experiment of this name; absent if the file would be a new one. */
experiment?: ExperimentSummary;
/** Whether the content is that of the newest revision, so that applying it changes nothing. */
is_newest: boolean;
/** What the content is called if it is that of an older revision, which is applied with `supersede` only. */
older?: string;
/** Changes beside the cells, in words: the question, the weight; and what changes of all cells alike, such as their games. */
settings: Array<string>;
};

/** An experiment that plans the cell of a game. */
export type PlannedBy = {
/** Its id. */
id: ExperimentId;
/** Its name. */
name: string;
};

/** A cell as an experiment plans it. */
export type PlannedCell = {
/** The baseline's names and parameters. */
baseline: LabelledPlayer;
/** The case's names and parameters. */
case: LabelledPlayer;
/** The number of planned pairs. */
pairs: number;
/** The description of the games. */
spec: CellSpec;
/** When fewer pairs are enough. Absent rules are not written, so that older experiments keep their ids. */
stop?: StopRule;
/** The cell's share of the games: the product of the weights of test group, baseline, size and budget. */
weight: number;
};

/** What is stored of a play besides its result. */
export type PlayRecord = {
/** CPU microseconds per move, when the budget was in reference seconds. */
move_cpu_us: number | null;
/** The moves. */
record: MoveColumns;
/** The machine's speed on this board when the game began. */
speed: Speed;
/** Wall-clock milliseconds from first move to last. */
wall_ms: number;
};

/** A point that was played on a size. */
export type PlayedPoint = {
/** Its cell; absent in a study. */
cell?: CellId;
/** The number of its first trial. */
number: number;
/** The point that it was played against; absent for the baseline. */
opponent?: Record<string, TunedValue>;
/** The results of all its trials together. */
outcome: TuneOutcome;
/** The point. */
point: Record<string, TunedValue>;
/** Its score per game. */
rate: number;
/** The size. */
size: number;
};

/** The points that a tune has played. */
export type PlayedPoints = {
/** How many there are, on all sizes. */
count: number;
/** The points; of many, some from every time of the tune. */
points: Array<PlayedPoint>;
};

/** A player: the digest of its parameters' differences from the defaults. */
export type PlayerId = string;

/** A point of a series: one cell of the experiment. */
export type Point = {
/** The cell. */
cell: CellId;
/** The confidence of all intervals, such as 0.95. */
confidence?: number;
/** Elo difference at the upper end of the confidence sequence; none at a rate of 1. */
cs_elo_high?: number;
/** Elo difference at the lower end of the confidence sequence; none at a rate of 0. */
cs_elo_low?: number;
/** Upper end of the confidence sequence. */
cs_high?: number;
/** Lower end of the confidence sequence of the rate. */
cs_low?: number;
/** Normalised Elo at the upper end of the confidence sequence; none at a rate of 1. */
cs_normalised_elo_high?: number;
/** Normalised Elo at the lower end of the confidence sequence; none at a rate of 0. */
cs_normalised_elo_low?: number;
/** Variance of the pairs relative to pairs of independent games, shrunk towards 1. It is below 1 where the first move is an advantage. */
design_effect?: number;
/** Fraction of the games that were drawn. */
draw_rate?: number;
/** Games drawn. */
draws: number;
/** The e-value against a true rate of 50 %: the capital of a gambler who started with 1 and bet against 50 %. Values beyond 1e300 are 1e300. */
e_value?: number;
/** Number of independent games with the same precision. */
effective_games?: number;
/** Elo difference at the rate; none when every game was won or every game was lost. */
elo?: number;
/** Half the width of the Elo interval from the normal approximation ([`elo_error`]), which contains 0 where the interval does. */
elo_error?: number;
/** Elo difference at the upper end of the interval; none at a rate of 1. */
elo_high?: number;
/** Elo difference at the lower end of the interval; none at a rate of 0. */
elo_low?: number;
/** Games won by the first player, as a fraction of decided games. */
first_move_rate: number | null;
/** Games counted. */
games: number;
/** Games planned. */
games_planned: number;
/** Upper end of that interval. */
high?: number;
/** Natural logarithm of the e-value against a true rate of 50 %. */
log_e_value?: number;
/** Games lost by the case. */
losses: number;
/** Lower end of the rate's interval for a number of games that was fixed beforehand. The interval holds however the missing games end, as all that follows. */
low?: number;
/** Mean number of plies of a game, including the opening. */
mean_plies: number | null;
/** The effect that pairs which were begun and are not complete could have, if there are any. */
missing?: MissingPairs;
/** Normalised Elo at the rate; none at rates of 0 and 1. */
normalised_elo?: number;
/** Half the width of the interval of normalised Elo from the normal approximation of the rate, as [`Summary::elo_error`]. */
normalised_elo_error?: number;
/** Normalised Elo at the upper end of the interval; none at a rate of 1. */
normalised_elo_high?: number;
/** Normalised Elo at the lower end of the interval; none at a rate of 0. */
normalised_elo_low?: number;
/** Complete pairs by the case's two results: LL, LD, WL, DD, WD, WW. */
pair_counts: [number, number, number, number, number, number];
/** Complete pairs. */
pairs: number;
/** Pairs set aside. */
pairs_aside: number;
/** Pairs leased now. */
pairs_in_flight: number;
/** Win rate; a draw counts as half a win. */
rate?: number;
/** How far pairs that were begun and are not complete may move the rate: 0 if there are none. */
reach?: number;
/** The board. */
size: number;
/** Standard error of the rate, from the variance of the pairs. It is 0 when all pairs scored the same. */
standard_error?: number;
/** The stopping rule of the cell in this experiment, if it has one. */
stopping?: Stopping;
/** Likelihood of superiority, from 0 to 1: Φ((s − ½)/SE), but no more than a few pairs allow. The number holds for a single look only. */
superiority?: number;
/** Whether the case differs from its baseline. */
verdict: Verdict;
/** Games that ended without a result that counts, and are no losses: attempts that failed, and plays that were excluded. */
void_games: number;
/** The weight of the cell in averages over sizes; absent where one cell is shown, which several experiments may share. */
weight?: number;
/** Wins of both sides by fork, bridge and ring. */
win_kinds: [number, number, number];
/** Games won by the case. */
wins: number;
/** The confidence sequence in words, with its guarantee. */
words: string | null;
};

/** Points of a study by number: `GET /api/v1/studies/{id or name}/points?from=…&limit=…&waiting=…`. */
export type PointsPage = {
/** The number from which on there are more; absent if these are the last. */
next?: number;
/** The points. */
points: Array<AskedPoint>;
};

/** What decides which cell of an experiment is played next. */
export type Policy = "coverage" | "error" | "best" | "race";

/** How much play a worker wants to keep waiting. */
export type PrefetchDemand = {
/** The others wait. There are enough of them when they are [expected](Lease::expected_us) to take so many microseconds. */
expected_us: number;
/** Slots without a lease: so many of the leases are played at once. */
free: number;
};

/** `POST /api/v1/experiments/{id or name}/promote`: makes a case of this experiment a named baseline. */
export type PromoteRequest = {
/** The baseline, where the case meets several. */
against?: string;
/** The case, as in a [`crate::confirm::ConfirmRequest`]. */
case: string;
/** The name of the new baseline; absent for that of the case. */
name?: string;
/** Whether to promote a case that is not confirmed. */
unconfirmed?: boolean;
};

/** The answer to a [`PromoteRequest`]. */
export type Promoted = {
/** The baseline. */
baseline: NamedBaseline;
/** Whether this request made the baseline; false if it existed as it is. */
is_new: boolean;
};

/** The numbers of proposed trials, in the order of the points. */
export type Proposed = {
/** The numbers. */
numbers: Array<number>;
};

/** A point that another program proposes. */
export type ProposedPoint = {
/** Another point as its opponent; absent for the baseline. */
opponent?: Record<string, TunedValue>;
/** A value of every parameter. */
point: Record<string, TunedValue>;
/** The size; absent for sizes by their weights. */
size?: number;
};

/** Points that another program proposes to a tune with the strategy `foreign`. */
export type ProposedPoints = {
/** The points, each of which is played once. */
points: Array<ProposedPoint>;
};

/** `POST /api/v1/workers/quarantine`: puts machines in quarantine, or releases them. A machine in quarantine gets no work; its games are stored and count only after its release. */
export type QuarantineRequest = {
/** The machines. */
machines: Machines;
/** The reason for the quarantine; absent to release the machines. */
why?: string;
};

/** A case over all its sizes. */
export type RankedCase = {
/** That p-value adjusted by Benjamini and Hochberg. */
adjusted_p_value: number | null;
/** The case. */
case: string;
/** Upper end of that sequence. */
cs_high: number;
/** Lower end of the confidence sequence of the average, which holds at every look. It is about this case alone. */
cs_low: number;
/** Whether the average differs from 50 %, with all cases taken into account. If so, it is on the side of the rate. */
differs: boolean;
/** The standard error of the average. */
error: number | null;
/** The test that the rate is the same on all sizes. Absent with one size. */
heterogeneity: ChiSquare | null;
/** Upper end of that interval. */
high: number | null;
/** The natural logarithm of the e-value against an average of 50 %. */
log_e_value: number;
/** Lower end of the interval of the average, for a number of games that was fixed beforehand. */
low: number | null;
/** Whether no other case is shown to be better. With the confidence, a best case is among those that may be the best; if there is one alone, it leads. */
may_be_best: boolean;
/** The p-value of an average of 50 %, for a number of games that was fixed beforehand. */
p_value: number | null;
/** Complete pairs on all sizes. */
pairs: number;
/** The average of the rates over the case's sizes, by the weights of the cells. */
rate: number;
/** The average over all sizes of the field, shrunken towards the mean of all cases. */
shrunken: number | null;
/** The number of sizes with games. */
sizes: number;
};

/** A player of a rating list. */
export type RatedPlayer = {
/** Whether a chain of games links the player to the anchor. If not, the rating is the prior's. */
connected: boolean;
/** Rating in Elo points above the anchor: that of the average score over sizes. */
elo: number;
/** Standard error of the difference from the anchor. */
error: number;
/** Upper end of the interval of the rating. */
high: number;
/** Lower end of the interval of the rating. */
low: number;
/** The player. */
player: string;
/** The likelihood that the player is stronger than the next one in the list; absent for the last. For one look only. */
superiority: number | null;
};

/** Players by strength. */
export type RatingList = {
/** The player whose rating is 0: the baseline with the most games. */
anchor: string;
/** The budget of a move. */
budget: string;
/** The covariance of the ratings in squared Elo points, in the order of `players`. */
covariance: Array<Array<number>>;
/** The test that one number for each player explains all results, by size. Absent where there is nothing to test. */
fit: Array<[number, ChiSquare]>;
/** The players, the strongest first. */
players: Array<RatedPlayer>;
/** Virtual draws of each other player against the anchor. */
prior_draws: number;
/** The sizes on which all pairings were played. Games on other sizes are left out. */
sizes: Array<number>;
};

/** A recommended setting. */
export type Recommended = {
/** Whether all games are played, so that the setting stays. */
is_final: boolean;
/** What the setting is called in results and commands. */
label: string;
/** The setting is chosen, and so many games that measure it are still to be played. */
last_games_left?: number;
/** The win rates of the games at the end of the tune, which had no part in choosing the setting: one for each size. */
measured: Array<Measured>;
/** The same for all sizes by the objective. */
measured_overall?: Measured;
/** The predicted win rate by the objective; absent unless all its sizes have games against the baseline. */
overall: TuneRate | null;
/** The uncertainty of each parameter. */
parameters: Array<TuneKnown>;
/** The player. */
params: ParamSet;
/** The setting. */
point: Record<string, TunedValue>;
/** The predicted win rate against the baseline by size. Sizes without games against the baseline are left out. */
predicted: Array<TunePrediction>;
/** The command that makes the setting a named baseline; absent until it is confirmed. */
promote?: string;
/** The fitted win rate along each parameter, with all others as recommended. */
responses: Array<TuneResponse>;
/** The size it is for; absent if it is for all. */
size: number | null;
/** The verdict on the setting. */
verdict: TuneVerdict;
/** What is known, as sentences. */
words: string;
};

/** The form of an experiment's report. */
export type ReportFormat = "json" | "csv";

/** `POST /api/v1/workers/restore`: restores all games of machines that were excluded together. */
export type RestoreGamesRequest = {
/** The machines. */
machines: Machines;
};

/** `POST /api/v1/games/{id}/restore`: puts an excluded play back. */
export type RestoreRequest = {
/** The play; the only excluded one if absent. */
lease?: LeaseId;
};

/** The result of restoring a play. */
export type Restored = {
/** Counted, or superseded by another play of the same game. */
status: GameStatus;
};

/** The result of a retry: the answer to `POST /api/v1/experiments/{id}/retry`. */
export type Retried = {
/** The number of pairs that are handed out again. */
pairs: number;
};

/** A revision of an experiment's plan. */
export type Revision = {
/** When it was applied, in milliseconds since 1970. */
applied_ms: number;
/** The digest of the content. The first revision's digest is the experiment's id. */
content: ExperimentId;
/** The number, from 1. */
number: number;
/** Who applied it. */
who: string;
};

/** What a revision has otherwise than an earlier one: `GET /api/v1/experiments/{id or name}/revisions/{number}/changes`. */
export type RevisionChanges = {
/** The cells by case and change, in the order of the file; cells that are closed come last. */
cases: Array<CaseDifference>;
/** The numbers of cells. None is called reopened. */
cells: CellChanges;
/** The text of the file that was applied; absent if a program applied the plan, or the file was very long. */
file?: string;
/** The number of the revision. */
number: number;
/** Changes beside the cells, and of all cells alike, in words. */
settings: Array<string>;
/** The number of the earlier revision; 0 for nothing at all, before the first one. */
since: number;
};

/** What a stopping rule watches. */
export type RuleMeasure = "llr" | "log_e_value" | "half_width";

/** How the result of a cell came about: `GET /api/v1/cells/{id}/running`. Pairs are taken in the order of their numbers, in which stopping rules read them, and not in the order of arrival. */
export type RunningCell = {
/** What people changed while the cell was played, in the order of time: the latest changes, at most twelve. */
changes: Array<RunningChange>;
/** The confidence level of the intervals. */
confidence: number;
/** There is a point for the first pair, for each so many further pairs, and for the last pair. */
every: number;
/** The cell. */
id: CellId;
/** Complete pairs before the first pair that is not complete. Stopping rules read these. */
in_order: number;
/** Complete pairs. */
pairs: number;
/** The estimate after so many pairs. */
points: Array<RunningPoint>;
/** The stopping rules of the experiments that have the cell. */
rules: Array<RunningRule>;
};

/** A change of an experiment that has the cell. */
export type RunningChange = {
/** The change. */
entry: AuditEntry;
/** The experiment. */
experiment: PlannedBy;
/** About so many pairs were complete: half of the games that had arrived. */
pairs: number;
};

/** The estimate of a cell after some of its pairs. */
export type RunningPoint = {
/** Upper end of the confidence sequence. */
cs_high: number;
/** Lower end of the confidence sequence, which holds at every look. */
cs_low: number;
/** Upper end of that interval. */
high: number;
/** Lower end of the interval for a number of games that was fixed beforehand. */
low: number;
/** Complete pairs so far. */
pairs: number;
/** Win rate over these pairs. */
rate: number;
};

/** A stopping rule as it reads a cell. */
export type RunningRule = {
/** The pairs at the decision, if there is one. */
decided: number | null;
/** The experiments that have the rule. */
experiments: Array<PlannedBy>;
/** The rule decides at this value or below. */
lower: number | null;
/** What the rule watches. */
measure: RuleMeasure;
/** The outcome so far, for the first of the experiments. */
outcome: StopOutcome;
/** The rule decides at this value or above. */
upper: number | null;
/** The measure after so many pairs, up to the decision. */
values: Array<RunningValue>;
/** All of this in words. */
words: string;
};

/** The measure of a stopping rule after some pairs. */
export type RunningValue = {
/** Pairs read. */
pairs: number;
/** The measure. */
value: number;
};

/** A permission of a token. */
export type Scope = "work" | "read" | "experiment" | "admin";

/** The scopes of a token. */
export type Scopes = string;

/** A series of the chart: one line. */
export type Series = {
/** The baseline's parameters. */
baseline: ParamSet;
/** The baseline's name. */
baseline_label: string;
/** The budget of a move. */
budget: Budget;
/** The case's parameters. */
case: ParamSet;
/** The last confirmation of the case against this baseline, if a person began one. */
confirmation?: Confirmation;
/** The test group. */
group: string;
/** The label within the experiment, such as `rave_k=500`. */
label: string;
/** Those of these parameters whose values grow by equal factors rather than by equal steps: they stand on logarithmic axes. */
logarithmic: Array<string>;
/** The label, with the group or what else differs where labels repeat: no other series against the same baseline with the same budget has this name. */
name: string;
/** One point per board size, in ascending order. */
points: Array<Point>;
/** The name of the named baseline that the case is, if it was promoted. */
promoted?: string;
/** `engine::SEMANTICS` of its games. */
semantics: number;
/** The parameters in which the cases of the group differ, with the values of this case. */
swept: ParamSet;
};

/** The names of a series. Here, each player has one name and each name is one player's. */
export type SeriesNames = {
/** The baseline. */
against: string;
/** The id of the baseline. */
baseline?: PlayerId;
/** The budget of a move. */
budget: string;
/** The case. */
case: string;
/** The id of the case. */
player?: PlayerId;
};

/** The identity of a caller: the answer to `GET /api/v1/session` and `POST /api/v1/session`. */
export type Session = {
/** The name of the caller's token, if there is one. */
name: string | null;
/** The caller's permissions. Reading may be allowed to all callers. */
scopes: Scopes;
};

/** One run of a worker process. */
export type SessionId = string;

/** How serious an alarm is. */
export type Severity = "amber" | "red";

/** The games that a shape won. */
export type ShapeResults = {
/** The shape. */
kind: "fork" | "bridge" | "ring";
/** Games won by the baseline. */
losses: number;
/** Games won by the case. */
wins: number;
};

/** Two experiments, revisions of them, or a case of each, side by side. Rates are from 0 to 1, from the case's point of view. */
export type SideBySide = {
/** The confidence of all intervals. */
confidence: number;
/** The first side. */
left: ComparedSide;
/** The difference beyond which an agreement excludes the true one. */
margin: number;
/** How differences are judged, in words. */
method: string;
/** What keeps results from being compared, such as different opponents, or bends a comparison, in sentences. */
notes: Array<string>;
/** Series of the first side, and sizes of series, without a counterpart. */
only_left: Array<LoneSeries>;
/** Series of the second side, and sizes of series, without a counterpart. */
only_right: Array<LoneSeries>;
/** The second side. */
right: ComparedSide;
/** Series of both sides that belong together, in the order of the first side's report. */
series: Array<ComparedSeries>;
};

/** `POST /api/v1/session`: a browser sends its token once and gets a cookie. */
export type SignIn = {
/** The token. */
token: string;
};

/** A machine's speed on one board size. */
export type Speed = {
/** Drift: the speed of the baseline's recent moves relative to its first moves after calibration; 1 without a change. `factor` already includes it. */
drift: number;
/** CPU seconds of this machine per reference second: 1 for the reference machine, less for a faster machine. */
factor: number;
/** Simulations per CPU second of one slot in the standard configuration (plain UCT, empty board), measured at start with all slots busy. */
sims_per_s: number;
/** The board. */
size: number;
};

/** An interval of the win rate. */
export type StopInterval = "wilson" | "sequence";

/** What a stopping rule found out. */
export type StopOutcome = "open" | "inconclusive" | "stopped" | "accept_h1" | "accept_h0" | "precise" | "better" | "worse";

/** When a cell needs no more pairs. A rule reads the pairs of a cell in the order of their numbers, up to the first one that is not complete. */
export type StopRule = {
/** The chance that H1, the upper hypothesis, is accepted where H0 is true. */
alpha: number;
/** The chance that H0, the lower hypothesis, is accepted where H1 is true. */
beta: number;
/** The two hypotheses. */
hypotheses: Hypotheses;
rule: "sprt";
} | {
/** The confidence of the interval. */
confidence: number;
/** Half of the width of the interval, as a fraction: 0.02 is two percentage points to either side. */
half_width: number;
/** Which interval. */
interval: StopInterval;
rule: "half_width";
} | {
/** The chance that a cell of 50 % is ever called different. */
alpha: number;
rule: "e_value";
};

/** A stopping rule, how far it has read, and what it decided. A rule reads the pairs in the order of their numbers, up to the first one that is not complete or to its decision. Pairs that come later count for the cell, and not for the decision. */
export type Stopping = {
/** The outcome in a few words, such as `H1 (20 Elo) accepted`. */
found: string;
/** Upper end of that interval. */
high: number | null;
/** Whether that rate is corrected for the stop, and so too high as often as too low: after a test or an e-value. After a rule of a half-width, which looks at the spread alone, it is the plain mean, which needs no correction. */
is_corrected: boolean;
/** Log-likelihood ratio of a sequential test at these pairs. */
llr: number | null;
/** Lower end of the interval of the true rate: that of the rate, or after a stop by a person that of the confidence sequence, which holds at every stop. */
low: number | null;
/** The ratio at which H0, the lower hypothesis, is accepted. */
lower: number | null;
/** The outcome so far. */
outcome: StopOutcome;
/** Pairs read by the case's two results: LL, LD, WL, DD, WD, WW. */
pair_counts: [number, number, number, number, number, number];
/** Pairs read. */
pairs: number;
/** Win rate at the stop. Absent before it, and after a stop by a person: no single rate is right for every reason to stop. */
rate: number | null;
/** The rule in words. */
rule: string;
/** The ratio at which H1, the upper hypothesis, is accepted. */
upper: number | null;
/** All of this in words. */
words: string;
};

/** `POST /api/v1/studies/{id or name}/change`. */
export type StudyChange = {
/** Whether the study is archived. */
archived: boolean;
};

/** A parameter of a [`StudyRequest`]. */
export type StudyParameter = {
/** Its name, any text. */
name: string;
/** Where the parameter matters; everywhere without a condition. */
only_if?: TunedCondition;
/** The value where the study begins; absent for the middle of a range, `false`, or the first word. */
start?: TunedValue;
} & ({
/** The greatest value. */
high: number;
kind: "real";
/** The least value. */
low: number;
/** The scale. */
scale?: TunedScale;
} | {
/** The greatest value. */
high: number;
kind: "whole";
/** The least value. */
low: number;
/** The scale. */
scale?: TunedScale;
} | {
kind: "flag";
} | {
kind: "word";
/** The words. */
values: Array<string>;
});

/** `POST /api/v1/studies`: begins a study. The same request again gives the same study. */
export type StudyRequest = {
/** The games that are to be played. */
games: number;
/** Its name, which no other study has. */
name: string;
/** How the sizes count. */
objective?: TuneAim;
/** The parameters that are tuned. */
parameters: Array<StudyParameter>;
/** The seed of the strategy. */
seed?: number;
/** The sizes on which points are played, by their weights. Any small numbers are sizes. Empty if points are played in one way. */
sizes?: Array<TuneSize>;
/** The strategy that proposes points. */
strategy?: TuneStrategy;
};

/** How a study stands: `GET /api/v1/studies/{id or name}`. */
export type StudyStatus = {
/** Whether it is archived: it gives no more points. */
archived: boolean;
/** Points that were asked for, without those that were given up. */
asked: number;
/** Where the weight of the fit is: one for each recommendation. */
concentrations: Array<TuneConcentration>;
/** What would have been recommended after some of the first points, the first ones first. */
course: Array<PastRecommendation>;
/** Whether the course has all looks that are due. They are made one after the other. */
course_is_complete: boolean;
/** When, in milliseconds since 1970. */
created_ms: number;
/** Points that were given back without a result. */
failed: number;
/** The games that are to be played. */
games: number;
/** Games of the budget that are neither told nor asked for. */
games_left: number;
/** Games of these results. */
games_told: number;
/** Points that were given up, because results had chosen them that were taken back. The study does not learn from them, and asks for others. */
given_up: number;
/** Its id. */
id: string;
/** Its name. */
name: string;
/** How the sizes count. */
objective: TuneAim;
/** The parameters. */
parameters: Array<TunedParameter>;
/** The recommended settings: one, or one for each size. */
recommendations: Array<TuneRecommendation>;
/** Results that the recommendations are made from. After many results they are not recomputed with each. */
results_seen: number;
/** The seed of the strategy. */
seed: number;
/** The sizes and their weights; empty if points are played in one way. */
sizes: Array<TuneSize>;
/** The strategy that proposes points. */
strategy: TuneStrategy;
/** Points whose results were told. */
told: number;
/** Who began it. */
who: string;
/** What the verdict of each recommendation means, as a sentence. */
words: Array<string>;
};

/** A study in a list. */
export type StudySummary = {
/** Whether it is archived: it gives no more points. */
archived: boolean;
/** Points that were asked for, without those that were given up. */
asked: number;
/** When, in milliseconds since 1970. */
created_ms: number;
/** Points that were given back without a result. */
failed: number;
/** The games that are to be played. */
games: number;
/** Games of the budget that are neither told nor asked for. */
games_left: number;
/** Games of these results. */
games_told: number;
/** Points that were given up, because results had chosen them that were taken back. The study does not learn from them, and asks for others. */
given_up: number;
/** Its id. */
id: string;
/** Its name. */
name: string;
/** How the sizes count. */
objective: TuneAim;
/** The parameters. */
parameters: Array<TunedParameter>;
/** The seed of the strategy. */
seed: number;
/** The sizes and their weights; empty if points are played in one way. */
sizes: Array<TuneSize>;
/** The strategy that proposes points. */
strategy: TuneStrategy;
/** Points whose results were told. */
told: number;
/** Who began it. */
who: string;
};

/** The analysis of all rows.  Numbers that hold for a number of games fixed beforehand are absent unless the basis is [`Basis::Complete`]. */
export type SweepAnalysis = {
/** Which numbers are valid. */
basis: Basis;
/** The confidence of all intervals. One less the confidence is the rate of errors of all claims. */
confidence: number;
/** The cases against one baseline with one budget, for each baseline and budget in the order of the rows. */
fields: Array<Field>;
/** All players with one budget, for each budget with games, where a player has several opponents. */
ratings: Array<RatingList>;
};

/** The request of a worker. */
export type SyncRequest = {
/** How much play is wanted ahead, if fewer leases may suffice. */
ahead?: PrefetchDemand;
/** Leases that the worker returns because it cannot play them. */
failed: Array<FailedLease>;
/** Finished games that are not yet acknowledged. */
finished: Array<FinishedGame>;
/** The number of the last answered call of this start, if it is not the previous call; 0 if no call was answered. Leases of later answers never reached the worker, so the coordinator gives them again. */
heard?: number;
/** Leases held by the worker, with the plies played so far in each. Leases of this worker that are missing here return to the pool. */
held: Array<HeldLease>;
/** Group labels for commands to several machines. */
labels: Array<string>;
/** This is the last call of the process. The leases that it lists as held are on its disk for the next start. */
leaving?: boolean;
/** Memory per slot for the trees of a game's two players. The worker gets no games that may need more. */
memory: Mib;
/** The machine's name, for people. */
name: string;
/** [`crate::PROTOCOL_VERSION`] of the worker. */
protocol: number;
/** Why the worker wants no leases although it could play, for example quiet hours. */
resting?: string;
/** [`crate::selftest::digest`] of the worker. A build that plays different games is refused. */
self_test: string;
/** `engine::SEMANTICS` of the worker. A worker with another number plays different games and is refused. */
semantics: number;
/** The number of this call within the start, increasing from 1. A call that arrives after a later one of its worker only delivers games. */
sequence: number;
/** The id of this worker process. */
session: SessionId;
/** The number of games played at once. */
slots: number;
/** The speed on every calibrated board size. */
speeds: Array<Speed>;
/** The number of this start. Every start in a state directory has a larger number than all earlier ones; at most [`MOST_STARTS`]. */
start: number;
/** The state of the machine, if a person [views](SyncResponse::looked_at) it. */
told?: MachineState;
/** Version of the worker's binary. */
version: string;
/** The largest number of leases wanted, for free slots and for prefetching. */
want: number;
/** Games under way of the leases that the last answer asked to [watch](SyncResponse::watch). */
watched?: Array<WatchedGame>;
/** The machine's id, chosen at random once and stored in the state directory. */
worker: WorkerId;
};

/** The coordinator's answer. */
export type SyncResponse = {
/** One entry for every game of the request. */
acks: Array<Ack>;
/** The directive. */
directive: Directive;
/** New leases. */
leases: Array<Lease>;
/** A person views this machine: its next call sends its state. */
looked_at?: boolean;
/** The longest time until the next call, in milliseconds. */
next_sync_ms: number;
/** Why there are fewer leases than wanted, if there are. */
no_work: NoWork | null;
/** Leases that the worker listed and no longer holds. It should drop their games. */
revoked: Array<LeaseId>;
/** Board sizes in play. Leases are given only for sizes whose speed the worker has reported. */
sizes: Array<number>;
/** Leases of the worker that a person views: its next calls send their moves. */
watch?: Array<LeaseId>;
};

/** The answer to a [`TellRequest`]. */
export type TellAnswer = {
/** Games of the budget that are neither told nor asked for. */
games_left: number;
/** Games of all results. */
games_told: number;
/** Results that were new. */
new: number;
/** Results that had been told before, the same. */
repeated: number;
};

/** `POST /api/v1/studies/{id or name}/tell`: results, in any order, and points that are given back. All of them are stored, or none. */
export type TellRequest = {
/** The results. */
results: Array<ToldResult>;
};

/** A token in a list: `GET /api/v1/tokens`. */
export type TokenLine = {
/** How many machines work with the token. */
bound: number;
/** When the token was made, in milliseconds since 1970. */
created_ms: number;
/** When the token expires, in milliseconds since 1970, if it does. */
expires_ms: number | null;
/** The token's id: the first twelve digits of its digest, which do not reveal the secret. */
id: string;
/** How many machines may work with the token. */
machines?: number;
/** The name of the machine or person. */
name: string;
/** When the token was revoked, in milliseconds since 1970, if it was. */
revoked_ms: number | null;
/** The permissions. */
scopes: Scopes;
/** When the token was used last, in milliseconds since 1970 and within ten minutes, if it was. */
used_ms?: number;
};

/** `POST /api/v1/tokens`: makes a token. */
export type TokenRequest = {
/** Milliseconds until the token expires; it never does if absent. */
expires_in_ms?: number;
/** How many machines may work with the token; 16 if absent. */
machines?: number;
/** The name of the machine or person. */
name: string;
/** The permissions. */
scopes: Scopes;
};

/** The result of a point, or that it has none. */
export type ToldResult = {
/** Games that it drew. */
draws?: number;
/** Gives the point back without a result. With the games of the result that was told, takes that back: points that it had chosen are given up, and the budget has their games again. A result may be told later; the one that was taken back brings these points back. */
failed?: boolean;
/** Games that it lost. */
losses?: number;
/** The number of the point. */
number: number;
/** Games that it won. */
wins?: number;
};

/** What a machine told of itself because a person views it. */
export type ToldState = {
/** Its clock minus that of the coordinator, in milliseconds. The way of the call is part of it. */
clock_ms: number;
/** When it was told, in milliseconds since 1970. */
heard_ms: number;
/** The last lines of its log, level info and above, oldest first. */
log: Array<string>;
/** Finished games on its disk that are not acknowledged yet. */
spooled: number;
};

/** One game of the set. */
export type Trial = {
/** The moves, each with all by which a game is known: value, proof, simulations and nodes, such as `d4/0.5625/none/150/151`. */
game: string;
/** The description, such as `size 4, uct against rave`. */
name: string;
};

/** Trials of a tune. */
export type TrialsPage = {
/** The number of the next one; absent if these are the last. */
next?: number;
/** The trials, by number. */
trials: Array<NumberedTrial>;
};

/** What an experiment tunes. */
export type Tune = {
/** The player that points are changes of, as its differences from the engine's defaults. Also those that have no effect beside the start are there, because they may have one beside another point. */
base: ParamSet;
/** Whether the recommended point is confirmed when the games are played. */
confirm: boolean;
/** The games that are played. */
games: number;
/** How the sizes of the experiment count. */
objective: TuneAim;
/** The values of numbers that may be off. Whether such a number is on is the flag [`switch`] of the space. */
off?: Record<string, TunedValue>;
/** The parameters that are tuned. */
parameters: Array<TunedParameter>;
/** The seed of the strategy. */
seed: number;
/** The strategy that proposes points; absent if others propose them. */
strategy?: TuneStrategy;
};

/** How the board sizes count. */
export type TuneAim = "mean" | "each" | "worst";

/** How concentrated the weight of the fit is. */
export type TuneConcentration = {
/** As many points of equal weight would be as concentrated: the square of the sum of the weights by the sum of their squares. */
effective_points: number;
/** Points that were played and have weight. */
points: number;
/** The weight along each parameter. */
shares: Array<TuneShares>;
/** The size it is for; absent if it is for all. */
size: number | null;
};

/** The uncertainty of a parameter's best value. */
export type TuneKnown = {
/** The parameter. */
name: string;
/** The values that the model cannot tell from the best: for numbers the ends of the middle 90 %, for flags and words each value with at least 5 % of the weight. None where the parameter's condition does not hold at the recommended point. */
values: Array<TunedValue>;
};

/** The opponent of a point. */
export type TuneOpponent = "baseline" | {
point: Record<string, TunedValue>;
};

/** The result of a trial for its point. The games of a trial are one observation: they need not be independent. */
export type TuneOutcome = {
/** Games drawn. */
draws: number;
/** Games lost. */
losses: number;
/** Games won. */
wins: number;
};

/** The predicted win rate on a size. */
export type TunePrediction = {
/** Upper end. */
high: number;
/** Lower end. */
low: number;
/** The rate, from 0 to 1. */
rate: number;
/** The size. */
size: number;
};

/** A proposal of a strategy: a pair of games with swapped colours. */
export type TuneProposal = {
/** Its opponent. */
opponent: TuneOpponent;
/** The point. */
point: Record<string, TunedValue>;
/** The board size. */
size: number;
};

/** A win rate with its 95 % interval. */
export type TuneRate = {
/** Upper end. */
high: number;
/** Lower end. */
low: number;
/** The rate, from 0 to 1. */
rate: number;
};

/** The recommended setting of one target. */
export type TuneRecommendation = {
/** The predicted win rate by the objective; absent unless all its sizes have games against the baseline. */
overall: TuneRate | null;
/** The uncertainty of each parameter. */
parameters: Array<TuneKnown>;
/** The setting. */
point: Record<string, TunedValue>;
/** The predicted win rate against the baseline by size. Sizes without games against the baseline are left out. */
predicted: Array<TunePrediction>;
/** The fitted win rate along each parameter, with all others as recommended. */
responses: Array<TuneResponse>;
/** The size it is for; absent if it is for all. */
size: number | null;
/** The verdict on the setting. */
verdict: TuneVerdict;
};

/** The fitted win rate along a parameter. */
export type TuneResponse = {
/** The parameter. */
name: string;
/** Its values, ascending, and the rates there. None where its condition does not hold at the recommended point. */
rates: Array<[TunedValue, TuneRate]>;
};

/** What an experiment tunes. */
export type TuneSent = {
/** The player that points are changes of, as its differences from the engine's defaults. Also those that have no effect beside the start are there, because they may have one beside another point. */
base: ParamSet;
/** Whether the recommended point is confirmed when the games are played. */
confirm: boolean;
/** The games that are played. */
games: number;
/** How the sizes of the experiment count. */
objective: TuneAim;
/** The values of numbers that may be off. Whether such a number is on is the flag [`switch`] of the space. */
off?: Record<string, TunedValue>;
/** The parameters that are tuned. */
parameters: Array<TunedParameterSent>;
/** The seed of the strategy. */
seed: number;
/** The strategy that proposes points; absent if others propose them. */
strategy?: TuneStrategy;
};

/** The share of the weight that a value or a part of a range has. */
export type TuneShare = {
/** The value, or the lower end of the part. */
from: TunedValue;
/** The share. */
share: number;
/** The value, or the upper end of the part. */
to: TunedValue;
};

/** The weight along a parameter. */
export type TuneShares = {
/** The parameter. */
name: string;
/** Its values or the equal parts of its range, ascending. The shares sum to 1. */
parts: Array<TuneShare>;
};

/** A board size and its weight. */
export type TuneSize = {
/** The board size. */
size: number;
/** Its weight, of which only ratios matter. */
weight: number;
};

/** How a tune stands. */
export type TuneStatus = {
/** The name of the baseline. */
baseline: string;
/** Where the weight of the fit is: one for each recommendation. */
concentrations: Array<TuneConcentration>;
/** The confirmations of settings of this tune, the first one first. */
confirmations: Array<Confirmation>;
/** What would have been recommended after some of the first trials, the first ones first. */
course: Array<PastRecommendation>;
/** Whether the course has all looks that are due. After a start of the coordinator they are made one after the other. */
course_is_complete: boolean;
/** What was done when all games were played. */
ending?: string;
/** The experiment. */
experiment: ExperimentId;
/** Games of the budget that have no result yet. */
games_left: number;
/** Games of pairs with a result. */
games_played: number;
/** Games at points that were given up, because excluded games had chosen them. The tune does not learn from them, and plays as many others. */
given_up: number;
/** Games of other experiments that the tune learns from. */
imported: number;
/** Its name. */
name: string;
/** Pairs that were asked for and have no result yet. */
outstanding: number;
/** The recommended settings: one, or one for each size. */
recommendations: Array<Recommended>;
/** Results that the recommendations are made from. After many games they are not recomputed with each result. */
results_seen: number;
/** The sizes and their weights. */
sizes: Array<TuneSize>;
/** Its state. */
state: ExperimentState;
/** What is tuned. */
tune: Tune;
};

/** The names of the strategies. */
export type TuneStrategy = "clop" | "duel" | "spsa" | "halving" | "grid" | "random";

/** The fitted win rate over two parameters, with all others as recommended. */
export type TuneSurface = {
/** The recommended values of `x` and `y`. */
at: [TunedValue, TunedValue];
/** For each value of `y`, the rates at the values of `x`. Empty without games against the baseline. */
rates: Array<Array<TuneRate>>;
/** The parameter along the horizontal axis. */
x: string;
/** The values of `x`, ascending. */
xs: Array<TunedValue>;
/** The parameter along the vertical axis. */
y: string;
/** The values of `y`, ascending. */
ys: Array<TunedValue>;
};

/** Whether the recommended setting is better than the baseline. */
export type TuneVerdict = "better" | "nothing_better" | "unknown";

/** A parameter matters only where another one has one of these values. */
export type TunedCondition = {
/** The other parameter, which must come before this one. */
parameter: string;
/** The values of the other parameter. */
values: Array<TunedValue>;
};

/** A parameter that is tuned. */
export type TunedParameter = {
/** Its name. */
name: string;
/** Where the parameter matters; everywhere without a condition. */
only_if?: TunedCondition;
/** The value where a tune begins. The parameter also has this value where its condition does not hold. */
start: TunedValue;
} & ({
/** The greatest value. */
high: number;
kind: "real";
/** The least value. */
low: number;
/** The scale. */
scale: TunedScale;
} | {
/** The greatest value. */
high: number;
kind: "whole";
/** The least value. */
low: number;
/** The scale. */
scale: TunedScale;
} | {
kind: "flag";
} | {
kind: "word";
/** The words. */
values: Array<string>;
});

/** A parameter that is tuned. */
export type TunedParameterSent = {
/** Its name. */
name: string;
/** Where the parameter matters; everywhere without a condition. */
only_if?: TunedCondition;
/** The value where a tune begins. The parameter also has this value where its condition does not hold. */
start: TunedValue;
} & ({
/** The greatest value. */
high: number;
kind: "real";
/** The least value. */
low: number;
/** The scale. */
scale?: TunedScale;
} | {
/** The greatest value. */
high: number;
kind: "whole";
/** The least value. */
low: number;
/** The scale. */
scale?: TunedScale;
} | {
kind: "flag";
} | {
kind: "word";
/** The words. */
values: Array<string>;
});

/** The scale on which equal steps of a number matter equally. */
export type TunedScale = "linear" | "log";

/** The value of a parameter. */
export type TunedValue = boolean | number | string;

/** A parameter's value in a case. */
export type Value = number | string;

/** Whether a case differs from its baseline. A case of exactly 50 % is ever called better or worse with a chance of at most 1 − confidence, however often a person looks. The verdict is that of the confidence sequence. In a cell with a sequential test that excludes 50 % with an error rate of at most 1 − confidence, it is that of the test alone; the error rate of a test is Wald's approximation. */
export type Verdict = "better" | "worse" | "not_better" | "not_worse" | "open";

/** A player's move. */
export type ViewedMove = {
/** The mean result that the mover's search gives the case, 0 to 1. */
case_value: number;
/** The cell in GUI notation. */
cell: string;
/** What the mover's search proved about the position after the move. */
claim: string;
/** CPU microseconds of the search. */
cpu_us: number;
/** Nodes in the mover's tree after the search. */
nodes: number;
/** Simulations made for the move. */
sims: number;
/** The mean result that the mover expects, 0 to 1. */
value: number;
};

/** A reason why games ended without a result that counts. */
export type VoidReason = {
/** The number of games. */
games: number;
/** The reason in words. */
words: string;
};

/** A game under way that a person views. */
export type WatchedGame = {
/** The game of the lease that is played at the moment. */
game: GameId;
/** Its lease. */
lease: LeaseId;
/** The moves so far. */
record: MoveColumns;
};

/** The scheduler's reasons: `GET /api/v1/why/{id or name}`. */
export type Why = {
/** The kind of object with this id or name. */
kind: WhyKind;
/** The object's name. */
name: string;
/** The reasons in words, most important first. */
reasons: Array<string>;
};

/** The kind of object that a question is about. */
export type WhyKind = "worker" | "cell" | "experiment";

/** Codes that shall let no more machines in. */
export type WithdrawRequest = {
/** The code; without one, every code. */
code?: string;
};

/** How many codes were valid and let no more machines in. */
export type Withdrawn = {
/** Their number. */
codes: number;
};

/** A worker machine. */
export type WorkerId = string;

/** A summary of a worker. */
export type WorkerReport = {
/** Whether the worker is present. */
alive: boolean;
/** How the worker's games favour one side compared with other machines, if the difference is too large. */
biased?: string;
/** The worker's directive. */
directive: Directive;
/** All counted games of the worker. */
games: number;
/** The machine. */
id: WorkerId;
/** Group labels. */
labels: Array<string>;
/** The machine's name. */
name: string;
/** Why the worker has no work, if it is present, wants work and has none. */
no_work: string | null;
/** Pairs that the worker holds. */
pairs_held: number;
/** The reason for the quarantine, if the worker is in quarantine: it gets no work, and its games do not count. */
quarantine?: string;
/** Why the worker wants no work, according to itself, if it wants none. */
resting: string | null;
/** Seconds since the last sync. */
seconds_since_seen: number;
/** Games that the worker plays at once. 0: it never called, and [`resting`](Self::resting) says what is known of it. */
slots: number;
/** The speed by board size. */
speeds: Array<Speed>;
/** Why the worker seems to deliver games selectively, if it does. */
suspicion?: string;
/** The version of the worker's binary. */
version: string;
};

/** A page of workers: `GET /api/v1/workers?offset=…&limit=…`. Workers in quarantine come first, then workers that are present, then the others, each group by name. */
export type WorkersPage = {
/** The number of workers before them. */
offset: number;
/** The workers. */
workers: Array<WorkerReport>;
};

/** Takes results and state; answers acknowledgements, leases and directives. */
export const syncWorker = (body: SyncRequest): Call<SyncResponse> => ({ method: "POST", path: `api/v1/sync`, body });

/** The set of short games by which builds are compared, as the coordinator's build plays it. */
export const getSelfTest = (): Call<Array<Trial>> => ({ method: "GET", path: `api/v1/self-test` });

/** Admits a machine's own token for `work`, with a code in place of a token. */
export const join = (body: JoinRequest): Call<Joined> => ({ method: "POST", path: `api/v1/join`, body });

/** Experiments in short, the newest first; `?all=true` with those in the archive, `?tag=…` with a tag. */
export const listExperiments = (query: { all?: boolean | undefined; tag?: string | undefined } = {}): Call<Array<ExperimentSummary>> => ({ method: "GET", path: addQuery(`api/v1/experiments`, query) });

/** Applies an experiment (`gauntlet apply`). The same content again changes nothing, and other content of a known name is the next revision of that experiment. The content of an older revision is answered 409 `older_revision`, unless the query says `?supersede=true`. Players are canonical: a parameter without effect is refused. */
export const applyExperiment = (query: { supersede?: boolean | undefined } = {}, body: ExperimentSent): Call<Applied> => ({ method: "POST", path: addQuery(`api/v1/experiments`, query), body });

/** What applying an experiment would add, reopen, change, close and keep; changes nothing. */
export const diffExperiment = (body: ExperimentSent): Call<PlanDifference> => ({ method: "POST", path: `api/v1/diff`, body });

/** One experiment in full: the numbers of the chart; `?format=csv` or `.csv` after the name for a table, `?best=6` for the best lines alone; `?since=` adds an `edition`, and `?since=EDITION` leaves out every point that is as it was then. */
export const getExperiment = (key: string, query: { best?: number | undefined; format?: ReportFormat | undefined; since?: string | undefined } = {}): Call<ExperimentReport> => ({ method: "GET", path: addQuery(`api/v1/experiments/${encodeURIComponent(key)}`, query) });

/** Changes an experiment: one of `"pause"`, `"resume"`, `"stop"`, `"archive"`, `"unarchive"`, `{"weight": 2.5}`, `{"cell_weights": {"cells": ["…"], "factor": 0.1}}`, `{"note": "…"}`, `{"tags": {"add": ["a"], "remove": ["b"]}}`; answers the summary. */
export const changeExperiment = (key: string, body: ExperimentChange): Call<ExperimentSummary> => ({ method: "POST", path: `api/v1/experiments/${encodeURIComponent(key)}/change`, body });

/** Begins the confirmation of a case, or says what it would play, or what there is: `{"case": "rave_k=500"}`, with `"preview": true` for the plan alone. */
export const confirmCase = (key: string, body: ConfirmRequest): Call<ConfirmAnswer> => ({ method: "POST", path: `api/v1/experiments/${encodeURIComponent(key)}/confirm`, body });

/** Makes a case a named baseline; answered 409 `refused` if it is not confirmed, unless `"unconfirmed": true`. */
export const promoteCase = (key: string, body: PromoteRequest): Call<Promoted> => ({ method: "POST", path: `api/v1/experiments/${encodeURIComponent(key)}/promote`, body });

/** Releases pairs that were set aside. */
export const retryPairs = (key: string): Call<Retried> => ({ method: "POST", path: `api/v1/experiments/${encodeURIComponent(key)}/retry` });

/** Named baselines, the oldest first. */
export const listBaselines = (): Call<Array<NamedBaseline>> => ({ method: "GET", path: `api/v1/baselines` });

/** A named baseline with its ancestors and children. */
export const getBaseline = (name: string): Call<BaselineLineage> => ({ method: "GET", path: `api/v1/baselines/${encodeURIComponent(name)}` });

/** The revisions of an experiment, what people changed while it ran, and the games counted over time. */
export const getHistory = (key: string): Call<ExperimentHistory> => ({ method: "GET", path: `api/v1/experiments/${encodeURIComponent(key)}/history` });

/** What was applied as a revision, as it would be applied again. */
export const getRevision = (key: string, number: number): Call<Experiment> => ({ method: "GET", path: `api/v1/experiments/${encodeURIComponent(key)}/revisions/${encodeURIComponent(number)}` });

/** What a revision has otherwise than the one before, or than `?since=2`: settings in words, cells by case that it adds, changes, closes and keeps. */
export const getRevisionChanges = (key: string, number: number, query: { since?: number | undefined } = {}): Call<RevisionChanges> => ({ method: "GET", path: addQuery(`api/v1/experiments/${encodeURIComponent(key)}/revisions/${encodeURIComponent(number)}/changes`, query) });

/** The analysis of an experiment, or with `?size=6` that of one size: ranking, claims, comparison of the best cases, curves, importance of parameters, ratings. */
export const getAnalysis = (key: string, query: { size?: number | undefined } = {}): Call<ExperimentAnalysis> => ({ method: "GET", path: addQuery(`api/v1/experiments/${encodeURIComponent(key)}/analysis`, query) });

/** The stored games of an experiment by page, in the order of cells, pairs and halves. */
export const listGames = (key: string, query: { after?: string | undefined; limit?: number | undefined } = {}): Call<GamesPage> => ({ method: "GET", path: addQuery(`api/v1/experiments/${encodeURIComponent(key)}/games`, query) });

/** The [reproducibility bundle](bundle.md) of an experiment, sent while it is made. If making it fails, the connection ends before the archive does. */
export const getBundle = (key: string): string => `api/v1/experiments/${encodeURIComponent(key)}/bundle`;

/** Two experiments side by side, `?left=…&right=…`: rates, differences, a mean and a test for each series of both, and the cells that one side has alone; `left_revision` and `right_revision` choose revisions as they stood when the next one began, `left_case` and `right_case` one case of each. */
export const compareExperiments = (query: { left: string; left_case?: string | undefined; left_revision?: number | undefined; right: string; right_case?: string | undefined; right_revision?: number | undefined }): Call<SideBySide> => ({ method: "GET", path: addQuery(`api/v1/compare`, query) });

/** What a tune recommends, and how far it has come. */
export const getTune = (key: string): Call<TuneStatus> => ({ method: "GET", path: `api/v1/experiments/${encodeURIComponent(key)}/tune` });

/** The fitted win rate over two parameters, `?x=…&y=…`, with all others as recommended; `&size=6` where each size has its optimum. */
export const getTuneSurface = (key: string, query: { size?: number | undefined; x: string; y: string }): Call<TuneSurface> => ({ method: "GET", path: addQuery(`api/v1/experiments/${encodeURIComponent(key)}/tune/surface`, query) });

/** The points that a tune has played, with their cells and results; of more than 300, some from every time of the tune. */
export const getTunePoints = (key: string): Call<PlayedPoints> => ({ method: "GET", path: `api/v1/experiments/${encodeURIComponent(key)}/tune/points` });

/** The trials of a tune from a number on, `?from=N`, with their results. */
export const listTrials = (key: string, query: { from?: number | undefined; limit?: number | undefined } = {}): Call<TrialsPage> => ({ method: "GET", path: addQuery(`api/v1/experiments/${encodeURIComponent(key)}/tune/trials`, query) });

/** Points that another program proposes to a tune with the strategy `foreign`. */
export const proposePoints = (key: string, body: ProposedPoints): Call<Proposed> => ({ method: "POST", path: `api/v1/experiments/${encodeURIComponent(key)}/tune/points`, body });

/** Lets a tune learn from the games of another experiment. */
export const importTrials = (key: string, body: ImportRequest): Call<Imported> => ({ method: "POST", path: `api/v1/experiments/${encodeURIComponent(key)}/tune/import`, body });

/** [Studies](../how-to/tune-parameters.md#another-program) of other programs, the newest first. */
export const listStudies = (): Call<Array<StudySummary>> => ({ method: "GET", path: `api/v1/studies` });

/** Begins a study. The same request again gives the same study. */
export const beginStudy = (body: StudyRequest): Call<StudySummary> => ({ method: "POST", path: `api/v1/studies`, body });

/** How a study stands: its recommendation, the fitted response, and its progress. */
export const getStudy = (key: string): Call<StudyStatus> => ({ method: "GET", path: `api/v1/studies/${encodeURIComponent(key)}` });

/** The next points, 1000 at most: `{"count": 100, "key": "a name of this call"}`. */
export const askStudy = (key: string, body: AskRequest): Call<AskAnswer> => ({ method: "POST", path: `api/v1/studies/${encodeURIComponent(key)}/ask`, body });

/** Results of points in any order, 10,000 at most; all of them are stored, or none. `{"results": [{"number": 1, "wins": 2}, {"number": 2, "failed": true}]}` gives point 2 back without a result: its games are free again, and the next points may have them. Before the right result is told, a wrong one is taken back by `{"number": 1, "wins": 2, "failed": true}`, which repeats it; points that it chose are [given up](../explanation/tuning.md#how-a-tune-is-played) then. A point has as many games as the study at most. */
export const tellStudy = (key: string, body: TellRequest): Call<TellAnswer> => ({ method: "POST", path: `api/v1/studies/${encodeURIComponent(key)}/tell`, body });

/** Points of a study by number, `?from=N`, with their results; `&waiting=true` for those without. */
export const listStudyPoints = (key: string, query: { from?: number | undefined; limit?: number | undefined; waiting?: boolean | undefined } = {}): Call<PointsPage> => ({ method: "GET", path: addQuery(`api/v1/studies/${encodeURIComponent(key)}/points`, query) });

/** The points of a study that have results; of more than 300, some from every time of the study. */
export const getStudyPlayed = (key: string): Call<PlayedPoints> => ({ method: "GET", path: `api/v1/studies/${encodeURIComponent(key)}/played` });

/** The fitted win rate over two parameters, `?x=…&y=…`, with all others as recommended; `&size=6` where each size has its optimum. */
export const getStudySurface = (key: string, query: { size?: number | undefined; x: string; y: string }): Call<TuneSurface> => ({ method: "GET", path: addQuery(`api/v1/studies/${encodeURIComponent(key)}/surface`, query) });

/** Archives a study (`{"archived": true}`), or takes it back. */
export const changeStudy = (key: string, body: StudyChange): Call<StudySummary> => ({ method: "POST", path: `api/v1/studies/${encodeURIComponent(key)}/change`, body });

/** Experiments, the fleet in numbers, and its first workers. */
export const getOverview = (): Call<Overview> => ({ method: "GET", path: `api/v1/overview` });

/** What people should look at: kind, severity (`amber` or `red`), subject, the time since when, words. */
export const listAlarms = (): Call<Alarms> => ({ method: "GET", path: `api/v1/alarms` });

/** Of each experiment: the leader, the decisions, and the games of the last hour. */
export const getNews = (): Call<News> => ({ method: "GET", path: `api/v1/news` });

/** Every control cell with its result, and the light over all of them. */
export const getControl = (): Call<ControlPage> => ({ method: "GET", path: `api/v1/control` });

/** Why a worker is idle, a cell is not played or an experiment stands still, in words. */
export const explain = (key: string): Call<Why> => ({ method: "GET", path: `api/v1/why/${encodeURIComponent(key)}` });

/** Server-sent events: something changed, fetch again. */
export const streamEvents = (): string => `api/v1/events`;

/** Workers, a page at a time: `?offset=50&limit=50`. */
export const listWorkers = (query: { limit?: number | undefined; offset?: number | undefined } = {}): Call<WorkersPage> => ({ method: "GET", path: addQuery(`api/v1/workers`, query) });

/** One worker: why it plays or not, its leases, its results beside those of others, its speeds of two weeks, and what it told of itself since a person asked. */
export const getWorker = (key: string): Call<MachineReport> => ({ method: "GET", path: `api/v1/workers/${encodeURIComponent(key)}` });

/** Tells machines to pause, to go on or to leave. */
export const directWorkers = (body: DirectiveRequest): Call<Directed> => ({ method: "POST", path: `api/v1/workers/directive`, body });

/** Puts machines into quarantine with a reason (`why`), or releases them (without). */
export const quarantineWorkers = (body: QuarantineRequest): Call<Directed> => ({ method: "POST", path: `api/v1/workers/quarantine`, body });

/** Takes all counted games of machines out of the results, from a time on if one is given. */
export const excludeGames = (body: ExcludeGamesRequest): Call<GamesChanged> => ({ method: "POST", path: `api/v1/workers/exclude`, body });

/** Puts the games of machines back that were taken out together. */
export const restoreGames = (body: RestoreGamesRequest): Call<GamesChanged> => ({ method: "POST", path: `api/v1/workers/restore`, body });

/** One cell in full: its result in words and numbers, the experiments that have it and why it stands as it does, results by colour, winning shape and number of moves, and each machine beside the others. */
export const getCell = (id: string): Call<CellReport> => ({ method: "GET", path: `api/v1/cells/${encodeURIComponent(id)}` });

/** The estimate of a cell after the first pair, every so many further pairs and the last one, in the order of pairs, and what its stopping rules watch up to their decisions. */
export const getRunningCell = (id: string): Call<RunningCell> => ({ method: "GET", path: `api/v1/cells/${encodeURIComponent(id)}/running` });

/** Games searched by any column, a page at a time: `?experiment=…&cell=…&case=…&baseline=…&size=4,5&budget=1000 sims&worker=…&result=win|draw|loss&kind=fork|bridge|ring&side=white|black&status=counted|excluded|superseded&min_plies=…&max_plies=…&min_expected=80&since_ms=…&until_ms=…&opening=d4 e6&sort=newest|oldest|longest|shortest|surprising&limit=100&after=…`. A search ends after half a second: a page may have few games, and yet a `next` one. */
export const searchGames = (query: { after?: string | undefined; baseline?: string | undefined; budget?: string | undefined; case?: string | undefined; cell?: string | undefined; experiment?: string | undefined; kind?: "fork" | "bridge" | "ring" | undefined; limit?: number | undefined; max_plies?: number | undefined; min_expected?: number | undefined; min_plies?: number | undefined; opening?: string | undefined; result?: CaseResult | undefined; side?: "white" | "black" | undefined; since_ms?: number | undefined; size?: string | undefined; sort?: GameOrder | undefined; status?: GameStatus | undefined; until_ms?: number | undefined; worker?: string | undefined } = {}): Call<FoundGames> => ({ method: "GET", path: addQuery(`api/v1/games`, query) });

/** The same search, its first 2000 games summed up by move number: simulations, nodes, time, expected and actual result, lengths. */
export const sumGames = (query: { after?: string | undefined; baseline?: string | undefined; budget?: string | undefined; case?: string | undefined; cell?: string | undefined; experiment?: string | undefined; kind?: "fork" | "bridge" | "ring" | undefined; limit?: number | undefined; max_plies?: number | undefined; min_expected?: number | undefined; min_plies?: number | undefined; opening?: string | undefined; result?: CaseResult | undefined; side?: "white" | "black" | undefined; since_ms?: number | undefined; size?: string | undefined; sort?: GameOrder | undefined; status?: GameStatus | undefined; until_ms?: number | undefined; worker?: string | undefined } = {}): Call<ByMoveNumber> => ({ method: "GET", path: addQuery(`api/v1/games/by-move`, query) });

/** Pairs that machines play at the moment. */
export const listPairsInPlay = (): Call<PairsInPlay> => ({ method: "GET", path: `api/v1/games/in-play` });

/** A pair that a machine plays at the moment, with the moves of its game under way. */
export const getGameInPlay = (lease: string): Call<GameInPlay> => ({ method: "GET", path: `api/v1/games/in-play/${encodeURIComponent(lease)}` });

/** One game with everything needed to play it again. */
export const getGame = (id: string, query: { lease?: LeaseId | undefined } = {}): Call<GameReport> => ({ method: "GET", path: addQuery(`api/v1/games/${encodeURIComponent(id)}`, query) });

/** One game for people, with the winning shape and the parameters that differ. */
export const getGameView = (id: string, query: { lease?: LeaseId | undefined } = {}): Call<GameView> => ({ method: "GET", path: addQuery(`api/v1/games/${encodeURIComponent(id)}/view`, query) });

/** One game as a game file. */
export const getGameFile = (id: string, query: { lease?: LeaseId | undefined } = {}): string => addQuery(`api/v1/games/${encodeURIComponent(id)}/sgf`, query);

/** Takes a play out of the results with a reason. */
export const excludeGame = (id: string, body: ExcludeRequest): Call<undefined> => ({ method: "POST", path: `api/v1/games/${encodeURIComponent(id)}/exclude`, body });

/** Puts a play back into the results. */
export const restoreGame = (id: string, body: RestoreRequest): Call<Restored> => ({ method: "POST", path: `api/v1/games/${encodeURIComponent(id)}/restore`, body });

/** Tokens without their secrets. */
export const listTokens = (): Call<Array<TokenLine>> => ({ method: "GET", path: `api/v1/tokens` });

/** Makes a token. */
export const createToken = (body: TokenRequest): Call<NewToken> => ({ method: "POST", path: `api/v1/tokens`, body });

/** Revokes a token. */
export const revokeToken = (key: string): Call<TokenLine> => ({ method: "POST", path: `api/v1/tokens/${encodeURIComponent(key)}/revoke` });

/** Pages that are signed in. */
export const listPages = (): Call<Array<PageLine>> => ({ method: "GET", path: `api/v1/pages` });

/** Signs a page out. */
export const endPage = (id: string): Call<PageLine> => ({ method: "POST", path: `api/v1/pages/${encodeURIComponent(id)}/end` });

/** Makes a code by which machines join. */
export const createJoinCode = (body: JoinCodeRequest): Call<JoinCode> => ({ method: "POST", path: `api/v1/join-codes`, body });

/** Lets a code (`code`), or every code, admit no more. */
export const withdrawJoinCodes = (body: WithdrawRequest): Call<Withdrawn> => ({ method: "POST", path: `api/v1/join-codes/withdraw`, body });

/** Who the caller is. */
export const getSession = (): Call<Session> => ({ method: "GET", path: `api/v1/session` });

/** Signs a page in with a token, for a cookie of its own. */
export const openSession = (body: SignIn): Call<Session> => ({ method: "POST", path: `api/v1/session`, body });

/** Signs a page out. */
export const closeSession = (): Call<undefined> => ({ method: "DELETE", path: `api/v1/session` });

/** Who changed what, the latest first. */
export const listChanges = (query: { before?: number | undefined; limit?: number | undefined } = {}): Call<AuditPage> => ({ method: "GET", path: addQuery(`api/v1/audit`, query) });

/** The OpenAPI 3.1 document of these calls, with their schemas. */
export const getOpenApi = (): Call<unknown> => ({ method: "GET", path: `api/v1/openapi.json` });

/** Numbers for Prometheus. */
export const getMetrics = (): string => `metrics`;

/** 200 while the process works. An unreachable database is no reason to restart it. */
export const isLive = (): string => `livez`;

/** 200 while the coordinator can read its database. */
export const isHealthy = (): string => `healthz`;

/** 200 while the coordinator can store results. */
export const isReady = (): string => `readyz`;
