-- The whole schema in one file, however long, until the first release. One dialect for SQLite and Postgres: TEXT, BIGINT, DOUBLE PRECISION and UUID only. Ids and times (milliseconds since
-- 1970) come from the coordinator; documents are JSON in TEXT. State invariants are CHECKs.

-- Every writing transaction starts by moving this one row. On Postgres its row lock lets one writer at a time pass, as
-- SQLite does by itself; everywhere the number tells readers that something changed.
CREATE TABLE revision (
    id      BIGINT PRIMARY KEY CHECK (id = 1),
    number  BIGINT NOT NULL
);
INSERT INTO revision (id, number) VALUES (1, 0);

-- Tokens by their digest. `join_code` is the code by which a machine got it, and `worker` that machine; `machines` is the number of
-- machines that may call with it. `used_ms` is the last use, within ten minutes.
CREATE TABLE token (
    hash        TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    created_ms  BIGINT NOT NULL,
    scopes      TEXT NOT NULL DEFAULT 'work read experiment',
    expires_ms  BIGINT,
    revoked_ms  BIGINT,
    join_code   TEXT,
    machines    BIGINT NOT NULL DEFAULT 16,
    worker      UUID,
    used_ms     BIGINT
);
CREATE INDEX token_join_code ON token (join_code) WHERE join_code IS NOT NULL;

-- Codes by which machines join: short, for a while, and for so many machines.
CREATE TABLE join_code (
    hash        TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    created_ms  BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL,
    uses_left   BIGINT NOT NULL CHECK (uses_left >= 0)
);

-- Pages that signed in, by the digest of the random id in their cookie: the token whose rights they have, and until when.
CREATE TABLE page_session (
    hash        TEXT PRIMARY KEY,
    token       TEXT NOT NULL REFERENCES token (hash),
    created_ms  BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL CHECK (expires_ms > created_ms)
);
CREATE INDEX page_session_token ON page_session (token, created_ms);
CREATE INDEX page_session_end ON page_session (expires_ms);

-- Players are known by their parameters: rows never change.
CREATE TABLE player (
    id          UUID PRIMARY KEY,
    params      TEXT NOT NULL,
    created_ms  BIGINT NOT NULL
);

-- An experiment lasts, and its plan has revisions. `revision` is the number of the newest one; it is 0 while the first is being
-- stored. `edition` counts the changes of the experiment's rows in `experiment_cell`. `paused_ms` and `archived_ms` say since when
-- nothing is leased, `stopped_ms` since when it is stopped for good: its plan ends with the games that were in play then.
--
-- Experiments share the workers by start-time fair queueing: `core_us` is the core time that the leases were charged so far,
-- `prior_us` what their budgets suggested, `virtual_time` the charged core seconds divided by the weight, `virtual_start` the virtual
-- time at which the last lease began while the experiment waits for workers, and `served_ms` when it last got a lease or a lease
-- of it ended. `policy` orders its cells.
--
-- `games_unasked` are the games of a tune for which no point has been asked yet; `games_planned` contains them. `is_control` marks
-- the control that coordinators keep by themselves: the baselines against themselves, wherever other experiments play.
CREATE TABLE experiment (
    id               UUID PRIMARY KEY,
    name             TEXT NOT NULL,
    question         TEXT NOT NULL,
    weight           DOUBLE PRECISION NOT NULL CHECK (weight > 0),
    semantics        BIGINT NOT NULL,
    created_ms       BIGINT NOT NULL,
    cells            BIGINT NOT NULL CHECK (cells > 0),
    games_planned    BIGINT NOT NULL CHECK (games_planned > 0),
    games_done       BIGINT NOT NULL CHECK (games_done BETWEEN 0 AND games_planned),
    pairs_in_flight  BIGINT NOT NULL CHECK (pairs_in_flight >= 0),
    pairs_aside      BIGINT NOT NULL DEFAULT 0 CHECK (pairs_aside >= 0),
    revision         BIGINT NOT NULL DEFAULT 1,
    edition          BIGINT NOT NULL DEFAULT 1,
    paused_ms        BIGINT,
    archived_ms      BIGINT,
    tags             TEXT NOT NULL DEFAULT '[]',
    core_us          BIGINT NOT NULL DEFAULT 0 CHECK (core_us >= 0),
    prior_us         BIGINT NOT NULL DEFAULT 0 CHECK (prior_us >= 0),
    virtual_time     DOUBLE PRECISION NOT NULL DEFAULT 0,
    virtual_start    DOUBLE PRECISION,
    served_ms        BIGINT NOT NULL DEFAULT 0,
    policy           TEXT NOT NULL DEFAULT 'coverage'
        CHECK (policy IN ('coverage', 'error', 'best', 'race')),
    is_control       BIGINT NOT NULL DEFAULT 0,
    games_unasked    BIGINT NOT NULL DEFAULT 0 CHECK (games_unasked >= 0),
    stopped_ms       BIGINT
);
CREATE UNIQUE INDEX experiment_name ON experiment (name);

-- `content` is the digest of what was applied, and `plan` the content itself.
CREATE TABLE experiment_revision (
    experiment  UUID NOT NULL REFERENCES experiment (id),
    number      BIGINT NOT NULL CHECK (number > 0),
    content     UUID NOT NULL,
    applied_ms  BIGINT NOT NULL,
    who         TEXT NOT NULL,
    plan        TEXT NOT NULL,
    PRIMARY KEY (experiment, number)
);
CREATE INDEX experiment_revision_content ON experiment_revision (content);

-- Who changed what. Rows are only ever added; games and syncs are not in it, they have records of their own.
CREATE TABLE audit (
    seq     BIGINT PRIMARY KEY,
    at_ms   BIGINT NOT NULL,
    who     TEXT NOT NULL,
    action  TEXT NOT NULL,
    what    TEXT NOT NULL,
    detail  TEXT NOT NULL
);
-- The last change of a kind, such as the last backup.
CREATE INDEX audit_action ON audit (action, seq);

-- The changes of `audit` that concern an experiment.
CREATE TABLE timeline (
    experiment  UUID NOT NULL REFERENCES experiment (id),
    change      BIGINT NOT NULL REFERENCES audit (seq),
    PRIMARY KEY (experiment, change)
);

-- A cell belongs to no experiment: equal cells share their games. Its counters can be rebuilt from its games. `void_games` are no
-- losses: attempts that failed (`abandoned.voids`), and plays that were excluded. `memory_mib` is what the trees of the two players
-- hold at most.
CREATE TABLE cell (
    id               UUID PRIMARY KEY,
    case_player      UUID NOT NULL REFERENCES player (id),
    baseline_player  UUID NOT NULL REFERENCES player (id),
    semantics        BIGINT NOT NULL,
    size             BIGINT NOT NULL CHECK (size BETWEEN 3 AND 10),
    spec             TEXT NOT NULL,
    games            BIGINT NOT NULL DEFAULT 0,
    wins             BIGINT NOT NULL DEFAULT 0 CHECK (wins >= 0),
    draws            BIGINT NOT NULL DEFAULT 0 CHECK (draws >= 0),
    losses           BIGINT NOT NULL DEFAULT 0 CHECK (losses >= 0),
    ll               BIGINT NOT NULL DEFAULT 0 CHECK (ll >= 0),
    ld               BIGINT NOT NULL DEFAULT 0 CHECK (ld >= 0),
    wl               BIGINT NOT NULL DEFAULT 0 CHECK (wl >= 0),
    dd               BIGINT NOT NULL DEFAULT 0 CHECK (dd >= 0),
    wd               BIGINT NOT NULL DEFAULT 0 CHECK (wd >= 0),
    ww               BIGINT NOT NULL DEFAULT 0 CHECK (ww >= 0),
    forks            BIGINT NOT NULL DEFAULT 0 CHECK (forks >= 0),
    bridges          BIGINT NOT NULL DEFAULT 0 CHECK (bridges >= 0),
    rings            BIGINT NOT NULL DEFAULT 0 CHECK (rings >= 0),
    plies            BIGINT NOT NULL DEFAULT 0 CHECK (plies >= 0),
    first_move_wins  BIGINT NOT NULL DEFAULT 0 CHECK (first_move_wins BETWEEN 0 AND wins + losses),
    pairs_started    BIGINT NOT NULL DEFAULT 0,
    pairs_in_flight  BIGINT NOT NULL DEFAULT 0 CHECK (pairs_in_flight >= 0),
    pairs_done       BIGINT NOT NULL DEFAULT 0,
    pairs_aside      BIGINT NOT NULL DEFAULT 0 CHECK (pairs_aside >= 0),
    memory_mib       BIGINT,
    core_us          BIGINT NOT NULL DEFAULT 0 CHECK (core_us >= 0),
    games_timed      BIGINT NOT NULL DEFAULT 0 CHECK (games_timed >= 0),
    void_games       BIGINT NOT NULL DEFAULT 0 CHECK (void_games >= 0),
    CHECK (games = wins + draws + losses),
    CHECK (forks + bridges + rings = wins + losses),
    CHECK (pairs_done = ll + ld + wl + dd + wd + ww),
    CHECK (pairs_in_flight + pairs_done <= pairs_started)
);
CREATE INDEX cell_case ON cell (case_player, size);
CREATE INDEX cell_baseline ON cell (baseline_player, size);
-- The overview judges the control cells, in which a player meets itself. They are few among ten thousand.
CREATE INDEX cell_control ON cell (semantics) WHERE case_player = baseline_player;

-- What an experiment plans for a cell. `share` is the share of the experiment's games; `priority` is what the scheduler sorts by:
-- pairs leased or done, divided by the share. `needs` has the board sizes that a worker must have measured, as bits. `closed` is the
-- revision that took the cell out of the plan; the row and its games stay.
--
-- `stop_rule` is the stopping rule as JSON, `stop_ll` to `stop_ww` how far it has read the cell's pairs in the order of their
-- numbers, by their results, and `stop_decision` its decision. Reading ends at the decision, so the counts are those at the stop. A
-- row with a decision is never 'open'.
CREATE TABLE experiment_cell (
    experiment      UUID NOT NULL REFERENCES experiment (id),
    position        BIGINT NOT NULL,
    cell            UUID NOT NULL REFERENCES cell (id),
    case_group      TEXT NOT NULL,
    case_label      TEXT NOT NULL,
    baseline_group  TEXT NOT NULL,
    baseline_label  TEXT NOT NULL,
    size            BIGINT NOT NULL,
    weight          DOUBLE PRECISION NOT NULL CHECK (weight > 0),
    share           DOUBLE PRECISION NOT NULL CHECK (share > 0),
    pairs           BIGINT NOT NULL CHECK (pairs > 0),
    semantics       BIGINT NOT NULL,
    needs           BIGINT NOT NULL,
    shuffle         BIGINT NOT NULL,
    priority        DOUBLE PRECISION NOT NULL CHECK (priority >= 0),
    state           TEXT NOT NULL CHECK (state IN ('open', 'full', 'off')),
    closed          BIGINT CHECK (closed IS NULL OR state = 'off'),
    stop_rule       TEXT,
    stop_ll         BIGINT NOT NULL DEFAULT 0,
    stop_ld         BIGINT NOT NULL DEFAULT 0,
    stop_wl         BIGINT NOT NULL DEFAULT 0,
    stop_dd         BIGINT NOT NULL DEFAULT 0,
    stop_wd         BIGINT NOT NULL DEFAULT 0,
    stop_ww         BIGINT NOT NULL DEFAULT 0,
    stop_decision   TEXT
        CHECK (stop_decision IS NULL OR (stop_rule IS NOT NULL
        AND stop_decision IN ('accept_h1', 'accept_h0', 'precise', 'better', 'worse'))),
    PRIMARY KEY (experiment, position)
);
CREATE INDEX experiment_cell_cell ON experiment_cell (cell);
CREATE INDEX experiment_cell_next_of ON experiment_cell (experiment, priority, shuffle) WHERE state = 'open';
CREATE INDEX experiment_cell_sizes ON experiment_cell (semantics, size) WHERE state = 'open';
CREATE INDEX experiment_cell_sizes_of ON experiment_cell (experiment, size) WHERE state = 'open';
CREATE INDEX experiment_cell_stopping ON experiment_cell (experiment, position) WHERE stop_rule IS NOT NULL;
CREATE INDEX experiment_cell_stopped ON experiment_cell (experiment) WHERE stop_decision IS NOT NULL;

-- Games counted lately, in buckets of ten seconds: the rate of an experiment without a look at its games.
CREATE TABLE recent_games (
    experiment  UUID NOT NULL REFERENCES experiment (id),
    bucket      BIGINT NOT NULL,
    games       BIGINT NOT NULL,
    PRIMARY KEY (experiment, bucket)
);
-- Recent games are folded into slices, and shown, by their time.
CREATE INDEX recent_games_bucket ON recent_games (bucket);

-- The games of long ago in slices of any number of buckets: a short experiment keeps its buckets, and a long one its hours of 360.
CREATE TABLE past_games (
    experiment  UUID NOT NULL REFERENCES experiment (id),
    bucket      BIGINT NOT NULL,
    buckets     BIGINT NOT NULL CHECK (buckets > 0),
    games       BIGINT NOT NULL CHECK (games >= 0),
    PRIMARY KEY (experiment, bucket, buckets)
);

-- Machines. `start_number` and `call_number` are the start and the last call that arrived, so that calls which arrive late or twice
-- are recognised. `away_ms` is when it said good-bye, while it is away. `directive`, `labels` and `resting`: what it was told to do,
-- its labels, and why it wants no work by its own account. `quarantine` is why it gets no work and its games do not count until
-- it is released. `token` is the digest of the token that it last called with, and `principal` who answers for it: the join code
-- by which its token came, else the token itself (digests both), or `this process` for the tokens of a coordinator's own process.
-- Several machines of one principal are one witness.
--
-- `able` has the board sizes that it can play as bits, `asked_ms` when it last asked for work, `recent` the games that it delivered in
-- about the last minute. `compared`, `off_total` and `off_size`: how many of its counted games
-- were compared by simulations, the sum of how far their ratios were off, and that sum without signs. `checks` and
-- `checks_failed` are its leases of rechecks. `looks` and `looked_games`: how often its results were compared with those of others,
-- and the number of its games at the last comparison.
CREATE TABLE worker (
    id             UUID PRIMARY KEY,
    session        UUID NOT NULL,
    name           TEXT NOT NULL,
    version        TEXT NOT NULL,
    slots          BIGINT NOT NULL,
    speeds         TEXT NOT NULL,
    no_work        TEXT,
    games          BIGINT NOT NULL DEFAULT 0 CHECK (games >= 0),
    seen_ms        BIGINT NOT NULL,
    progress_ms    BIGINT NOT NULL,
    directive      TEXT NOT NULL DEFAULT 'work' CHECK (directive IN ('work', 'pause', 'drain')),
    labels         TEXT NOT NULL DEFAULT '[]',
    resting        TEXT,
    quarantine     TEXT,
    start_number   BIGINT NOT NULL DEFAULT 0,
    call_number    BIGINT NOT NULL DEFAULT 0,
    away_ms        BIGINT,
    memory_mib     BIGINT,
    token          TEXT,
    compared       BIGINT NOT NULL DEFAULT 0 CHECK (compared >= 0),
    off_total      BIGINT NOT NULL DEFAULT 0,
    principal      TEXT,
    checks         BIGINT NOT NULL DEFAULT 0,
    checks_failed  BIGINT NOT NULL DEFAULT 0,
    able           BIGINT NOT NULL DEFAULT 0,
    asked_ms       BIGINT NOT NULL DEFAULT 0,
    recent         DOUBLE PRECISION NOT NULL DEFAULT 0,
    off_size       BIGINT NOT NULL DEFAULT 0,
    looks          BIGINT NOT NULL DEFAULT 0,
    looked_games   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX worker_principal ON worker (principal);
CREATE INDEX worker_token ON worker (token);

-- How fast machines were. A row holds for the minutes from `at_ms` on, and old rows are deleted.
CREATE TABLE worker_speed (
    worker      UUID NOT NULL REFERENCES worker (id),
    size        BIGINT NOT NULL,
    at_ms       BIGINT NOT NULL,
    sims_per_s  DOUBLE PRECISION NOT NULL,
    factor      DOUBLE PRECISION NOT NULL,
    drift       DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (worker, size, at_ms)
);
CREATE INDEX worker_speed_age ON worker_speed (at_ms);

-- The counted games of each machine in each cell, by the half of the pair (0 where the case plays White): the case's results, and how
-- fast the games were, relative to what the machine says of its speed (sums of logarithms in thousandths). For comparisons of machines.
CREATE TABLE worker_cell (
    cell         UUID NOT NULL REFERENCES cell (id),
    worker       UUID NOT NULL REFERENCES worker (id),
    half         BIGINT NOT NULL CHECK (half IN (0, 1)),
    losses       BIGINT NOT NULL,
    draws        BIGINT NOT NULL,
    wins         BIGINT NOT NULL,
    timed        BIGINT NOT NULL,
    speed_total  BIGINT NOT NULL,
    PRIMARY KEY (cell, worker, half)
);

-- `first` and `second` are the case's half-points (0 loss, 1 draw, 2 win) as White and as Black. `failures` counts the leases that
-- lapsed or were revoked. A pair that failed too often is set aside: `aside_ms` says since when, and `trouble` what went wrong the last
-- time. `abandoned` counts how often a machine abandoned it.
CREATE TABLE pair (
    cell      UUID NOT NULL REFERENCES cell (id),
    idx       BIGINT NOT NULL CHECK (idx >= 0),
    state     TEXT NOT NULL CHECK (state IN ('open', 'leased', 'done')),
    lease     UUID,
    first     BIGINT CHECK (first BETWEEN 0 AND 2),
    second    BIGINT CHECK (second BETWEEN 0 AND 2),
    failures  BIGINT NOT NULL DEFAULT 0,
    aside_ms  BIGINT CHECK (aside_ms IS NULL OR state = 'open'),
    trouble   TEXT,
    abandoned    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (cell, idx),
    CHECK ((state = 'leased') = (lease IS NOT NULL)),
    CHECK ((state = 'done') = (first IS NOT NULL AND second IS NOT NULL))
);
CREATE INDEX pair_open ON pair (cell, failures, idx) WHERE state = 'open' AND aside_ms IS NULL;
CREATE INDEX pair_aside ON pair (cell, idx) WHERE aside_ms IS NOT NULL;

-- active: held by its worker until the deadline. finished: its pair is complete. lapsed: the deadline passed.
-- returned: the worker abandoned it. revoked: another machine completed the pair, or the game stood still.
--
-- `replays` is the lease of the play that is to be played again, if the lease is for that: it is no lease of its pair then.
-- `most_plies` are the most plies that its games can have, and `call_number` the call of its worker in which it was given, so that a
-- lease whose answer never arrived is known as such. `experiment` is charged for it: `charge_us` is an estimate while the lease is
-- active, `prior_us` what the budget suggests, and `spent_us` the core time of its games so far.
CREATE TABLE lease (
    id           UUID PRIMARY KEY,
    cell         UUID NOT NULL,
    idx          BIGINT NOT NULL,
    worker       UUID NOT NULL REFERENCES worker (id),
    state        TEXT NOT NULL CHECK (state IN ('active', 'finished', 'lapsed', 'returned', 'revoked')),
    granted_ms   BIGINT NOT NULL,
    deadline_ms  BIGINT NOT NULL,
    plies        BIGINT NOT NULL DEFAULT 0,
    progress_ms  BIGINT NOT NULL,
    replays      UUID,
    most_plies   BIGINT,
    ended_ms     BIGINT,
    call_number  BIGINT NOT NULL DEFAULT 0,
    experiment   UUID REFERENCES experiment (id),
    charge_us    BIGINT NOT NULL DEFAULT 0 CHECK (charge_us >= 0),
    prior_us     BIGINT NOT NULL DEFAULT 0 CHECK (prior_us >= 0),
    spent_us     BIGINT NOT NULL DEFAULT 0 CHECK (spent_us >= 0),
    FOREIGN KEY (cell, idx) REFERENCES pair (cell, idx)
);
-- Only statements that name the deadline may use it: those for the leases of workers would read all active leases.
CREATE INDEX lease_deadline ON lease (deadline_ms) WHERE state = 'active' AND deadline_ms > 0;
CREATE INDEX lease_worker ON lease (worker) WHERE state = 'active';
CREATE UNIQUE INDEX lease_one_active ON lease (cell, idx) WHERE state = 'active' AND replays IS NULL;

-- How often a machine abandoned a pair, and how far its games were by that machine's last word. A machine does not get a pair
-- again that it abandoned while another could play it; `failures` are those that a fault caused. `how` is the state in which the
-- last lease ended.
CREATE TABLE abandoned (
    cell      UUID NOT NULL,
    idx       BIGINT NOT NULL,
    worker    UUID NOT NULL REFERENCES worker (id),
    times     BIGINT NOT NULL CHECK (times >= 0),
    failures  BIGINT NOT NULL CHECK (failures >= 0),
    plies     BIGINT NOT NULL CHECK (plies >= 0),
    at_ms     BIGINT NOT NULL,
    how       TEXT NOT NULL,
    voids     BIGINT NOT NULL DEFAULT 0 CHECK (voids >= 0),
    PRIMARY KEY (cell, idx, worker),
    FOREIGN KEY (cell, idx) REFERENCES pair (cell, idx)
);
-- The games of pairs that a machine abandoned, for the test whether it chose.
CREATE INDEX abandoned_worker ON abandoned (worker, cell, idx);

-- Every play of every game, for good. A game played twice has two rows, at most one of them counted. The moves of old games may be
-- dropped, their results never: then `record` is empty.
--
-- `case_level` and `baseline_level`: how much the sides of a game with a budget in time thought, as the mean logarithm of simulations
-- relative to plain UCT on the reference machine, in thousandths. `ratio_off` is how far their ratio is off that on other machines,
-- once that is known. `exclusion` is the change, by its number in `audit`, that took the play out together with all others of its
-- machine. `core_us` is the core time, and `speed_level` the logarithm of the speed. `surprise` is the highest result that the loser
-- expected at one of its moves, in thousandths, where that is 700 or more. `draw` is a random number from 0 to 1: a coordinator that
-- has a share of the games rechecked takes the counted plays that drew less than the share; it is NULL when the play was taken, or
-- drew so much that its number is not kept.
CREATE TABLE game (
    id              UUID NOT NULL,
    lease           UUID NOT NULL REFERENCES lease (id),
    cell            UUID NOT NULL,
    idx             BIGINT NOT NULL,
    half            BIGINT NOT NULL CHECK (half IN (0, 1)),
    worker          UUID NOT NULL REFERENCES worker (id),
    status          TEXT NOT NULL CHECK (status IN ('counted', 'superseded', 'excluded')),
    reason          TEXT,
    excluded_by     TEXT,
    winner          TEXT CHECK (winner IN ('white', 'black')),
    kind            TEXT CHECK (kind IN ('fork', 'bridge', 'ring')),
    plies           BIGINT NOT NULL CHECK (plies > 0),
    received_ms     BIGINT NOT NULL,
    record          TEXT NOT NULL,
    case_level      BIGINT,
    baseline_level  BIGINT,
    ratio_off       BIGINT,
    exclusion       BIGINT,
    core_us         BIGINT CHECK (core_us >= 0),
    speed_level     BIGINT,
    surprise        BIGINT,
    draw            DOUBLE PRECISION,
    PRIMARY KEY (id, lease),
    FOREIGN KEY (cell, idx) REFERENCES pair (cell, idx),
    CHECK ((winner IS NULL) = (kind IS NULL)),
    CHECK ((status = 'excluded') = (reason IS NOT NULL AND excluded_by IS NOT NULL))
);
CREATE UNIQUE INDEX game_counted_once ON game (id) WHERE status = 'counted';
CREATE INDEX game_in_order ON game (cell, idx, half, lease);
-- Games whose moves can be dropped.
CREATE INDEX game_with_record ON game (received_ms) WHERE record <> '';
-- What a machine in quarantine sent is excluded under a name of its own, so that a release finds it.
CREATE INDEX game_in_quarantine ON game (worker) WHERE excluded_by = 'coordinator: quarantine';
CREATE INDEX game_unjudged ON game (cell, received_ms)
    WHERE status = 'counted' AND ratio_off IS NULL AND case_level IS NOT NULL;
CREATE INDEX game_out_of_bounds ON game (worker) WHERE excluded_by = 'coordinator: bounds' AND ratio_off IS NOT NULL;
CREATE INDEX game_exclusion ON game (exclusion) WHERE exclusion IS NOT NULL;
-- Searches walk the games in an order and stop after a while: all of them by arrival or by length, those of a cell and those of a
-- machine by arrival. Games arrive in these orders, so that an index grows at few places.
CREATE INDEX game_by_arrival ON game (received_ms, id, lease);
CREATE INDEX game_by_length ON game (plies, id, lease);
CREATE INDEX game_of_cell ON game (cell, received_ms, id, lease);
CREATE INDEX game_of_worker ON game (worker, received_ms, id, lease);
-- Both walks pass games that were lost against expectation only, so their indexes are small.
CREATE INDEX game_by_surprise ON game (surprise, id, lease) WHERE surprise IS NOT NULL;
CREATE INDEX game_of_cell_by_surprise ON game (cell, surprise, id, lease) WHERE surprise IS NOT NULL;
-- The plays of a cell that do not count: few, and asked for by their reason and by their time.
CREATE INDEX game_not_counted ON game (cell, status, received_ms) WHERE status <> 'counted';
CREATE INDEX game_draw ON game (draw) WHERE status = 'counted' AND draw IS NOT NULL;

-- How the counted games of each cell ended: by their length, by the case's result, and by the shape that won.
CREATE TABLE cell_ending (
    cell    UUID NOT NULL REFERENCES cell (id),
    plies   BIGINT NOT NULL,
    result  TEXT NOT NULL CHECK (result IN ('loss', 'draw', 'win')),
    kind    TEXT NOT NULL CHECK (kind IN ('none', 'fork', 'bridge', 'ring')),
    games   BIGINT NOT NULL,
    PRIMARY KEY (cell, plies, result, kind)
);

-- Sums of levels over the counted games: of a player on a board with a budget (`kind` is their digest) by machine.
CREATE TABLE pace (
    kind    UUID NOT NULL,
    worker  UUID NOT NULL REFERENCES worker (id),
    games   BIGINT NOT NULL CHECK (games >= 0),
    total   BIGINT NOT NULL,
    PRIMARY KEY (kind, worker)
);

-- Some counted plays are played again on another machine and compared. wanted: to be lent to a machine that has not played the game.
-- lent: under the lease `lent`, which may be for both games of a pair. agreed: two machines had the same moves, and the play's is one
-- of them. refuted: two others had other moves. given_up: no machine brought it to its end, or the moves were dropped. `disputed_ms` is
-- when moves first differed; `note` says where. `failures` is the number of principals that failed.
CREATE TABLE replay (
    game         UUID NOT NULL,
    lease        UUID NOT NULL,
    cell         UUID NOT NULL,
    idx          BIGINT NOT NULL,
    half         BIGINT NOT NULL CHECK (half IN (0, 1)),
    worker       UUID NOT NULL REFERENCES worker (id),
    semantics    BIGINT NOT NULL,
    needs        BIGINT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('wanted', 'lent', 'agreed', 'refuted', 'given_up')),
    lent         UUID REFERENCES lease (id),
    failures     BIGINT NOT NULL DEFAULT 0 CHECK (failures >= 0),
    chosen_ms    BIGINT NOT NULL,
    disputed_ms  BIGINT,
    note         TEXT,
    PRIMARY KEY (game, lease),
    FOREIGN KEY (game, lease) REFERENCES game (id, lease),
    CHECK ((state = 'lent') = (lent IS NOT NULL))
);
CREATE INDEX replay_wanted ON replay (failures, chosen_ms) WHERE state = 'wanted';
CREATE INDEX replay_worker ON replay (worker, state);
CREATE INDEX replay_lent ON replay (lent) WHERE lent IS NOT NULL;

-- Principals that abandoned a recheck of a play, and how often that was a failure.
CREATE TABLE replay_attempt (
    game       UUID NOT NULL,
    lease      UUID NOT NULL,
    principal  TEXT NOT NULL,
    failures   BIGINT NOT NULL CHECK (failures >= 0),
    PRIMARY KEY (game, lease, principal),
    FOREIGN KEY (game, lease) REFERENCES replay (game, lease)
);

-- What people should look at, by kind and subject: the id of a machine, or an empty text. Since when, and in which words. An alarm
-- that is over keeps its row with the time of its end, so that one that comes and goes is told of once.
CREATE TABLE alarm (
    kind      TEXT NOT NULL,
    subject   TEXT NOT NULL,
    severity  TEXT NOT NULL CHECK (severity IN ('amber', 'red')),
    since_ms  BIGINT NOT NULL,
    ended_ms  BIGINT,
    words     TEXT NOT NULL,
    PRIMARY KEY (kind, subject)
);

-- Experiments that confirm a case of another one. `number` counts the confirmations of that case against that baseline. The names
-- are those at its beginning.
CREATE TABLE confirmation (
    experiment       UUID PRIMARY KEY REFERENCES experiment (id),
    origin           UUID NOT NULL REFERENCES experiment (id),
    origin_revision  BIGINT NOT NULL,
    case_player      UUID NOT NULL REFERENCES player (id),
    case_label       TEXT NOT NULL,
    baseline_player  UUID NOT NULL REFERENCES player (id),
    baseline_label   TEXT NOT NULL,
    number           BIGINT NOT NULL CHECK (number > 0),
    began_ms         BIGINT NOT NULL,
    who              TEXT NOT NULL,
    UNIQUE (origin, case_player, baseline_player, number)
);

-- Cases that were promoted: players with names, for experiment files. Rows never change. `folded` is the name in lower case: no two
-- names differ in case only. `against` is the baseline that the case was measured against, and `parent` its name if it has one.
-- `confirmation` is the last confirmation as it stood then, a document.
CREATE TABLE baseline (
    name             TEXT PRIMARY KEY,
    folded           TEXT NOT NULL UNIQUE,
    player           UUID NOT NULL REFERENCES player (id),
    origin           UUID NOT NULL REFERENCES experiment (id),
    origin_revision  BIGINT NOT NULL,
    case_label       TEXT NOT NULL,
    against          UUID NOT NULL REFERENCES player (id),
    against_label    TEXT NOT NULL,
    parent           TEXT,
    confirmation     TEXT,
    promoted_ms      BIGINT NOT NULL,
    who              TEXT NOT NULL
);
CREATE INDEX baseline_player ON baseline (player);

-- Experiments that look for the best setting of some parameters. `spec` is what is tuned, a document. `uncounted` grows when a complete
-- pair of a trial is uncounted, so that results kept in memory are read again; `settled` is the value of `uncounted` up to which the
-- points were judged. `ending` says what was done when all games were played.
CREATE TABLE tune (
    experiment  UUID PRIMARY KEY REFERENCES experiment (id),
    spec        TEXT NOT NULL,
    uncounted   BIGINT NOT NULL DEFAULT 0,
    ending      TEXT,
    settled     BIGINT NOT NULL DEFAULT 0
);

-- The log of a tune: the points that were asked for, in the order of their numbers, each with its pair of games. The result of a trial
-- is that of its pair. Everything that is known of a tune follows from `spec` and these rows. `opponent` is another point, or NULL for
-- the baseline. Points that excluded games chose are given up: they are no part of the log while `given_up` says how many trials there
-- were when that happened, and the budget has their games again. `reach` is the number of trials when the result of this one was
-- taken out: no later trial was chosen by it. `taken_out` is the number of its excluded plays at that time.
CREATE TABLE tune_trial (
    experiment  UUID NOT NULL REFERENCES tune (experiment),
    number      BIGINT NOT NULL CHECK (number >= 0),
    origin      TEXT NOT NULL CHECK (origin IN ('start', 'strategy', 'foreign', 'final', 'imported')),
    point       TEXT NOT NULL,
    opponent    TEXT,
    size        BIGINT NOT NULL CHECK (size BETWEEN 3 AND 10),
    cell        UUID NOT NULL REFERENCES cell (id),
    idx         BIGINT NOT NULL CHECK (idx >= 0),
    given_up    BIGINT CHECK (given_up > number),
    reach       BIGINT CHECK (reach > number),
    taken_out   BIGINT NOT NULL DEFAULT 0 CHECK (taken_out >= 0),
    CHECK ((reach IS NULL) = (taken_out = 0)),
    PRIMARY KEY (experiment, number)
);
CREATE INDEX tune_trial_cell ON tune_trial (cell);
CREATE UNIQUE INDEX tune_trial_pair ON tune_trial (experiment, cell, idx) WHERE given_up IS NULL;

-- Studies: other programs ask for points and tell results. `spec` is what is tuned, a document. `edition` grows with every change of the
-- study's points, so that of two coordinators only one gives a number.
CREATE TABLE study (
    id           UUID PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,
    spec         TEXT NOT NULL,
    who          TEXT NOT NULL,
    created_ms   BIGINT NOT NULL,
    archived_ms  BIGINT,
    edition      BIGINT NOT NULL DEFAULT 0 CHECK (edition >= 0)
);

-- The log of a study: the points that were asked for, in the order of their numbers, and their results once these are told. Everything
-- that is known of a study follows from `spec` and these rows. `opponent` is another point, or NULL for the baseline. `ask_key` names
-- the call that asked, if its caller gave it a name. `told_at` is the number of points when the result was told: later ones may be
-- chosen by it. `taken_back` is the result that was taken back, a document, and `edition` the one in which the row changed last.
-- `given_up` and `reach` are as in `tune_trial`.
CREATE TABLE study_point (
    study       UUID NOT NULL REFERENCES study (id),
    number      BIGINT NOT NULL CHECK (number >= 0),
    ask_key     TEXT,
    point       TEXT NOT NULL,
    opponent    TEXT,
    size        BIGINT NOT NULL,
    wins        BIGINT CHECK (wins >= 0),
    draws       BIGINT CHECK (draws >= 0),
    losses      BIGINT CHECK (losses >= 0),
    edition     BIGINT,
    given_up    BIGINT CHECK (given_up > number),
    told_at     BIGINT CHECK (told_at > number),
    reach       BIGINT CHECK (reach > number),
    taken_back  TEXT,
    PRIMARY KEY (study, number),
    CHECK ((wins IS NULL) = (draws IS NULL) AND (wins IS NULL) = (losses IS NULL)),
    CHECK ((reach IS NULL) = (taken_back IS NULL))
);
CREATE INDEX study_point_edition ON study_point (study, edition);
