// Written by `GAUNTLET_WRITE_TYPES=1 cargo test -p protocol typescript` from `protocol/src`.

/**
 * A pair that failed so often that it is not handed out any more, until somebody puts it back.
 */
export type AsidePair = {
/**
 * Its cell.
 */
cell: CellId,
/**
 * What is played: case, baseline and size.
 */
what: string,
/**
 * Its number within the cell.
 */
pair: number,
/**
 * How often it was lent and did not come back whole.
 */
failures: number,
/**
 * What happened the last time.
 */
why: string,
/**
 * Milliseconds since 1970 when it was set aside.
 */
since_ms: number, };

/**
 * What one move may cost, before a worker translates it for its own machine.
 */
export type Budget = { "sims": number } | { "reference_seconds": number };

/**
 * A cell: the digest of case, baseline, size, budget, openings, seed and engine semantics.
 */
export type CellId = string;

/**
 * What the worker should do from now on.
 */
export type Directive = "work" | "pause" | "drain";

/**
 * An experiment: the digest of everything in its file that has a meaning.
 */
export type ExperimentId = string;

/**
 * One experiment in full: `GET /api/v1/experiments/{id}`, and the JSON export.
 */
export type ExperimentReport = {
/**
 * The line.
 */
summary: ExperimentSummary,
/**
 * Board sizes, ascending.
 */
sizes: number[],
/**
 * One line of the graph for each case, baseline and budget, in the order of the file.
 */
series: Array<Series>,
/**
 * The confidence of the intervals, such as 0.95.
 */
confidence: number,
/**
 * How the intervals are made, for the legend.
 */
interval_method: string,
/**
 * The pairs set aside, a hundred at most.
 */
aside: Array<AsidePair>, };

/**
 * An experiment's state.
 */
export type ExperimentState = "active" | "finished" | "stuck" | "superseded";

/**
 * An experiment in a line.
 */
export type ExperimentSummary = {
/**
 * Its id.
 */
id: ExperimentId,
/**
 * Its name: a label.
 */
name: string,
/**
 * The question it answers.
 */
question: string,
/**
 * Its state.
 */
state: ExperimentState,
/**
 * Cells: case × baseline × size × budget.
 */
cells: number,
/**
 * Games planned.
 */
games_planned: number,
/**
 * Games counted, at most those planned.
 */
games_done: number,
/**
 * Pairs leased now.
 */
pairs_in_flight: number,
/**
 * Pairs that failed again and again and are not handed out any more.
 */
pairs_aside: number,
/**
 * Games counted a minute, over the last few minutes.
 */
games_per_minute: number,
/**
 * Seconds to the end at that rate; none while it is stalled.
 */
seconds_left: number | null,
/**
 * Why nothing of it is played though games are missing, in words, if nothing is.
 */
stalled?: string,
/**
 * Milliseconds since 1970 when it was first applied.
 */
created_ms: number, };

/**
 * All workers in numbers.
 */
export type Fleet = {
/**
 * Those that were ever heard of.
 */
workers: number,
/**
 * Those that count as present.
 */
alive: number,
/**
 * Games that those play at once.
 */
slots: number,
/**
 * Those in quarantine, present or not.
 */
quarantined: number,
/**
 * What they are called by, besides their names.
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
 * Milliseconds since 1970 until when it is worth something.
 */
expires_ms: number,
/**
 * For how many machines.
 */
machines: number,
/**
 * SHA-256 of the coordinator's certificate in hexadecimal, when no authority vouches for it: it belongs into the
 * invitation, as `CODE@https://HOST:PORT#sha256=…`.
 */
certificate_sha256?: string, };

/**
 * `POST /api/v1/join-codes`: makes a code by which machines join.
 */
export type JoinCodeRequest = {
/**
 * For how many machines.
 */
machines: number,
/**
 * Milliseconds until it is worth nothing.
 */
expires_in_ms: number, };

/**
 * Which machines are meant.
 */
export type Machines = "all" | { "label": string } | { "named": string } | { "token": string };

/**
 * Pairs that were started, are in nobody's hands and not complete: let go, failed, excluded, or set aside.
 */
export type MissingPairs = {
/**
 * How many.
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
 * That in words.
 */
words: string, };

/**
 * The first screen: `GET /api/v1/overview`.
 */
export type Overview = {
/**
 * Experiments, the newest first.
 */
experiments: Array<ExperimentSummary>,
/**
 * The first workers, as [`WorkersPage`] orders them.
 */
workers: Array<WorkerReport>,
/**
 * All workers in numbers.
 */
fleet: Fleet,
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
 * One cell of the experiment.
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
 * Complete pairs by the case's results in them: LL, LD, WL, DD, WD, WW.
 */
pair_counts: [number, number, number, number, number, number],
/**
 * Win rate over complete pairs, draws as half; none before the first complete pair.
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
 * Elo difference of the rate and of the interval's ends; none where infinite.
 */
elo: number | null,
/**
 * Design effect: variance of pairs relative to independent games.
 */
design_effect: number | null,
/**
 * Games won by whoever moved first, as a fraction of decided games.
 */
first_move_rate: number | null,
/**
 * Wins of either side by fork, bridge and ring.
 */
win_kinds: [number, number, number],
/**
 * Mean plies of a game, its opening included.
 */
mean_plies: number | null,
/**
 * What the pairs could hide that were started and are missing, if there are any.
 */
missing?: MissingPairs, };

/**
 * Something that a token can allow.
 */
export type Scope = "work" | "read" | "experiment" | "admin";

/**
 * The scopes of a token.
 */
export type Scopes = string;

/**
 * One line of the graph.
 */
export type Series = {
/**
 * What distinguishes it within the experiment, such as `rave_k=500`.
 */
label: string,
/**
 * The test group it belongs to.
 */
group: string,
/**
 * The case's parameters.
 */
case: ParamSet,
/**
 * The baseline's name.
 */
baseline_label: string,
/**
 * The baseline's parameters.
 */
baseline: ParamSet,
/**
 * What each move may cost.
 */
budget: Budget,
/**
 * One point a board size, ascending.
 */
points: Array<Point>, };

/**
 * Who a caller is: the answer to `GET /api/v1/session` and `POST /api/v1/session`.
 */
export type Session = {
/**
 * The name of the token shown, if one was.
 */
name: string | null,
/**
 * What the caller may do; reading may be allowed to everybody.
 */
scopes: Scopes, };

/**
 * `POST /api/v1/session`: a browser shows its token once and is known by a cookie from then on.
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
 * CPU seconds this machine gives for one reference second; 1 for the reference machine, less for a faster one.
 */
factor: number,
/**
 * Speed of the baseline's recent moves relative to its first ones after calibration; 1 when nothing changed.
 * `factor` already contains it.
 */
drift: number, };

/**
 * A worker machine.
 */
export type WorkerId = string;

/**
 * A worker in a line.
 */
export type WorkerReport = {
/**
 * The machine.
 */
id: WorkerId,
/**
 * Its name.
 */
name: string,
/**
 * Version of its binary.
 */
version: string,
/**
 * Games it plays at once.
 */
slots: number,
/**
 * Seconds since its last sync.
 */
seconds_since_seen: number,
/**
 * Whether it counts as present.
 */
alive: boolean,
/**
 * Pairs it holds.
 */
pairs_held: number,
/**
 * Games counted from it, ever.
 */
games: number,
/**
 * Its speed per board size.
 */
speeds: Array<Speed>,
/**
 * Why it has no work, in words, if it has none.
 */
no_work: string | null,
/**
 * Why it wants none, in its own words, if it wants none.
 */
resting: string | null,
/**
 * What it was told to do.
 */
directive: Directive,
/**
 * What it is called by, besides its name.
 */
labels: Array<string>,
/**
 * Why it gets no work and its games do not count until somebody releases it, if it is in quarantine.
 */
quarantine?: string,
/**
 * Why it seems to choose which games it delivers, if it does.
 */
suspicion?: string,
/**
 * How its games differ from those of other machines in favour of one side, if they do by too much.
 */
biased?: string, };

/**
 * Some of the workers: `GET /api/v1/workers?offset=…&limit=…`. Those in quarantine come first, then those that are
 * present, then the others, each by name.
 */
export type WorkersPage = {
/**
 * The workers.
 */
workers: Array<WorkerReport>,
/**
 * How many there are before them.
 */
offset: number, };
