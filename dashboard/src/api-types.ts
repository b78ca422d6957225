// Written by `GAUNTLET_WRITE_TYPES=1 cargo test -p protocol typescript` from `protocol/src`.

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
 * The budget of a move, before a worker converts it for its own machine.
 */
export type Budget = { "sims": number } | { "reference_seconds": number };

/**
 * A cell: the digest of case, baseline, size, budget, openings, seed and engine semantics.
 */
export type CellId = string;

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
 * What the worker should do from now on.
 */
export type Directive = "work" | "pause" | "drain";

/**
 * An experiment: the digest of everything meaningful in its file.
 */
export type ExperimentId = string;

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
timeline: Array<AuditEntry>, };

/**
 * An experiment's state.
 */
export type ExperimentState = "active" | "finished" | "stuck" | "paused" | "archived" | "superseded";

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
 * Why none of the missing games is being played, if none is.
 */
stalled?: string,
/**
 * When the experiment was first applied, in milliseconds since 1970.
 */
created_ms: number, };

/**
 * Numbers of workers.
 */
export type Fleet = {
/**
 * All workers that ever called.
 */
workers: number,
/**
 * Workers that are present.
 */
alive: number,
/**
 * Slots of present workers.
 */
slots: number,
/**
 * Workers in quarantine, present or not.
 */
quarantined: number,
/**
 * All group labels.
 */
labels: Array<string>, };

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
 * A traffic light.
 */
export type Light = "green" | "amber" | "red";

/**
 * A selection of machines.
 */
export type Machines = "all" | { "label": string } | { "named": string } | { "token": string };

/**
 * Pairs that were started, are not complete and are not leased: returned, failed, excluded, or set aside.
 */
export type MissingPairs = {
/**
 * The number of pairs.
 */
pairs: number,
/**
 * The win rate if all of them had been lost.
 */
low: number,
/**
 * The win rate if all of them had been won.
 */
high: number,
/**
 * The same in words.
 */
words: string, };

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
 * Whether players score 50 % against themselves; absent without pairs of such games.
 */
control?: ControlReport,
/**
 * Why results cannot be stored, if they cannot.
 */
trouble?: string,
/**
 * Version of the coordinator's binary.
 */
version: string, };

/**
 * A player's parameters as differences from the engine's defaults.
 */
export type ParamSet = Record<string, boolean | number | string>;

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
 * Normalised Elo; absent when all pairs scored the same.
 */
normalised_elo: number | null,
/**
 * Half the width of the interval of the normalised Elo.
 */
normalised_elo_error: number | null,
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
 * The effect that started but missing pairs could have, if there are any.
 */
missing?: MissingPairs, };

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
 * One point per board size, in ascending order.
 */
points: Array<Point>, };

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
export type StopOutcome = "open" | "inconclusive" | "accept_h1" | "accept_h0" | "precise" | "better" | "worse";

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
 * The ratio at which the lower hypothesis is accepted.
 */
lower: number | null,
/**
 * The ratio at which the upper hypothesis is accepted.
 */
upper: number | null,
/**
 * Win rate after the decision, corrected for the stop; absent before a decision.
 */
rate: number | null,
/**
 * Lower end of the interval of the corrected win rate.
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
 * Whether a case differs from its baseline. A case of exactly 50 % is ever called better or worse with a chance of at most
 * 1 − confidence, however often somebody looks.
 */
export type Verdict = "better" | "worse" | "open";

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
 * Games that the worker plays at once.
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
 * Why the worker has no work, if it has none.
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
