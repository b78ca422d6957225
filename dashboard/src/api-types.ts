// Written by `GAUNTLET_WRITE=1 cargo test -p protocol typescript` from `protocol/src`.

/**
 * Something that people should look at.
 */
export type Alarm = {
/**
 * The kind.
 */
kind: AlarmKind,
/**
 * How serious it is.
 */
severity: Severity,
/**
 * What it is about, for people: a machine's name, or `control`.
 */
subject: string,
/**
 * The machine that it is about, if it is about one.
 */
worker?: WorkerId,
/**
 * Since when it stands, in milliseconds since 1970.
 */
since_ms: number,
/**
 * What is wrong, in words.
 */
words: string, };

/**
 * The kind of an alarm.
 */
export type AlarmKind = "control" | "results" | "speed" | "drift" | "choice" | "bias";

/**
 * All alarms that are not over, red ones first, then the oldest first: `GET /api/v1/alarms`.
 */
export type Alarms = {
/**
 * The alarms.
 */
alarms: Array<Alarm>, };

/**
 * A pair that was set aside after repeated failures. It is not handed out until somebody asks for a retry.
 */
export type AsidePair = {
/**
 * The cell.
 */
cell: CellId,
/**
 * Case, baseline and size.
 */
what: string,
/**
 * The number of the pair within the cell.
 */
pair: number,
/**
 * How often the pair was leased and not completed.
 */
failures: number,
/**
 * The last failure.
 */
why: string,
/**
 * When the pair was set aside, in milliseconds since 1970.
 */
since_ms: number, };

/**
 * An entry of the audit log.
 */
export type AuditEntry = {
/**
 * The number of the change, from 1, in order.
 */
seq: number,
/**
 * The time, in milliseconds since 1970.
 */
at_ms: number,
/**
 * The name of the caller's token, or of the user of a command on the database.
 */
who: string,
/**
 * The kind of change, such as `apply`, `exclude` or `revoke`.
 */
action: string,
/**
 * The object that was changed.
 */
what: string,
/**
 * Further details.
 */
detail: string, };

/**
 * A page of the audit log, latest change first: `GET /api/v1/audit`.
 */
export type AuditPage = {
/**
 * The changes.
 */
entries: Array<AuditEntry>,
/**
 * The value of `before` for the next page; absent on the last page.
 */
next: number | null, };

/**
 * `GET /api/v1/baselines/{name}`: a named baseline with its ancestors and its children.
 */
export type BaselineLineage = {
/**
 * The baseline.
 */
baseline: NamedBaseline,
/**
 * Its parent, the parent of that, and so on.
 */
ancestors: Array<NamedBaseline>,
/**
 * The names of the baselines whose parent it is.
 */
children: Array<string>, };

/**
 * How the number of games of a sweep was determined, and so which numbers are valid.
 */
export type Basis = "any_look" | "complete";

/**
 * A machine's games beside those of other machines in the same cell, colour by colour.
 */
export type BesideOthers = {
/**
 * The case's score in the others' games, weighted like the machine's own games.
 */
rate: number,
/**
 * The residual: the machine's score minus that of the others.
 */
difference: number,
/**
 * The chance that honest machines differ as much, for one look at one machine; absent where all results are equal.
 */
p_value: number | null, };

/**
 * The budget of a move, before a worker converts it for its own machine.
 */
export type Budget = { "sims": number } | { "reference_seconds": number };

/**
 * Sums over the games of a search, by move number: `GET /api/v1/games/by-move`.
 */
export type ByMoveNumber = {
/**
 * The games summed up.
 */
games: number,
/**
 * Games of the search whose moves were deleted to make room.
 */
without_moves: number,
/**
 * Whether these are all games of the search; otherwise they are the first ones in its order.
 */
is_all: boolean,
/**
 * In ascending order; numbers that no game has are left out.
 */
numbers: Array<MoveNumber>, };

/**
 * The cells of a case that change alike.
 */
export type CaseDifference = {
/**
 * The change.
 */
change: CellChange,
/**
 * The test group.
 */
group: string,
/**
 * The case.
 */
case: string,
/**
 * The baseline.
 */
baseline: string,
/**
 * The number of cells.
 */
cells: number,
/**
 * Games that the plan has in these cells afterwards, or had before if they are closed.
 */
games_planned: number,
/**
 * Games of them that are played already. They stay stored whatever happens.
 */
games_played: number, };

/**
 * How a game ended for the case.
 */
export type CaseResult = "win" | "draw" | "loss";

/**
 * How a cell changes with a revision.
 */
export type CellChange = "added" | "reopened" | "changed" | "closed" | "kept";

/**
 * What a revision changes in the cells of a plan.
 */
export type CellChanges = {
/**
 * Cells that the plan did not have.
 */
added: number,
/**
 * Cells that an earlier revision had closed. Their games count again.
 */
reopened: number,
/**
 * Cells with other names, weights or numbers of games.
 */
changed: number,
/**
 * Cells that are closed: not played any more, and not shown. Their games stay stored.
 */
closed: number,
/**
 * Cells that stay as they are.
 */
kept: number, };

/**
 * A cell: the digest of case, baseline, size, budget, openings, seed and engine semantics.
 */
export type CellId = string;

/**
 * The counted games of a machine in a cell.
 */
export type CellMachine = {
/**
 * The machine.
 */
worker: WorkerId,
/**
 * Its name.
 */
name: string,
/**
 * Counted games.
 */
games: number,
/**
 * Games won by the case.
 */
wins: number,
/**
 * Games drawn.
 */
draws: number,
/**
 * Games lost by the case.
 */
losses: number,
/**
 * The case's score.
 */
rate: number,
/**
 * The comparison with the other machines; absent where nobody else has games of the same colour.
 */
beside?: BesideOthers, };

/**
 * What an experiment plans for a cell.
 */
export type CellPlan = {
/**
 * The experiment.
 */
experiment: PlannedBy,
/**
 * The case's group and label in that experiment.
 */
case: string,
/**
 * The baseline's label in that experiment.
 */
baseline: string,
/**
 * The pairs that it plans.
 */
pairs: number,
/**
 * Whether it has the cell played.
 */
state: CellState, };

/**
 * A cell in full: `GET /api/v1/cells/{id}`.
 */
export type CellReport = {
/**
 * The cell.
 */
id: CellId,
/**
 * The case's group and label, as the first of the plans names them.
 */
case: string,
/**
 * The baseline's label.
 */
baseline: string,
/**
 * The board.
 */
size: number,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * How the games begin, in words.
 */
opening: string,
/**
 * `engine::SEMANTICS` of its games.
 */
semantics: number,
/**
 * Whether this build plays its games bit for bit alike.
 */
is_repeatable: boolean,
/**
 * What the games show, in words.
 */
finding: string,
/**
 * Everything that was counted. Numbers of planned games and the verdict are those of the first plan.
 */
point: Point,
/**
 * The confidence level of the intervals, such as 0.95.
 */
confidence: number,
/**
 * The method of the intervals.
 */
interval_method: string,
/**
 * The method of the confidence sequences.
 */
sequence_method: string,
/**
 * The experiments that have the cell, the active ones first.
 */
plans: Array<CellPlan>,
/**
 * Why the cell is in its present state, in words, as `gauntlet why` tells.
 */
reasons: Array<string>,
/**
 * The parameters in which the players differ.
 */
parameters: Array<DifferingParameter>,
/**
 * The case's differences from the engine's defaults.
 */
case_params: ParamSet,
/**
 * The baseline's differences from the engine's defaults.
 */
baseline_params: ParamSet,
/**
 * The case's results as White, who moves first, and as Black.
 */
colours: Array<ColourResults>,
/**
 * The wins of both players by the winning shape: fork, bridge, ring.
 */
shapes: Array<ShapeResults>,
/**
 * The counted games by their number of moves, the shortest first.
 */
lengths: Array<LengthResults>,
/**
 * The machines that played counted games, those with most games first.
 */
machines: Array<CellMachine>,
/**
 * Why games ended without a result that counts, the most frequent reason first.
 */
voids: Array<VoidReason>, };

/**
 * A case on one size.
 */
export type CellResult = {
/**
 * The case.
 */
case: string,
/**
 * The board size.
 */
size: number,
/**
 * Complete pairs.
 */
pairs: number,
/**
 * The rate.
 */
rate: number,
/**
 * The natural logarithm of the e-value against 50 %.
 */
log_e_value: number,
/**
 * Whether the rate differs from 50 %, with all cells taken into account. If so, it is on the side of the rate.
 */
differs: boolean,
/**
 * Lower end of the Wilson interval on effective games.
 */
low: number | null,
/**
 * Upper end of that interval.
 */
high: number | null,
/**
 * The correlation of the scores of two cases from one opening, which comparisons of this cell take into account.
 */
agreement: number | null,
/**
 * The rate, shrunken towards the mean of all cases on this size.
 */
shrunken: number | null,
/**
 * The p-value of 50 % that belongs to the interval, for a number of games that was fixed beforehand.
 */
p_value: number | null,
/**
 * That p-value adjusted by Benjamini and Hochberg.
 */
adjusted_p_value: number | null, };

/**
 * Whether an experiment has a cell played.
 */
export type CellState = "open" | "complete" | "stopped" | "ended" | "in_play" | "set_aside" | "closed" | "paused" | "archived";

/**
 * The result of a chi-square test.
 */
export type ChiSquare = {
/**
 * The sum of squared standardised deviations.
 */
statistic: number,
/**
 * The degrees of freedom, at least 1.
 */
degrees: number,
/**
 * The chance of a statistic at least as large if the hypothesis is true.
 */
p_value: number, };

/**
 * The case's results with one colour.
 */
export type ColourResults = {
/**
 * The side that the case played.
 */
side: "white" | "black",
/**
 * Games won by the case.
 */
wins: number,
/**
 * Games drawn.
 */
draws: number,
/**
 * Games lost by the case.
 */
losses: number,
/**
 * The case's score; absent without games.
 */
rate: number | null,
/**
 * Lower end of the interval of the score.
 */
low: number | null,
/**
 * Upper end of the interval.
 */
high: number | null, };

/**
 * Two cells on the same board size.
 */
export type ComparedPoint = {
/**
 * The board size.
 */
size: number,
/**
 * The first side's cell.
 */
left_cell: CellId,
/**
 * The second side's cell. The same cell has the same games.
 */
right_cell: CellId,
/**
 * The first side's rate; absent before the first complete pair.
 */
left: Gap | null,
/**
 * The second side's rate.
 */
right: Gap | null,
/**
 * Complete pairs of the first side.
 */
left_pairs: number,
/**
 * Complete pairs of the second side.
 */
right_pairs: number,
/**
 * The first rate less the second. If both sides are the same cell at two times, the later one counts with the pairs that the earlier
 * one does not have.
 */
difference: Gap | null,
/**
 * The verdict.
 */
verdict: ComparedVerdict, };

/**
 * Two series that belong together.
 */
export type ComparedSeries = {
/**
 * The case of the first side.
 */
left: string,
/**
 * The case of the second side.
 */
right: string,
/**
 * The opponent of both; with its name on the second side if that is another one.
 */
against: string,
/**
 * The budget of a move; that of the first side and that of the second if they differ.
 */
budget: string,
/**
 * The sizes of both, ascending.
 */
points: Array<ComparedPoint>,
/**
 * The mean difference over sizes, weighted by precision; absent before both sides have results of their own on a size.
 */
mean: Gap | null,
/**
 * The p-value of no difference on any size.
 */
p_value: number | null, };

/**
 * A side of a comparison.
 */
export type ComparedSide = {
/**
 * The experiment.
 */
experiment: ExperimentId,
/**
 * The experiment's name.
 */
name: string,
/**
 * The only case compared; absent for all.
 */
case: string | null,
/**
 * The revision whose cells are compared; absent for the newest.
 */
revision: number | null,
/**
 * When the next revision began, in milliseconds since 1970: pairs that were completed later do not count. Absent if results go on.
 */
until_ms: number | null, };

/**
 * Whether two rates are the same.
 */
export type ComparedVerdict = "agrees" | "differs" | "too_few_games" | "not_played" | "same_cell";

/**
 * The difference between two cases, pair by pair: both met the same openings with the same seeds and the same baseline.
 */
export type Comparison = {
/**
 * The baseline of both.
 */
against: string,
/**
 * The budget of a move.
 */
budget: string,
/**
 * The best case of the field.
 */
best: string,
/**
 * The other case.
 */
case: string,
/**
 * The number of sizes with common openings.
 */
sizes: number,
/**
 * The p-value of the hypothesis that the other case is the best of the field. It allows for the choice of the best case by the
 * same games: the cases with more than 0.05 contain a best one with a confidence of 95 %.
 */
adjusted_p_value: number,
/**
 * Openings that both cases played, on all sizes.
 */
openings: number,
/**
 * The first case's rate less the second's.
 */
difference: number,
/**
 * The fraction of games that common openings saved: 1 − Var(x − y)/(Var x + Var y). Negative when they cost games; absent
 * when both cases always score the same.
 */
saved: number | null,
/**
 * Two-sided p-value of no difference: no smaller than a test of the signs of the differences could give.
 */
p_value: number, };

/**
 * The answer to a [`ConfirmRequest`].
 */
export type ConfirmAnswer = {
/**
 * Whether this request began the confirmation.
 */
began: boolean,
/**
 * The confirmation: the one that was begun, or the last one that exists.
 */
confirmation?: Confirmation,
/**
 * What is played, or would be; absent where an earlier confirmation is the answer.
 */
plan?: ConfirmationPlan, };

/**
 * `POST /api/v1/experiments/{id or name}/confirm`: begins the confirmation of a case of this experiment, or says what it
 * would play.
 */
export type ConfirmRequest = {
/**
 * The case: its name in the results, its group if that has one case, or the first digits of the id of its player or of
 * one of its cells.
 */
case: string,
/**
 * The baseline, named likewise. Needed where the case meets several.
 */
against?: string,
/**
 * The board sizes; empty for all on which the case is played.
 */
sizes?: number[],
/**
 * The hypotheses of the tests; absent for 0 and 20 Elo.
 */
hypotheses?: Hypotheses,
/**
 * The chance that a test accepts the upper hypothesis where the lower one is true; absent for 0.05.
 */
alpha?: number,
/**
 * The chance of the opposite mistake; absent for 0.05.
 */
beta?: number,
/**
 * Games at which a test is given up; absent for four times the mean length at the worst rate.
 */
most_games?: number,
/**
 * The share of the workers, relative to other experiments; absent for 1.
 */
weight?: number,
/**
 * Whether to begin another confirmation if there is one.
 */
again: boolean,
/**
 * Whether to say what would be played, and begin nothing.
 */
preview: boolean, };

/**
 * A confirmation that was begun, and what it found so far.
 */
export type Confirmation = {
/**
 * The experiment that plays it.
 */
experiment: ExperimentId,
/**
 * Its name.
 */
name: string,
/**
 * The experiment that the case comes from.
 */
origin: ExperimentId,
/**
 * Its name.
 */
origin_name: string,
/**
 * The revision of its plan when the confirmation began.
 */
origin_revision: number,
/**
 * The name of the case in it.
 */
case: string,
/**
 * The player that is the case.
 */
case_player: PlayerId,
/**
 * The name of the baseline.
 */
baseline: string,
/**
 * The player that is the baseline.
 */
baseline_player: PlayerId,
/**
 * The number of the confirmation of this case, from 1. A case that is confirmed at the third attempt has had three chances.
 */
number: number,
/**
 * The test of each cell in words.
 */
rule: string,
/**
 * The state of the experiment that plays it.
 */
state: ExperimentState,
/**
 * Whether the plan is the one that it began with.
 */
as_planned: boolean,
/**
 * What the tests say together.
 */
verdict: ConfirmationVerdict,
/**
 * The same in words.
 */
words: string,
/**
 * Complete pairs in all cells.
 */
pairs: number,
/**
 * The cells.
 */
cells: Array<ConfirmedCell>,
/**
 * Of the confirmation of a baseline: where the case was played without a test when it was promoted, such as
 * `on size 6 at 1 s`.
 */
untested?: Array<string>,
/**
 * When it began, in milliseconds since 1970.
 */
began_ms: number,
/**
 * Who began it.
 */
who: string, };

/**
 * A cell that a confirmation plays.
 */
export type ConfirmationCell = {
/**
 * The board.
 */
size: number,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * Pairs at which the test is given up.
 */
most_pairs: number,
/**
 * The mean number of pairs if the lower hypothesis is true.
 */
pairs_if_lower: number,
/**
 * The same halfway between the hypotheses.
 */
pairs_if_between: number,
/**
 * The same if the upper hypothesis is true.
 */
pairs_if_upper: number, };

/**
 * What a confirmation plays.
 */
export type ConfirmationPlan = {
/**
 * The name of the experiment that plays it.
 */
name: string,
/**
 * The case.
 */
case: string,
/**
 * The baseline.
 */
baseline: string,
/**
 * The number of the confirmation of this case, from 1.
 */
number: number,
/**
 * The test of each cell in words.
 */
rule: string,
/**
 * How games begin, and what is fresh, in words.
 */
openings: string,
/**
 * The share of the workers, relative to other experiments.
 */
weight: number,
/**
 * The cells.
 */
cells: Array<ConfirmationCell>,
/**
 * The mean number of pairs in all cells, if the lower hypothesis is true in each.
 */
pairs_if_lower: number,
/**
 * The same halfway between the hypotheses, where tests take longest.
 */
pairs_if_between: number,
/**
 * The same if the upper hypothesis is true in each.
 */
pairs_if_upper: number, };

/**
 * What the tests of a confirmation say together.
 */
export type ConfirmationVerdict = "open" | "confirmed" | "mixed" | "refuted" | "inconclusive";

/**
 * A cell of a confirmation.
 */
export type ConfirmedCell = {
/**
 * The cell.
 */
cell: CellId,
/**
 * The board.
 */
size: number,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * The outcome of the test.
 */
outcome: StopOutcome,
/**
 * Pairs that the test has read.
 */
pairs: number,
/**
 * Win rate after the decision, corrected for the stop; absent before, and after a stop by a person.
 */
rate: number | null,
/**
 * Lower end of its interval.
 */
low: number | null,
/**
 * Upper end of its interval.
 */
high: number | null,
/**
 * All of this in words.
 */
words: string, };

/**
 * What an experiment that plays a confirmation confirms, in short.
 */
export type Confirms = {
/**
 * The experiment that the case comes from.
 */
origin: ExperimentId,
/**
 * Its name.
 */
origin_name: string,
/**
 * The case.
 */
case: string,
/**
 * What the tests say together.
 */
verdict: ConfirmationVerdict, };

/**
 * A control cell with its result.
 */
export type ControlCell = {
/**
 * The name of the player that meets itself.
 */
label: string,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * The experiments that plan the cell.
 */
experiments: Array<PlannedBy>,
/**
 * Everything that was counted. Its planned games are those that began.
 */
point: Point, };

/**
 * Every control cell: `GET /api/v1/control`.
 */
export type ControlPage = {
/**
 * All cells judged together; absent without pairs.
 */
control?: ControlReport,
/**
 * The cells, in the order of their ids.
 */
cells: Array<ControlCell>, };

/**
 * The state of the control: all cells whose case is their baseline, in experiments that are not archived.
 */
export type ControlReport = {
/**
 * The light.
 */
light: Light,
/**
 * The state in words.
 */
words: string,
/**
 * Control cells with complete pairs.
 */
cells: number,
/**
 * Their complete pairs.
 */
pairs: number,
/**
 * The score over all of them.
 */
rate: number,
/**
 * The natural logarithm of the e-value against 50 %, which holds however often it is looked at.
 */
log_e_value: number, };

/**
 * A fitted curve and its highest point.
 */
export type Curve = {
/**
 * Whether the curve is fitted to the logarithm of the parameter.
 */
logarithmic: boolean,
/**
 * The number of values that the curve is fitted to: all of them, or those near the optimum.
 */
values: number,
/**
 * The smallest of these values.
 */
from: number,
/**
 * The largest of these values.
 */
to: number,
/**
 * The coefficients c₀, c₁, c₂ of logit(rate) = c₀ + c₁u + c₂u². u runs from −1 at `from` to 1 at `to`, in equal steps of
 * the parameter or of its logarithm.
 */
coefficients: [number, number, number],
/**
 * Places of the curve for a picture: values of the parameter in equal steps of u, each with the rate.
 */
line: Array<[number, number]>,
/**
 * The score test that the parameter has no effect (c₁ = c₂ = 0).
 */
no_effect: ChiSquare,
/**
 * The test that the curve fits; absent with three values, which a curve always fits.
 */
misfit: ChiSquare | null,
/**
 * Where the curve is highest.
 */
optimum: Optimum, };

/**
 * The cells of a case that have the same decision.
 */
export type Decided = {
/**
 * The case.
 */
case: string,
/**
 * The baseline.
 */
against: string,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * The decision. `open` means that a stopping rule has ended and 50 % is not excluded.
 */
verdict: Verdict,
/**
 * The cells.
 */
cells: Array<DecidedCell>, };

/**
 * A cell with a decision.
 */
export type DecidedCell = {
/**
 * The cell.
 */
cell: CellId,
/**
 * The board.
 */
size: number, };

/**
 * A parameter in which the players of a game differ.
 */
export type DifferingParameter = {
/**
 * Its name.
 */
name: string,
/**
 * The case's value.
 */
case: string,
/**
 * The baseline's value.
 */
baseline: string, };

/**
 * What the worker should do from now on.
 */
export type Directive = "work" | "pause" | "drain";

/**
 * How a parameter's effect is modelled.
 */
export type EffectModel = "levels" | "quadratic";

/**
 * The analysis of an experiment. It is computed from counters and from the scores of pairs, and never from games.
 */
export type ExperimentAnalysis = {
/**
 * The experiment.
 */
id: ExperimentId,
/**
 * The experiment's name.
 */
name: string,
/**
 * The question that the experiment answers.
 */
question: string,
/**
 * The one board size that was asked for; absent for all sizes together. Ranking, claims and numbers of games are then those of this size.
 */
size?: number,
/**
 * Whether nothing more will be played. If not, all numbers may still change.
 */
has_ended: boolean,
/**
 * Whether the games that were planned beforehand are all finished, and no rule, tune or change of the planned pairs may have looked at
 * results on the way. Only then do the numbers for a fixed number of games hold.
 */
is_complete: boolean,
/**
 * Games counted.
 */
games_done: number,
/**
 * Games planned.
 */
games_planned: number,
/**
 * Rankings, claims, curves, importance of parameters and ratings. Cases that equal their baseline are left out: they are
 * controls.
 */
sweep: SweepAnalysis,
/**
 * The names that the series of the experiment's report have here, in the order of the report.
 */
series: Array<SeriesNames>,
/**
 * The best case of each field, by shrunken rates, compared with those that follow it. Empty unless the games are complete: the tests are
 * those of a fixed number of openings.
 */
comparisons: Array<Comparison>, };

/**
 * `POST /api/v1/experiments/{id or name}/change`: changes an experiment beside its plan. The answer is the summary.
 */
export type ExperimentChange = "pause" | "resume" | "stop" | "archive" | "unarchive" | { "weight": number } | { "cell_weights": {
/**
 * The cells.
 */
cells: Array<CellId>,
/**
 * The factor.
 */
factor: number, } } | { "note": string } | { "tags": {
/**
 * The tags to add.
 */
add: Array<string>,
/**
 * The tags to remove.
 */
remove: Array<string>, } };

/**
 * The history of an experiment: `GET /api/v1/experiments/{id or name}/history`.
 */
export type ExperimentHistory = {
/**
 * The experiment now.
 */
summary: ExperimentSummary,
/**
 * The revisions of its plan, the newest first.
 */
revisions: Array<Revision>,
/**
 * What people changed while it ran, the latest change first, at most a thousand: revisions, weights, pauses, exclusions,
 * notes.
 */
changes: Array<AuditEntry>,
/**
 * The games counted so far, over time: by hours, and lately by minutes.
 */
games: Array<GamesUntil>, };

/**
 * An experiment: the digest of everything meaningful in its file.
 */
export type ExperimentId = string;

/**
 * The news of an experiment.
 */
export type ExperimentNews = {
/**
 * The experiment.
 */
id: ExperimentId,
/**
 * Games counted in the last hour, in thirty slices of two minutes, the oldest first. The last slice has just begun.
 */
games: Array<number>,
/**
 * The best case; absent before the first complete pair, and where no case differs from its baseline.
 */
leader?: Leader,
/**
 * The cases with a decision, in the order of the file, at most a hundred.
 */
decided: Array<Decided>,
/**
 * The number of cases with a decision.
 */
cases_decided: number,
/**
 * The number of cells with a decision.
 */
cells_decided: number, };

/**
 * One experiment in full: `GET /api/v1/experiments/{id}`, and the JSON export.
 */
export type ExperimentReport = {
/**
 * The summary.
 */
summary: ExperimentSummary,
/**
 * Board sizes, ascending.
 */
sizes: number[],
/**
 * One series per case, baseline and budget, in the order of the file.
 */
series: Array<Series>,
/**
 * The same cases as earlier versions of the engine played them, in cells that a revision closed.
 */
earlier: Array<Series>,
/**
 * The confidence level of the intervals, such as 0.95.
 */
confidence: number,
/**
 * The method of the intervals, for the legend.
 */
interval_method: string,
/**
 * The method of the confidence sequences, for the legend.
 */
sequence_method: string,
/**
 * What a confidence sequence guarantees, in words.
 */
guarantee: string,
/**
 * The pairs set aside, at most a hundred.
 */
aside: Array<AsidePair>,
/**
 * What a reader must know, in words: games that count though their machine is in quarantine or though machines disagree on
 * them, and cases that are the same player as their baseline or as another case.
 */
warnings: Array<string>,
/**
 * The latest changes that people made while it ran, the last one first, at most twenty.
 */
timeline: Array<AuditEntry>,
/**
 * Names this state of the points: an answer to `?since=EDITION` has only those points that have changed. Only callers that ask
 * with `since` get one.
 */
edition?: string,
/**
 * The edition to which `series` has the changes. Without one, `series` is complete.
 */
since?: string, };

/**
 * An experiment's state.
 */
export type ExperimentState = "active" | "finished" | "stuck" | "paused" | "stopped" | "archived";

/**
 * A summary of an experiment.
 */
export type ExperimentSummary = {
/**
 * The experiment's id.
 */
id: ExperimentId,
/**
 * The experiment's name, a label.
 */
name: string,
/**
 * The question that the experiment answers.
 */
question: string,
/**
 * The experiment's state.
 */
state: ExperimentState,
/**
 * The share of the workers, relative to other experiments.
 */
weight: number,
/**
 * The number of the newest revision of the plan, from 1.
 */
revision: number,
/**
 * Labels that people gave it, in alphabetical order.
 */
tags: Array<string>,
/**
 * Whether it is the control that the coordinator keeps by itself, which has no end: the numbers of planned games mean nothing.
 */
is_control: boolean,
/**
 * Whether it looks for the best setting of some parameters.
 */
is_tune: boolean,
/**
 * The number of cells in the plan: case × baseline × size × budget.
 */
cells: number,
/**
 * Games planned.
 */
games_planned: number,
/**
 * Planned games that are counted.
 */
games_done: number,
/**
 * Planned games that will not be played, because a stopping rule ended their cells before.
 */
games_not_needed: number,
/**
 * Pairs leased now.
 */
pairs_in_flight: number,
/**
 * Pairs set aside after repeated failures.
 */
pairs_aside: number,
/**
 * The part of the workers' core time that the experiment gets now, from 0 to 1; absent while it has no pair to be leased.
 */
share?: number,
/**
 * Core seconds that the experiment was charged for its leases, with estimates for those in play.
 */
core_seconds: number,
/**
 * Games counted per minute, over the last few minutes.
 */
games_per_minute: number,
/**
 * Seconds to the end at that rate; absent while nothing is counted.
 */
seconds_left: number | null,
/**
 * The case that the experiment confirms, if it plays a confirmation.
 */
confirms?: Confirms,
/**
 * Why none of the missing games is being played, if none is.
 */
stalled?: string,
/**
 * When the experiment was first applied, in milliseconds since 1970.
 */
created_ms: number, };

/**
 * The cases that play against the same baseline with the same budget.
 */
export type Field = {
/**
 * The baseline.
 */
against: string,
/**
 * The budget of a move.
 */
budget: string,
/**
 * The sizes, ascending.
 */
sizes: Array<number>,
/**
 * The cases with games, the one with the best shrunken rate first. Of equal ones, that with the best rate comes first.
 */
cases: Array<RankedCase>,
/**
 * Whether cases can be compared: each has all sizes, or shares enough sizes with others to complete what it misses.
 */
comparable: boolean,
/**
 * The mean of the rates of the cases, with the luck that their common openings give all of them.
 */
mean: number | null,
/**
 * The standard deviation of the true rates of the cases, chance taken out.
 */
spread: number | null,
/**
 * By how much the best case would look better than the mean if all cases were equal: the winner's curse.
 */
luck_of_the_best: number | null,
/**
 * The cells with games, by size. Of a size, the one with the best shrunken rate comes first, and of equal ones that with the
 * best rate.
 */
cells: Array<CellResult>,
/**
 * The test that the differences between the cases are the same on all sizes. Absent with one case or one size.
 */
interaction: ChiSquare | null,
/**
 * The test that all cases have the same average over sizes. Absent with one case.
 */
difference: ChiSquare | null,
/**
 * The curve of each numeric parameter, over all sizes and by size.
 */
curves: Array<ParameterCurve>,
/**
 * The importance of each parameter. Absent unless several parameters vary, and their effects can be separated.
 */
importance: Importances | null, };

/**
 * Numbers of workers.
 */
export type Fleet = {
/**
 * All workers that ever called.
 */
workers: number,
/**
 * Machines that never called: their games were imported, or somebody settled disputes by hand.
 */
others: number,
/**
 * Workers that are present.
 */
alive: number,
/**
 * Slots of present workers.
 */
slots: number,
/**
 * The speed of present workers together: so many cores of the reference machine.
 */
reference_cores: number,
/**
 * Workers in quarantine, present or not.
 */
quarantined: number,
/**
 * Present workers whose program has another version than the coordinator's.
 */
outdated: number,
/**
 * All group labels.
 */
labels: Array<string>, };

/**
 * The speed of the machines that are present on a size.
 */
export type FleetSpeed = {
/**
 * The board.
 */
size: number,
/**
 * Machines that measured this size.
 */
machines: number,
/**
 * The median of their speeds relative to the reference machine.
 */
relative: number, };

/**
 * A stored play in a list.
 */
export type FoundGame = {
/**
 * The game's id, the same for all plays of the game.
 */
id: GameId,
/**
 * The lease of this play, which identifies the play.
 */
lease: LeaseId,
/**
 * The game's cell.
 */
cell: CellId,
/**
 * The number of the pair within the cell.
 */
pair: number,
/**
 * The experiments that plan the cell, the active ones first.
 */
experiments: Array<PlannedBy>,
/**
 * The case's group and label, as the first of the experiments names them.
 */
case: string,
/**
 * The baseline's label.
 */
baseline: string,
/**
 * The board.
 */
size: number,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * The side the case played.
 */
case_side: "white" | "black",
/**
 * How the game ended for the case.
 */
result: CaseResult,
/**
 * The winning shape.
 */
kind?: "fork" | "bridge" | "ring",
/**
 * The number of moves, with those of the opening.
 */
plies: number,
/**
 * The highest result, from 0 to 1, that the loser expected at one of its moves; absent below 0.7 and for games without a loser.
 */
loser_expected?: number,
/**
 * Whether the play counts.
 */
status: GameStatus,
/**
 * Why the play was excluded.
 */
reason?: string,
/**
 * The worker that played it.
 */
worker: WorkerId,
/**
 * The worker's name.
 */
worker_name: string,
/**
 * When the play was stored, in milliseconds since 1970.
 */
received_ms: number, };

/**
 * A page of a search: `GET /api/v1/games`.
 */
export type FoundGames = {
/**
 * The plays, in the order of the search.
 */
games: Array<FoundGame>,
/**
 * The value of `after` for the next page; absent when there are no more. A page may have fewer games than its limit,
 * even none, and yet a next one: a search ends after a while, wherever it is.
 */
next?: string,
/**
 * The plays that were looked at for this page.
 */
looked_at: number, };

/**
 * A game, fixed when its pair is first leased: the digest of cell, pair and half.
 */
export type GameId = string;

/**
 * A game under way: `GET /api/v1/games/in-play/{lease}`. Who asks is somebody who looks: the worker tells the moves with its next
 * calls.
 */
export type GameInPlay = {
/**
 * Its pair.
 */
pair: PairInPlay,
/**
 * The opening: cells in GUI notation, in order, White first.
 */
opening: Array<string>,
/**
 * The games of the pair, in the order in which they are played.
 */
games: [GameId, GameId],
/**
 * The game of the pair that is played; absent until its worker has told of it.
 */
game?: GameId,
/**
 * The side the case plays in it.
 */
case_side: "white" | "black",
/**
 * The players' moves so far.
 */
moves: Array<ViewedMove>,
/**
 * When its worker told of it, in milliseconds since 1970.
 */
heard_ms?: number,
/**
 * The time of the coordinator, in milliseconds since 1970.
 */
now_ms: number, };

/**
 * The order of a search.
 */
export type GameOrder = "newest" | "oldest" | "longest" | "shortest" | "surprising";

/**
 * Whether a play of a game counts.
 */
export type GameStatus = "counted" | "superseded" | "excluded";

/**
 * A stored play for people who look at it: `GET /api/v1/games/{id}/view`.
 */
export type GameView = {
/**
 * What a list says of it.
 */
game: FoundGame,
/**
 * The opening: cells in GUI notation, in order, White first.
 */
opening: Array<string>,
/**
 * The players' moves after the opening; absent when they were deleted to make room.
 */
moves?: Array<ViewedMove>,
/**
 * The fewest stones that form the winning shape, in GUI notation.
 */
winning: Array<string>,
/**
 * The parameters in which the players differ.
 */
parameters: Array<DifferingParameter>,
/**
 * The case's differences from the engine's defaults.
 */
case_params: ParamSet,
/**
 * The baseline's differences from the engine's defaults.
 */
baseline_params: ParamSet,
/**
 * `engine::SEMANTICS` of the engine that played it.
 */
semantics: number,
/**
 * Whether this build plays the game bit for bit alike.
 */
is_repeatable: boolean,
/**
 * The machine's speed on this board when the game began.
 */
speed?: Speed,
/**
 * Wall-clock milliseconds from first move to last.
 */
wall_ms?: number,
/**
 * Other plays of the same game.
 */
other_plays: Array<OtherPlay>, };

/**
 * The games that an experiment had counted at a time.
 */
export type GamesUntil = {
/**
 * The time, in milliseconds since 1970.
 */
at_ms: number,
/**
 * All games counted until then.
 */
games: number, };

/**
 * A rate or a difference with its interval.
 */
export type Gap = {
/**
 * The value.
 */
value: number,
/**
 * Lower end of its interval.
 */
low: number,
/**
 * Upper end of its interval.
 */
high: number, };

/**
 * The hypotheses of a sequential test, the lower one first.
 */
export type Hypotheses = { "elo": [number, number] } | { "score": [number, number] } | { "normalised_elo": [number, number] };

/**
 * The effect of a parameter over the cases of a sweep.
 */
export type Importance = {
/**
 * The parameter.
 */
parameter: string,
/**
 * How the effect is modelled.
 */
model: EffectModel,
/**
 * The standard deviation of the parameter's effect on the rate over the cases, chance taken out.
 */
effect: number,
/**
 * Lower end of the interval of the effect.
 */
effect_low: number,
/**
 * Upper end of the interval of the effect.
 */
effect_high: number,
/**
 * The fraction of the explained variance between cases that is due to this parameter alone.
 */
share: number,
/**
 * The test that the parameter has no effect.
 */
no_effect: ChiSquare,
/**
 * The effect of each value, relative to the average over the cases. Empty when the effect is a curve.
 */
levels: Array<Level>, };

/**
 * The effects of several parameters.
 */
export type Importances = {
/**
 * The parameters, the most important first.
 */
parameters: Array<Importance>,
/**
 * The fraction of the explained variance that is due to no parameter alone: interactions between them.
 */
interaction_share: number,
/**
 * The test that there is nothing but the parameters' own effects; absent when there are as many effects as cases.
 */
no_interaction: ChiSquare | null, };

/**
 * A new code.
 */
export type JoinCode = {
/**
 * Twelve letters and digits, such as `K7F3-9QXM-2TBD`.
 */
code: string,
/**
 * When the code expires, in milliseconds since 1970.
 */
expires_ms: number,
/**
 * How many machines may join with the code.
 */
machines: number,
/**
 * SHA-256 of the coordinator's certificate in hexadecimal, when no authority has signed it. The invitation must
 * contain it: `CODE@https://HOST:PORT#sha256=…`.
 */
certificate_sha256?: string, };

/**
 * `POST /api/v1/join-codes`: makes a code with which machines join.
 */
export type JoinCodeRequest = {
/**
 * How many machines may join with the code.
 */
machines: number,
/**
 * Milliseconds until the code expires.
 */
expires_in_ms: number, };

/**
 * The best case of an experiment: the first of the ranking of the field with most pairs.
 */
export type Leader = {
/**
 * The case.
 */
case: string,
/**
 * The baseline.
 */
against: string,
/**
 * The budget of a move.
 */
budget: string,
/**
 * Win rate, averaged over the sizes.
 */
rate: number,
/**
 * Lower end of its interval: the one that holds at any look, until the planned games are complete and no rule looked at them.
 */
low: number,
/**
 * Upper end of that interval.
 */
high: number,
/**
 * Whether every other case with games is shown to be worse, with a confidence of 95 %. The only case that is planned leads always.
 */
leads: boolean, };

/**
 * A lease of one pair to one worker.
 */
export type LeaseId = string;

/**
 * The games with a number of moves.
 */
export type LengthResults = {
/**
 * The number of moves, with those of the opening.
 */
plies: number,
/**
 * Games won by the case.
 */
wins: number,
/**
 * Games drawn.
 */
draws: number,
/**
 * Games lost by the case.
 */
losses: number, };

/**
 * The effect of one value of a parameter.
 */
export type Level = {
/**
 * The value.
 */
value: Value,
/**
 * The number of cases with the value.
 */
cases: number,
/**
 * The rate relative to the average over the cases.
 */
effect: number, };

/**
 * A traffic light.
 */
export type Light = "grey" | "green" | "amber" | "red";

/**
 * A cell that the other side does not have.
 */
export type LonePoint = {
/**
 * The board size.
 */
size: number,
/**
 * The cell.
 */
cell: CellId,
/**
 * Its complete pairs.
 */
pairs: number,
/**
 * Its rate; absent before the first complete pair.
 */
rate: Gap | null, };

/**
 * A series, or some of its sizes, that the other side does not have.
 */
export type LoneSeries = {
/**
 * Case, baseline and budget in words.
 */
title: string,
/**
 * Its points, ascending in size.
 */
points: Array<LonePoint>, };

/**
 * The results of a machine in a cell, beside those of other machines.
 */
export type MachineCell = {
/**
 * The cell.
 */
cell: CellId,
/**
 * The case.
 */
case: string,
/**
 * The baseline.
 */
baseline: string,
/**
 * The board.
 */
size: number,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * Its counted games.
 */
games: number,
/**
 * The case's score in its games, from 0 to 1.
 */
rate: number,
/**
 * Counted games of other machines.
 */
others_games: number,
/**
 * The case's score that follows from the others' games; absent if they have none of the same colours.
 */
others_rate?: number,
/**
 * The residual in standard deviations: what exceeds the mean of a random sample; absent if nobody else played, or all games
 * ended alike.
 */
deviations?: number, };

/**
 * All that is known of a machine.
 */
export type MachineReport = {
/**
 * The machine, as in lists.
 */
worker: WorkerReport,
/**
 * Memory per slot for the trees of a game's two players in MiB; absent for imported machines.
 */
memory_mib?: number,
/**
 * The id of the token that it works with, if it came with one.
 */
token?: string,
/**
 * The self-test that its build passed: the digest of games that every build plays alike.
 */
self_test: string,
/**
 * Why it plays or not, as `gauntlet why` says it.
 */
reasons: Array<string>,
/**
 * Its part of the counted games of all machines, from 0 to 1.
 */
share: number,
/**
 * The speed of the machines that are present, by size.
 */
fleet: Array<FleetSpeed>,
/**
 * Its speeds of the last two weeks, oldest first: one for each size and five minutes in which a speed changed.
 */
history: Array<PastSpeed>,
/**
 * Pairs that it plays at the moment.
 */
in_play: Array<PairInPlay>,
/**
 * Its results in the cells with most of its games, at most a hundred.
 */
cells: Array<MachineCell>,
/**
 * The number of cells that it played.
 */
cells_played: number,
/**
 * What it told of itself; absent until its next call after somebody asked.
 */
told?: ToldState,
/**
 * The coordinator's time, in milliseconds since 1970.
 */
now_ms: number, };

/**
 * A selection of machines.
 */
export type Machines = "all" | { "label": string } | { "named": string } | { "token": string };

/**
 * A mean and the interval that has the true mean 95 times in 100.
 */
export type MeanInterval = {
/**
 * The mean.
 */
mean: number,
/**
 * The lower end.
 */
low: number,
/**
 * The upper end.
 */
high: number, };

/**
 * Pairs that were begun and are not complete: being played, returned, failed, excluded, or set aside.
 */
export type MissingPairs = {
/**
 * The number of pairs.
 */
pairs: number,
/**
 * Their games that are counted: losses, draws and wins of the case.
 */
games: [number, number, number],
/**
 * The win rate if all of their missing games are lost.
 */
low: number,
/**
 * The win rate if all of their missing games are won.
 */
high: number,
/**
 * The same in words.
 */
words: string, };

/**
 * All moves with one number.
 */
export type MoveNumber = {
/**
 * The number of the move in its game, from 1, with the opening counted.
 */
ply: number,
/**
 * The fraction of the games that had this move.
 */
going: number,
/**
 * Games that ended with this move, by how they ended for the case: wins, draws, losses.
 */
ended: [number, number, number],
/**
 * The case's moves, if there are any.
 */
case?: MovesOf,
/**
 * The baseline's moves, if there are any.
 */
baseline?: MovesOf, };

/**
 * The moves of one player with the same number in their games.
 */
export type MovesOf = {
/**
 * The number of moves.
 */
moves: number,
/**
 * Simulations of a move.
 */
sims: MeanInterval,
/**
 * Nodes in the tree after a move.
 */
nodes: MeanInterval,
/**
 * CPU seconds of a move.
 */
seconds: MeanInterval,
/**
 * The result that the mover expected, 0 to 1.
 */
value: MeanInterval,
/**
 * The result that the mover got in the end, 0 to 1.
 */
result: MeanInterval,
/**
 * The fraction of moves after which the mover's search had proved how the game ends.
 */
solved: number, };

/**
 * A case that was promoted. It never changes.
 */
export type NamedBaseline = {
/**
 * The name, which experiment files use: `baseline = "NAME"`.
 */
name: string,
/**
 * The player.
 */
player: PlayerId,
/**
 * Its parameters, as differences from the engine's defaults.
 */
params: ParamSet,
/**
 * The experiment that the case comes from.
 */
origin: ExperimentId,
/**
 * Its name.
 */
origin_name: string,
/**
 * The revision of its plan when the case was promoted.
 */
origin_revision: number,
/**
 * The name of the case in it.
 */
case: string,
/**
 * The name of the baseline that the case was measured against.
 */
against: string,
/**
 * The parameters of that baseline.
 */
against_params: ParamSet,
/**
 * The named baseline that it is, if it is one: the parent.
 */
parent?: string,
/**
 * The engine's preset that it is, if it is one.
 */
preset?: string,
/**
 * The last confirmation of the case as it stood at the promotion; absent if there was none.
 */
confirmation?: Confirmation,
/**
 * When it was promoted, in milliseconds since 1970.
 */
promoted_ms: number,
/**
 * Who promoted it.
 */
who: string, };

/**
 * A new token. Only this answer contains the secret.
 */
export type NewToken = {
/**
 * The token's id in lists.
 */
id: string,
/**
 * The secret.
 */
token: string, };

/**
 * The news of all experiments that are not archived: `GET /api/v1/news`.
 */
export type News = {
/**
 * The news by experiment, newest experiment first. What takes long to compute may be missing at first and some seconds old later.
 */
experiments: Array<ExperimentNews>, };

/**
 * The highest point of a curve.
 */
export type Optimum = {
/**
 * What is known about the place.
 */
kind: OptimumKind,
/**
 * The value of the parameter with the highest rate within the sweep, by the curve.
 */
at: number,
/**
 * Lower end of the interval of that value, within the sweep: a tested value.
 */
low: number,
/**
 * Upper end of the interval of that value, within the sweep: a tested value.
 */
high: number,
/**
 * The rate at that value, by the curve. It has no interval: the curve may be wrong there, and the place was chosen for its height.
 */
rate: number, };

/**
 * What is known about the place of an optimum.
 */
export type OptimumKind = "inside" | "open" | "lower_end" | "upper_end" | "flat";

/**
 * Another play of the same game.
 */
export type OtherPlay = {
/**
 * Its lease.
 */
lease: LeaseId,
/**
 * Whether it counts.
 */
status: GameStatus,
/**
 * The worker's name.
 */
worker_name: string, };

/**
 * The data of the first page: `GET /api/v1/overview`.
 */
export type Overview = {
/**
 * Experiments, newest first.
 */
experiments: Array<ExperimentSummary>,
/**
 * The first workers, in the order of [`WorkersPage`].
 */
workers: Array<WorkerReport>,
/**
 * Numbers of workers.
 */
fleet: Fleet,
/**
 * Games counted a minute, lately. A game of a cell that experiments share is one game, while the rate of each of them has it.
 */
games_per_minute: number,
/**
 * Seconds until all active experiments are complete, if games go on as in the last few minutes; absent while nothing is counted.
 */
seconds_left: number | null,
/**
 * Whether players score 50 % against themselves; absent without pairs of such games.
 */
control?: ControlReport,
/**
 * What people should look at, as in [`Alarms`](crate::alarm::Alarms).
 */
alarms: Array<Alarm>,
/**
 * Why results cannot be stored, if they cannot.
 */
trouble?: string,
/**
 * Version of the coordinator's binary.
 */
version: string, };

/**
 * A pair of games that a machine plays at the moment.
 */
export type PairInPlay = {
/**
 * The lease of the pair.
 */
lease: LeaseId,
/**
 * The pair's cell.
 */
cell: CellId,
/**
 * The number of the pair within the cell.
 */
pair: number,
/**
 * The experiments that plan the cell.
 */
experiments: Array<PlannedBy>,
/**
 * The case's group and label.
 */
case: string,
/**
 * The baseline's label.
 */
baseline: string,
/**
 * The board.
 */
size: number,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * The worker that plays.
 */
worker: WorkerId,
/**
 * The worker's name.
 */
worker_name: string,
/**
 * Moves played in both games so far.
 */
plies: number,
/**
 * When the pair was lent, in milliseconds since 1970.
 */
granted_ms: number,
/**
 * When it last moved on, in milliseconds since 1970.
 */
progress_ms: number, };

/**
 * The pairs in play: `GET /api/v1/games/in-play`.
 */
export type PairsInPlay = {
/**
 * Some of them, those that moved on last first.
 */
pairs: Array<PairInPlay>,
/**
 * The number of all.
 */
total: number,
/**
 * The time of the coordinator, in milliseconds since 1970.
 */
now_ms: number, };

/**
 * A player's parameters as differences from the engine's defaults.
 */
export type ParamSet = Record<string, boolean | number | string>;

/**
 * The curve of a numeric parameter.
 */
export type ParameterCurve = {
/**
 * The parameter.
 */
parameter: string,
/**
 * The board size; absent for the average over sizes.
 */
size: number | null,
/**
 * The curve.
 */
curve: Curve, };

/**
 * A speed that a machine reported.
 */
export type PastSpeed = {
/**
 * The beginning of the five minutes, in milliseconds since 1970.
 */
at_ms: number,
/**
 * The board.
 */
size: number,
/**
 * Simulations per CPU second of one slot, as calibrated.
 */
sims_per_s: number,
/**
 * The speed relative to the reference machine, with the drift.
 */
relative: number,
/**
 * The speed of recent moves relative to the first ones after the calibration.
 */
drift: number, };

/**
 * What applying an experiment would change: the answer to `POST /api/v1/diff`.
 */
export type PlanDifference = {
/**
 * The experiment of this name; absent if the file would be a new one.
 */
experiment?: ExperimentSummary,
/**
 * Whether the content is that of the newest revision, so that applying it changes nothing.
 */
is_newest: boolean,
/**
 * What the content is called if it is that of an older revision, which is applied with `supersede` only.
 */
older?: string,
/**
 * Changes beside the cells, in words: the question, the weight; and what changes of all cells alike, such as their games.
 */
settings: Array<string>,
/**
 * The numbers of cells.
 */
cells: CellChanges,
/**
 * The cells by case and change, in the order of the file; cells that are closed come last.
 */
cases: Array<CaseDifference>, };

/**
 * An experiment that plans the cell of a game.
 */
export type PlannedBy = {
/**
 * Its id.
 */
id: ExperimentId,
/**
 * Its name.
 */
name: string, };

/**
 * A player: the digest of its parameters' differences from the defaults.
 */
export type PlayerId = string;

/**
 * A point of a series: one cell of the experiment.
 */
export type Point = {
/**
 * The cell.
 */
cell: CellId,
/**
 * The board.
 */
size: number,
/**
 * Games counted.
 */
games: number,
/**
 * Games planned.
 */
games_planned: number,
/**
 * The weight of the cell in averages over sizes; absent where one cell is shown, which several experiments may share.
 */
weight?: number,
/**
 * Pairs leased now.
 */
pairs_in_flight: number,
/**
 * Pairs set aside.
 */
pairs_aside: number,
/**
 * Games won by the case.
 */
wins: number,
/**
 * Games drawn.
 */
draws: number,
/**
 * Games lost by the case.
 */
losses: number,
/**
 * Games that ended without a result that counts, and are no losses: attempts that failed, and plays that were excluded.
 */
void_games: number,
/**
 * Complete pairs.
 */
pairs: number,
/**
 * Complete pairs by the case's two results: LL, LD, WL, DD, WD, WW.
 */
pair_counts: [number, number, number, number, number, number],
/**
 * Win rate over complete pairs, where a draw is half a win; absent before the first complete pair.
 */
rate: number | null,
/**
 * Lower end of the interval of the win rate, for a number of games that was fixed beforehand.
 */
low: number | null,
/**
 * Upper end of that interval.
 */
high: number | null,
/**
 * Lower end of the confidence sequence of the win rate, which holds at every look.
 */
cs_low: number | null,
/**
 * Upper end of the confidence sequence.
 */
cs_high: number | null,
/**
 * Whether the case differs from its baseline.
 */
verdict: Verdict,
/**
 * The confidence sequence in words, with its guarantee.
 */
words: string | null,
/**
 * E-value against a true rate of 50 %: 20 or more speaks against 50 % at the level of 5 %, whenever one looks.
 */
e_value: number | null,
/**
 * Elo difference of the rate; null where infinite.
 */
elo: number | null,
/**
 * Elo difference of `low`; null where infinite.
 */
elo_low: number | null,
/**
 * Elo difference of `high`; null where infinite.
 */
elo_high: number | null,
/**
 * Elo difference of `cs_low`; null where infinite.
 */
cs_elo_low: number | null,
/**
 * Elo difference of `cs_high`; null where infinite.
 */
cs_elo_high: number | null,
/**
 * Normalised Elo of the rate; null where infinite.
 */
normalised_elo: number | null,
/**
 * Half the width of the interval of the normalised Elo, in the normal approximation.
 */
normalised_elo_error: number | null,
/**
 * Normalised Elo of `low`; null where infinite.
 */
normalised_elo_low: number | null,
/**
 * Normalised Elo of `high`; null where infinite.
 */
normalised_elo_high: number | null,
/**
 * Normalised Elo of `cs_low`, with the dispersion of these pairs: approximate.
 */
cs_normalised_elo_low: number | null,
/**
 * Normalised Elo of `cs_high`, with the dispersion of these pairs: approximate.
 */
cs_normalised_elo_high: number | null,
/**
 * Fraction of the games of complete pairs that were drawn.
 */
draw_rate: number | null,
/**
 * Number of independent games with the precision of these pairs.
 */
effective_games: number | null,
/**
 * Design effect: variance of pairs relative to independent games.
 */
design_effect: number | null,
/**
 * Games won by the first player, as a fraction of decided games.
 */
first_move_rate: number | null,
/**
 * Wins of both sides by fork, bridge and ring.
 */
win_kinds: [number, number, number],
/**
 * Mean number of plies of a game, including the opening.
 */
mean_plies: number | null,
/**
 * The stopping rule of the cell in this experiment, if it has one.
 */
stopping?: Stopping,
/**
 * The effect that pairs which were begun and are not complete could have, if there are any.
 */
missing?: MissingPairs, };

/**
 * `POST /api/v1/experiments/{id or name}/promote`: makes a case of this experiment a named baseline.
 */
export type PromoteRequest = {
/**
 * The case, as in a [`crate::confirm::ConfirmRequest`].
 */
case: string,
/**
 * The baseline, where the case meets several.
 */
against?: string,
/**
 * The name of the new baseline; absent for that of the case.
 */
name?: string,
/**
 * Whether to promote a case that is not confirmed.
 */
unconfirmed: boolean, };

/**
 * The answer to a [`PromoteRequest`].
 */
export type Promoted = {
/**
 * Whether this request made the baseline; false if it existed as it is.
 */
is_new: boolean,
/**
 * The baseline.
 */
baseline: NamedBaseline, };

/**
 * A case over all its sizes.
 */
export type RankedCase = {
/**
 * The case.
 */
case: string,
/**
 * The number of sizes with games.
 */
sizes: number,
/**
 * Complete pairs on all sizes.
 */
pairs: number,
/**
 * The average of the rates over the case's sizes, by the weights of the cells.
 */
rate: number,
/**
 * Lower end of the confidence sequence of the average, which holds at every look. It is about this case alone.
 */
cs_low: number,
/**
 * Upper end of that sequence.
 */
cs_high: number,
/**
 * The natural logarithm of the e-value against an average of 50 %.
 */
log_e_value: number,
/**
 * Whether the average differs from 50 %, with all cases taken into account. If so, it is on the side of the rate.
 */
differs: boolean,
/**
 * Whether no other case is shown to be better. With the confidence, a best case is among those that may be the best; if
 * there is one alone, it leads.
 */
may_be_best: boolean,
/**
 * The standard error of the average.
 */
error: number | null,
/**
 * Lower end of the interval of the average, for a number of games that was fixed beforehand.
 */
low: number | null,
/**
 * Upper end of that interval.
 */
high: number | null,
/**
 * The average over all sizes of the field, shrunken towards the mean of all cases.
 */
shrunken: number | null,
/**
 * The p-value of an average of 50 %, for a number of games that was fixed beforehand.
 */
p_value: number | null,
/**
 * That p-value adjusted by Benjamini and Hochberg.
 */
adjusted_p_value: number | null,
/**
 * The test that the rate is the same on all sizes. Absent with one size.
 */
heterogeneity: ChiSquare | null, };

/**
 * A player of a rating list.
 */
export type RatedPlayer = {
/**
 * The player.
 */
player: string,
/**
 * Rating in Elo points above the anchor: that of the average score over sizes.
 */
elo: number,
/**
 * Standard error of the difference from the anchor.
 */
error: number,
/**
 * Lower end of the interval of the rating.
 */
low: number,
/**
 * Upper end of the interval of the rating.
 */
high: number,
/**
 * The likelihood that the player is stronger than the next one in the list; absent for the last. For one look only.
 */
superiority: number | null,
/**
 * Whether a chain of games links the player to the anchor. If not, the rating is the prior's.
 */
connected: boolean, };

/**
 * Players by strength.
 */
export type RatingList = {
/**
 * The budget of a move.
 */
budget: string,
/**
 * The player whose rating is 0: the baseline with the most games.
 */
anchor: string,
/**
 * The sizes on which all pairings were played. Games on other sizes are left out.
 */
sizes: Array<number>,
/**
 * Virtual draws of each other player against the anchor.
 */
prior_draws: number,
/**
 * The players, the strongest first.
 */
players: Array<RatedPlayer>,
/**
 * The covariance of the ratings in squared Elo points, in the order of `players`.
 */
covariance: Array<Array<number>>,
/**
 * The test that one number for each player explains all results, by size. Absent where there is nothing to test.
 */
fit: Array<[number, ChiSquare]>, };

/**
 * A revision of an experiment's plan.
 */
export type Revision = {
/**
 * The number, from 1.
 */
number: number,
/**
 * The digest of the content. The first revision's digest is the experiment's id.
 */
content: ExperimentId,
/**
 * When it was applied, in milliseconds since 1970.
 */
applied_ms: number,
/**
 * Who applied it.
 */
who: string, };

/**
 * What a revision has otherwise than an earlier one: `GET /api/v1/experiments/{id or name}/revisions/{number}/changes`.
 */
export type RevisionChanges = {
/**
 * The number of the earlier revision; 0 for nothing at all, before the first one.
 */
since: number,
/**
 * The number of the revision.
 */
number: number,
/**
 * Changes beside the cells, and of all cells alike, in words.
 */
settings: Array<string>,
/**
 * The numbers of cells. None is called reopened.
 */
cells: CellChanges,
/**
 * The cells by case and change, in the order of the file; cells that are closed come last.
 */
cases: Array<CaseDifference>,
/**
 * The text of the file that was applied; absent if a program applied the plan, or the file was very long.
 */
file?: string, };

/**
 * What a stopping rule watches.
 */
export type RuleMeasure = "llr" | "log_e_value" | "half_width";

/**
 * How the result of a cell came about: `GET /api/v1/cells/{id}/running`. Pairs are taken in the order of their numbers, in
 * which stopping rules read them, and not in the order of arrival.
 */
export type RunningCell = {
/**
 * The cell.
 */
id: CellId,
/**
 * Complete pairs.
 */
pairs: number,
/**
 * Complete pairs before the first pair that is not complete. Stopping rules read these.
 */
in_order: number,
/**
 * There is a point for the first pair, for each so many further pairs, and for the last pair.
 */
every: number,
/**
 * The confidence level of the intervals.
 */
confidence: number,
/**
 * The estimate after so many pairs.
 */
points: Array<RunningPoint>,
/**
 * The stopping rules of the experiments that have the cell.
 */
rules: Array<RunningRule>,
/**
 * What people changed while the cell was played, in the order of time: the latest changes, at most twelve.
 */
changes: Array<RunningChange>, };

/**
 * A change of an experiment that has the cell.
 */
export type RunningChange = {
/**
 * About so many pairs were complete: half of the games that had arrived.
 */
pairs: number,
/**
 * The experiment.
 */
experiment: PlannedBy,
/**
 * The change.
 */
entry: AuditEntry, };

/**
 * The estimate of a cell after some of its pairs.
 */
export type RunningPoint = {
/**
 * Complete pairs so far.
 */
pairs: number,
/**
 * Win rate over these pairs.
 */
rate: number,
/**
 * Lower end of the interval for a number of games that was fixed beforehand.
 */
low: number,
/**
 * Upper end of that interval.
 */
high: number,
/**
 * Lower end of the confidence sequence, which holds at every look.
 */
cs_low: number,
/**
 * Upper end of the confidence sequence.
 */
cs_high: number, };

/**
 * A stopping rule as it reads a cell.
 */
export type RunningRule = {
/**
 * The experiments that have the rule.
 */
experiments: Array<PlannedBy>,
/**
 * What the rule watches.
 */
measure: RuleMeasure,
/**
 * The rule decides at this value or below.
 */
lower: number | null,
/**
 * The rule decides at this value or above.
 */
upper: number | null,
/**
 * The measure after so many pairs, up to the decision.
 */
values: Array<RunningValue>,
/**
 * The outcome so far, for the first of the experiments.
 */
outcome: StopOutcome,
/**
 * The pairs at the decision, if there is one.
 */
decided: number | null,
/**
 * All of this in words.
 */
words: string, };

/**
 * The measure of a stopping rule after some pairs.
 */
export type RunningValue = {
/**
 * Pairs read.
 */
pairs: number,
/**
 * The measure.
 */
value: number, };

/**
 * A permission of a token.
 */
export type Scope = "work" | "read" | "experiment" | "admin";

/**
 * The scopes of a token.
 */
export type Scopes = string;

/**
 * A series of the chart: one line.
 */
export type Series = {
/**
 * The label within the experiment, such as `rave_k=500`.
 */
label: string,
/**
 * The label, with the group or what else differs where labels repeat: no other series against the same baseline with the same
 * budget has this name.
 */
name: string,
/**
 * The test group.
 */
group: string,
/**
 * The case's parameters.
 */
case: ParamSet,
/**
 * The parameters in which the cases of the group differ, with the values of this case.
 */
swept: ParamSet,
/**
 * Those of these parameters whose values grow by equal factors rather than by equal steps: they stand on logarithmic axes.
 */
logarithmic: Array<string>,
/**
 * The baseline's name.
 */
baseline_label: string,
/**
 * The baseline's parameters.
 */
baseline: ParamSet,
/**
 * The budget of a move.
 */
budget: Budget,
/**
 * `engine::SEMANTICS` of its games.
 */
semantics: number,
/**
 * The last confirmation of the case against this baseline, if somebody began one.
 */
confirmation?: Confirmation,
/**
 * The name of the named baseline that the case is, if it was promoted.
 */
promoted?: string,
/**
 * One point per board size, in ascending order.
 */
points: Array<Point>, };

/**
 * The names of a series. Here, each player has one name and each name is one player's.
 */
export type SeriesNames = {
/**
 * The case.
 */
case: string,
/**
 * The baseline.
 */
against: string,
/**
 * The budget of a move.
 */
budget: string,
/**
 * The id of the case.
 */
player?: PlayerId,
/**
 * The id of the baseline.
 */
baseline?: PlayerId, };

/**
 * The identity of a caller: the answer to `GET /api/v1/session` and `POST /api/v1/session`.
 */
export type Session = {
/**
 * The name of the caller's token, if there is one.
 */
name: string | null,
/**
 * The caller's permissions. Reading may be allowed to everybody.
 */
scopes: Scopes, };

/**
 * How serious an alarm is.
 */
export type Severity = "amber" | "red";

/**
 * The games that a shape won.
 */
export type ShapeResults = {
/**
 * The shape.
 */
kind: "fork" | "bridge" | "ring",
/**
 * Games won by the case.
 */
wins: number,
/**
 * Games won by the baseline.
 */
losses: number, };

/**
 * Two experiments, revisions of them, or a case of each, side by side. Rates are from 0 to 1, from the case's point of view.
 */
export type SideBySide = {
/**
 * The first side.
 */
left: ComparedSide,
/**
 * The second side.
 */
right: ComparedSide,
/**
 * Series of both sides that belong together, in the order of the first side's report.
 */
series: Array<ComparedSeries>,
/**
 * Series of the first side, and sizes of series, without a counterpart.
 */
only_left: Array<LoneSeries>,
/**
 * Series of the second side, and sizes of series, without a counterpart.
 */
only_right: Array<LoneSeries>,
/**
 * What keeps results from being compared, such as different opponents, or bends a comparison, in sentences.
 */
notes: Array<string>,
/**
 * The confidence of all intervals.
 */
confidence: number,
/**
 * The difference beyond which an agreement excludes the true one.
 */
margin: number,
/**
 * How differences are judged, in words.
 */
method: string, };

/**
 * `POST /api/v1/session`: a browser sends its token once and gets a cookie.
 */
export type SignIn = {
/**
 * The token.
 */
token: string, };

/**
 * A machine's speed on one board size.
 */
export type Speed = {
/**
 * The board.
 */
size: number,
/**
 * Simulations per CPU second of one slot in the standard configuration (plain UCT, empty board), measured at
 * start with all slots busy.
 */
sims_per_s: number,
/**
 * CPU seconds of this machine per reference second: 1 for the reference machine, less for a faster machine.
 */
factor: number,
/**
 * Drift: the speed of the baseline's recent moves relative to its first moves after calibration; 1 without a change.
 * `factor` already includes it.
 */
drift: number, };

/**
 * What a stopping rule found out.
 */
export type StopOutcome = "open" | "inconclusive" | "stopped" | "accept_h1" | "accept_h0" | "precise" | "better" | "worse";

/**
 * A stopping rule, how far it has read, and what it decided. A rule reads the pairs in the order of their numbers, up to the
 * first one that is not complete or to its decision. Pairs that come later count for the cell, and not for the decision.
 */
export type Stopping = {
/**
 * The rule in words.
 */
rule: string,
/**
 * The outcome so far.
 */
outcome: StopOutcome,
/**
 * The outcome in a few words, such as `H1 (20 Elo) accepted`.
 */
found: string,
/**
 * Pairs read.
 */
pairs: number,
/**
 * Pairs read by the case's two results: LL, LD, WL, DD, WD, WW.
 */
pair_counts: [number, number, number, number, number, number],
/**
 * Log-likelihood ratio of a sequential test at these pairs.
 */
llr: number | null,
/**
 * The ratio at which H0, the lower hypothesis, is accepted.
 */
lower: number | null,
/**
 * The ratio at which H1, the upper hypothesis, is accepted.
 */
upper: number | null,
/**
 * Win rate at the stop. Absent before it, and after a stop by a person: no single rate is right for every reason to stop.
 */
rate: number | null,
/**
 * Whether that rate is corrected for the stop, and so too high as often as too low: after a test or an e-value. After a rule
 * of a half-width, which looks at the spread alone, it is the plain mean, which needs no correction.
 */
is_corrected: boolean,
/**
 * Lower end of the interval of the true rate: that of the rate, or after a stop by a person that of the confidence sequence,
 * which holds at every stop.
 */
low: number | null,
/**
 * Upper end of that interval.
 */
high: number | null,
/**
 * All of this in words.
 */
words: string, };

/**
 * The analysis of all rows.
 *
 * Numbers that hold for a number of games fixed beforehand are absent unless the basis is [`Basis::Complete`].
 */
export type SweepAnalysis = {
/**
 * The confidence of all intervals. One less the confidence is the rate of errors of all claims.
 */
confidence: number,
/**
 * Which numbers are valid.
 */
basis: Basis,
/**
 * The cases against one baseline with one budget, for each baseline and budget in the order of the rows.
 */
fields: Array<Field>,
/**
 * All players with one budget, for each budget with games, where a player has several opponents.
 */
ratings: Array<RatingList>, };

/**
 * What a machine told of itself because somebody looks at it.
 */
export type ToldState = {
/**
 * When it was told, in milliseconds since 1970.
 */
heard_ms: number,
/**
 * Finished games on its disk that are not acknowledged yet.
 */
spooled: number,
/**
 * Its clock minus that of the coordinator, in milliseconds. The way of the call is part of it.
 */
clock_ms: number,
/**
 * The last lines of its log, level info and above, oldest first.
 */
log: Array<string>, };

/**
 * A token in a list: `GET /api/v1/tokens`.
 */
export type TokenLine = {
/**
 * The token's id: the first twelve digits of its digest, which do not reveal the secret.
 */
id: string,
/**
 * The name of the machine or person.
 */
name: string,
/**
 * The permissions.
 */
scopes: Scopes,
/**
 * When the token was made, in milliseconds since 1970.
 */
created_ms: number,
/**
 * When the token expires, in milliseconds since 1970, if it does.
 */
expires_ms: number | null,
/**
 * When the token was revoked, in milliseconds since 1970, if it was.
 */
revoked_ms: number | null,
/**
 * When the token was used last, in milliseconds since 1970 and within ten minutes, if it was.
 */
used_ms?: number,
/**
 * How many machines may work with the token.
 */
machines?: number,
/**
 * How many machines work with the token.
 */
bound: number, };

/**
 * `POST /api/v1/tokens`: makes a token.
 */
export type TokenRequest = {
/**
 * The name of the machine or person.
 */
name: string,
/**
 * The permissions.
 */
scopes: Scopes,
/**
 * Milliseconds until the token expires; it never does if absent.
 */
expires_in_ms?: number,
/**
 * How many machines may work with the token; 16 if absent.
 */
machines?: number, };

/**
 * A parameter's value in a case.
 */
export type Value = number | string;

/**
 * Whether a case differs from its baseline. A case of exactly 50 % is ever called better or worse with a chance of at most
 * 1 − confidence, however often somebody looks. The verdict is that of the confidence sequence. In a cell with a sequential test
 * that excludes 50 % with an error rate of at most 1 − confidence, it is that of the test alone; the error rate of a test is
 * Wald's approximation.
 */
export type Verdict = "better" | "worse" | "not_better" | "not_worse" | "open";

/**
 * A player's move.
 */
export type ViewedMove = {
/**
 * The cell in GUI notation.
 */
cell: string,
/**
 * The mean result that the mover expects, 0 to 1.
 */
value: number,
/**
 * The mean result that the mover's search gives the case, 0 to 1.
 */
case_value: number,
/**
 * What the mover's search proved about the position after the move.
 */
claim: string,
/**
 * Simulations made for the move.
 */
sims: number,
/**
 * Nodes in the mover's tree after the search.
 */
nodes: number,
/**
 * CPU microseconds of the search.
 */
cpu_us: number, };

/**
 * A reason why games ended without a result that counts.
 */
export type VoidReason = {
/**
 * The reason in words.
 */
words: string,
/**
 * The number of games.
 */
games: number, };

/**
 * A worker machine.
 */
export type WorkerId = string;

/**
 * A summary of a worker.
 */
export type WorkerReport = {
/**
 * The machine.
 */
id: WorkerId,
/**
 * The machine's name.
 */
name: string,
/**
 * The version of the worker's binary.
 */
version: string,
/**
 * Games that the worker plays at once. 0: it never called, and [`resting`](Self::resting) says what is known of it.
 */
slots: number,
/**
 * Seconds since the last sync.
 */
seconds_since_seen: number,
/**
 * Whether the worker is present.
 */
alive: boolean,
/**
 * Pairs that the worker holds.
 */
pairs_held: number,
/**
 * All counted games of the worker.
 */
games: number,
/**
 * The speed by board size.
 */
speeds: Array<Speed>,
/**
 * Why the worker has no work, if it is present, wants work and has none.
 */
no_work: string | null,
/**
 * Why the worker wants no work, according to itself, if it wants none.
 */
resting: string | null,
/**
 * The worker's directive.
 */
directive: Directive,
/**
 * Group labels.
 */
labels: Array<string>,
/**
 * The reason for the quarantine, if the worker is in quarantine: it gets no work, and its games do not count.
 */
quarantine?: string,
/**
 * Why the worker seems to deliver games selectively, if it does.
 */
suspicion?: string,
/**
 * How the worker's games favour one side compared with other machines, if the difference is too large.
 */
biased?: string, };

/**
 * A page of workers: `GET /api/v1/workers?offset=…&limit=…`. Workers in quarantine come first, then workers that are
 * present, then the others, each group by name.
 */
export type WorkersPage = {
/**
 * The workers.
 */
workers: Array<WorkerReport>,
/**
 * The number of workers before them.
 */
offset: number, };

/**
 * How the board sizes count.
 */
export type TuneAim = "mean" | "each" | "worst";

/**
 * How concentrated the weight of the fit is.
 */
export type TuneConcentration = {
/**
 * The size it is for; absent if it is for all.
 */
size: number | null,
/**
 * Points that were played and have weight.
 */
points: number,
/**
 * As many points of equal weight would be as concentrated: the square of the sum of the weights by the sum of their squares.
 */
effective_points: number,
/**
 * The weight along each parameter.
 */
shares: Array<TuneShares>, };

/**
 * A parameter matters only where another one has one of these values.
 */
export type TunedCondition = {
/**
 * The other parameter, which must come before this one.
 */
parameter: string,
/**
 * The values of the other parameter.
 */
values: Array<TunedValue>, };

/**
 * The values of a parameter.
 */
export type TunedKind = { "kind": "real",
/**
 * The least value.
 */
low: number,
/**
 * The greatest value.
 */
high: number,
/**
 * The scale.
 */
scale: TunedScale, } | { "kind": "whole",
/**
 * The least value.
 */
low: number,
/**
 * The greatest value.
 */
high: number,
/**
 * The scale.
 */
scale: TunedScale, } | { "kind": "flag", } | { "kind": "word",
/**
 * The words.
 */
values: Array<string>, };

/**
 * The uncertainty of a parameter's best value.
 */
export type TuneKnown = {
/**
 * The parameter.
 */
name: string,
/**
 * The values that the model cannot tell from the best: for numbers the ends of the middle 90 %, for flags and words each
 * value with at least 5 % of the weight. None where the parameter's condition does not hold at the recommended point.
 */
values: Array<TunedValue>, };

/**
 * A win rate against the baseline with its 95 % interval.
 */
export type Measured = {
/**
 * The size; absent for all sizes together.
 */
size?: number,
/**
 * The games.
 */
games: number,
/**
 * The rate, from 0 to 1.
 */
rate: number,
/**
 * Lower end.
 */
low: number,
/**
 * Upper end.
 */
high: number, };

/**
 * The result of a trial for its point. The games of a trial are one observation: they need not be independent.
 */
export type TuneOutcome = {
/**
 * Games won.
 */
wins: number,
/**
 * Games drawn.
 */
draws: number,
/**
 * Games lost.
 */
losses: number, };

/**
 * A parameter that is tuned.
 */
export type TunedParameter = {
/**
 * Its name.
 */
name: string,
/**
 * The value where a tune begins. The parameter also has this value where its condition does not hold.
 */
start: TunedValue,
/**
 * Where the parameter matters; everywhere without a condition.
 */
only_if?: TunedCondition, } & ({ "kind": "real",
/**
 * The least value.
 */
low: number,
/**
 * The greatest value.
 */
high: number,
/**
 * The scale.
 */
scale: TunedScale, } | { "kind": "whole",
/**
 * The least value.
 */
low: number,
/**
 * The greatest value.
 */
high: number,
/**
 * The scale.
 */
scale: TunedScale, } | { "kind": "flag", } | { "kind": "word",
/**
 * The words.
 */
values: Array<string>, });

/**
 * What would have been recommended after the first trials of a tune.
 */
export type PastRecommendation = {
/**
 * The number of these trials.
 */
trials: number,
/**
 * Their games.
 */
games: number,
/**
 * The size it is for; absent if it is for all.
 */
size?: number,
/**
 * The setting.
 */
point: { [key in string]: TunedValue },
/**
 * What was not told apart from its values.
 */
parameters: Array<TuneKnown>,
/**
 * The win rate that the model expected.
 */
rate?: TuneRate, };

/**
 * A point that was played on a size.
 */
export type PlayedPoint = {
/**
 * Its cell; absent in a study.
 */
cell?: CellId,
/**
 * The number of its first trial.
 */
number: number,
/**
 * The point.
 */
point: { [key in string]: TunedValue },
/**
 * The point that it was played against; absent for the baseline.
 */
opponent?: { [key in string]: TunedValue },
/**
 * The size.
 */
size: number,
/**
 * The results of all its trials together.
 */
outcome: TuneOutcome,
/**
 * Its score per game.
 */
rate: number, };

/**
 * The points that a tune has played.
 */
export type PlayedPoints = {
/**
 * How many there are, on all sizes.
 */
count: number,
/**
 * The points; of many, some from every time of the tune.
 */
points: Array<PlayedPoint>, };

/**
 * The predicted win rate on a size.
 */
export type TunePrediction = {
/**
 * The size.
 */
size: number,
/**
 * The rate, from 0 to 1.
 */
rate: number,
/**
 * Lower end.
 */
low: number,
/**
 * Upper end.
 */
high: number, };

/**
 * A win rate with its 95 % interval.
 */
export type TuneRate = {
/**
 * The rate, from 0 to 1.
 */
rate: number,
/**
 * Lower end.
 */
low: number,
/**
 * Upper end.
 */
high: number, };

/**
 * The recommended setting of one target.
 */
export type TuneRecommendation = {
/**
 * The size it is for; absent if it is for all.
 */
size: number | null,
/**
 * The setting.
 */
point: { [key in string]: TunedValue },
/**
 * The uncertainty of each parameter.
 */
parameters: Array<TuneKnown>,
/**
 * The predicted win rate against the baseline by size. Sizes without games against the baseline are left out.
 */
predicted: Array<TunePrediction>,
/**
 * The predicted win rate by the objective; absent unless all its sizes have games against the baseline.
 */
overall: TuneRate | null,
/**
 * The verdict on the setting.
 */
verdict: TuneVerdict,
/**
 * The fitted win rate along each parameter, with all others as recommended.
 */
responses: Array<TuneResponse>, };

/**
 * A recommended setting.
 */
export type Recommended = {
/**
 * What the setting is called in results and commands.
 */
label: string,
/**
 * The player.
 */
params: ParamSet,
/**
 * Whether all games are played, so that the setting stays.
 */
is_final: boolean,
/**
 * The setting is chosen, and so many games that measure it are still to be played.
 */
last_games_left?: number,
/**
 * The win rates of the games at the end of the tune, which had no part in choosing the setting: one for each size.
 */
measured: Array<Measured>,
/**
 * The same for all sizes by the objective.
 */
measured_overall?: Measured,
/**
 * What is known, as sentences.
 */
words: string,
/**
 * The command that makes the setting a named baseline; absent until it is confirmed.
 */
promote?: string,
/**
 * The size it is for; absent if it is for all.
 */
size: number | null,
/**
 * The setting.
 */
point: { [key in string]: TunedValue },
/**
 * The uncertainty of each parameter.
 */
parameters: Array<TuneKnown>,
/**
 * The predicted win rate against the baseline by size. Sizes without games against the baseline are left out.
 */
predicted: Array<TunePrediction>,
/**
 * The predicted win rate by the objective; absent unless all its sizes have games against the baseline.
 */
overall: TuneRate | null,
/**
 * The verdict on the setting.
 */
verdict: TuneVerdict,
/**
 * The fitted win rate along each parameter, with all others as recommended.
 */
responses: Array<TuneResponse>, };

/**
 * The fitted win rate along a parameter.
 */
export type TuneResponse = {
/**
 * The parameter.
 */
name: string,
/**
 * Its values, ascending, and the rates there. None where its condition does not hold at the recommended point.
 */
rates: Array<[TunedValue, TuneRate]>, };

/**
 * The scale on which equal steps of a number matter equally.
 */
export type TunedScale = "linear" | "log";

/**
 * The share of the weight that a value or a part of a range has.
 */
export type TuneShare = {
/**
 * The value, or the lower end of the part.
 */
from: TunedValue,
/**
 * The value, or the upper end of the part.
 */
to: TunedValue,
/**
 * The share.
 */
share: number, };

/**
 * The weight along a parameter.
 */
export type TuneShares = {
/**
 * The parameter.
 */
name: string,
/**
 * Its values or the equal parts of its range, ascending. The shares sum to 1.
 */
parts: Array<TuneShare>, };

/**
 * A board size and its weight.
 */
export type TuneSize = {
/**
 * The board size.
 */
size: number,
/**
 * Its weight, of which only ratios matter.
 */
weight: number, };

/**
 * The names of the strategies.
 */
export type TuneStrategy = "clop" | "duel" | "spsa" | "halving" | "grid" | "random";

/**
 * What a study tunes.
 */
export type Study = {
/**
 * The parameters.
 */
parameters: Array<TunedParameter>,
/**
 * The strategy that proposes points.
 */
strategy: TuneStrategy,
/**
 * The games that are to be played.
 */
games: number,
/**
 * The sizes and their weights; empty if points are played in one way.
 */
sizes: Array<TuneSize>,
/**
 * How the sizes count.
 */
objective: TuneAim,
/**
 * The seed of the strategy.
 */
seed: number, };

/**
 * How a study stands: `GET /api/v1/studies/{id or name}`.
 */
export type StudyStatus = {
/**
 * The recommended settings: one, or one for each size.
 */
recommendations: Array<TuneRecommendation>,
/**
 * What the verdict of each recommendation means, as a sentence.
 */
words: Array<string>,
/**
 * Results that the recommendations are made from. After many results they are not made anew with each.
 */
results_seen: number,
/**
 * What would have been recommended after some of the first points, the first ones first.
 */
course: Array<PastRecommendation>,
/**
 * Whether the course has all looks that are due. They are made one after the other.
 */
course_is_complete: boolean,
/**
 * Where the weight of the fit is: one for each recommendation.
 */
concentrations: Array<TuneConcentration>,
/**
 * Its id.
 */
id: string,
/**
 * Its name.
 */
name: string,
/**
 * Who began it.
 */
who: string,
/**
 * When, in milliseconds since 1970.
 */
created_ms: number,
/**
 * Whether it is archived: it gives no more points.
 */
archived: boolean,
/**
 * Points that were asked for, without those that were given up.
 */
asked: number,
/**
 * Points whose results were told.
 */
told: number,
/**
 * Points that were given back without a result.
 */
failed: number,
/**
 * Points that were given up, because results had chosen them that were taken back. The study does not learn from them, and asks for
 * others.
 */
given_up: number,
/**
 * Games of these results.
 */
games_told: number,
/**
 * Games of the budget that are neither told nor asked for.
 */
games_left: number,
/**
 * The parameters.
 */
parameters: Array<TunedParameter>,
/**
 * The strategy that proposes points.
 */
strategy: TuneStrategy,
/**
 * The games that are to be played.
 */
games: number,
/**
 * The sizes and their weights; empty if points are played in one way.
 */
sizes: Array<TuneSize>,
/**
 * How the sizes count.
 */
objective: TuneAim,
/**
 * The seed of the strategy.
 */
seed: number, };

/**
 * A study in a list.
 */
export type StudySummary = {
/**
 * Its id.
 */
id: string,
/**
 * Its name.
 */
name: string,
/**
 * Who began it.
 */
who: string,
/**
 * When, in milliseconds since 1970.
 */
created_ms: number,
/**
 * Whether it is archived: it gives no more points.
 */
archived: boolean,
/**
 * Points that were asked for, without those that were given up.
 */
asked: number,
/**
 * Points whose results were told.
 */
told: number,
/**
 * Points that were given back without a result.
 */
failed: number,
/**
 * Points that were given up, because results had chosen them that were taken back. The study does not learn from them, and asks for
 * others.
 */
given_up: number,
/**
 * Games of these results.
 */
games_told: number,
/**
 * Games of the budget that are neither told nor asked for.
 */
games_left: number,
/**
 * The parameters.
 */
parameters: Array<TunedParameter>,
/**
 * The strategy that proposes points.
 */
strategy: TuneStrategy,
/**
 * The games that are to be played.
 */
games: number,
/**
 * The sizes and their weights; empty if points are played in one way.
 */
sizes: Array<TuneSize>,
/**
 * How the sizes count.
 */
objective: TuneAim,
/**
 * The seed of the strategy.
 */
seed: number, };

/**
 * The fitted win rate over two parameters, with all others as recommended.
 */
export type TuneSurface = {
/**
 * The parameter along the horizontal axis.
 */
x: string,
/**
 * The parameter along the vertical axis.
 */
y: string,
/**
 * The values of `x`, ascending.
 */
xs: Array<TunedValue>,
/**
 * The values of `y`, ascending.
 */
ys: Array<TunedValue>,
/**
 * For each value of `y`, the rates at the values of `x`. Empty without games against the baseline.
 */
rates: Array<Array<TuneRate>>,
/**
 * The recommended values of `x` and `y`.
 */
at: [TunedValue, TunedValue], };

/**
 * What an experiment tunes.
 */
export type Tune = {
/**
 * The strategy that proposes points; absent if others propose them.
 */
strategy?: TuneStrategy,
/**
 * The games that are played.
 */
games: number,
/**
 * How the sizes of the experiment count.
 */
objective: TuneAim,
/**
 * The parameters that are tuned.
 */
parameters: Array<TunedParameter>,
/**
 * The values of numbers that may be off. Whether such a number is on is the flag [`switch`] of the space.
 */
off?: { [key in string]: TunedValue },
/**
 * The player that points are changes of, as its differences from the engine's defaults. Also those that have no effect
 * beside the start are there, because they may have one beside another point.
 */
base: ParamSet,
/**
 * The seed of the strategy.
 */
seed: number,
/**
 * Whether the recommended point is confirmed when the games are played.
 */
confirm: boolean, };

/**
 * How a tune stands.
 */
export type TuneStatus = {
/**
 * The experiment.
 */
experiment: ExperimentId,
/**
 * Its name.
 */
name: string,
/**
 * Its state.
 */
state: ExperimentState,
/**
 * What is tuned.
 */
tune: Tune,
/**
 * The name of the baseline.
 */
baseline: string,
/**
 * The sizes and their weights.
 */
sizes: Array<TuneSize>,
/**
 * Games of pairs with a result.
 */
games_played: number,
/**
 * Games of the budget that have no result yet.
 */
games_left: number,
/**
 * Pairs that were asked for and have no result yet.
 */
outstanding: number,
/**
 * Games of other experiments that the tune learns from.
 */
imported: number,
/**
 * Games at points that were given up, because excluded games had chosen them. The tune does not learn from them, and plays as many
 * others.
 */
given_up: number,
/**
 * The recommended settings: one, or one for each size.
 */
recommendations: Array<Recommended>,
/**
 * Results that the recommendations are made from. After many games they are not made anew with each result.
 */
results_seen: number,
/**
 * What would have been recommended after some of the first trials, the first ones first.
 */
course: Array<PastRecommendation>,
/**
 * Whether the course has all looks that are due. After a start of the coordinator they are made one after the other.
 */
course_is_complete: boolean,
/**
 * Where the weight of the fit is: one for each recommendation.
 */
concentrations: Array<TuneConcentration>,
/**
 * What was done when all games were played.
 */
ending?: string,
/**
 * The confirmations of settings of this tune, the first one first.
 */
confirmations: Array<Confirmation>, };

/**
 * Whether the recommended setting is better than the baseline.
 */
export type TuneVerdict = "better" | "nothing_better" | "unknown";

/**
 * The value of a parameter.
 */
export type TunedValue = boolean | number | number | string;
