-- One dialect for SQLite and Postgres: TEXT, BIGINT, DOUBLE PRECISION and UUID only. Ids and times (milliseconds since
-- 1970) come from the coordinator; documents are JSON in TEXT. State invariants are CHECKs.

-- Every writing transaction starts by moving this one row. On Postgres its row lock lets one writer at a time pass, as
-- SQLite does by itself; everywhere the number tells readers that something changed.
CREATE TABLE revision (
    id      BIGINT PRIMARY KEY CHECK (id = 1),
    number  BIGINT NOT NULL
);
INSERT INTO revision (id, number) VALUES (1, 0);

CREATE TABLE token (
    hash        TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    created_ms  BIGINT NOT NULL
);

-- Players are known by their parameters: rows never change.
CREATE TABLE player (
    id          UUID PRIMARY KEY,
    params      TEXT NOT NULL,
    created_ms  BIGINT NOT NULL
);

CREATE TABLE experiment (
    id               UUID PRIMARY KEY,
    name             TEXT NOT NULL,
    question         TEXT NOT NULL,
    weight           DOUBLE PRECISION NOT NULL CHECK (weight > 0),
    semantics        BIGINT NOT NULL,
    state            TEXT NOT NULL CHECK (state IN ('active', 'superseded')),
    created_ms       BIGINT NOT NULL,
    cells            BIGINT NOT NULL CHECK (cells > 0),
    games_planned    BIGINT NOT NULL CHECK (games_planned > 0),
    games_done       BIGINT NOT NULL CHECK (games_done BETWEEN 0 AND games_planned),
    pairs_in_flight  BIGINT NOT NULL CHECK (pairs_in_flight >= 0)
);
CREATE INDEX experiment_name ON experiment (name, created_ms);
CREATE UNIQUE INDEX experiment_one_active ON experiment (name) WHERE state = 'active';

-- A cell belongs to no experiment: equal cells share their games. Its counters can be rebuilt from its games.
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
    CHECK (games = wins + draws + losses),
    CHECK (forks + bridges + rings = wins + losses),
    CHECK (pairs_done = ll + ld + wl + dd + wd + ww),
    CHECK (pairs_in_flight + pairs_done <= pairs_started)
);

-- What an experiment plans for a cell. `share` is the product of all weights; `priority` is what the scheduler sorts by:
-- pairs leased or done, divided by the share.
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
    PRIMARY KEY (experiment, position)
);
CREATE INDEX experiment_cell_cell ON experiment_cell (cell);
CREATE INDEX experiment_cell_next ON experiment_cell (semantics, priority, shuffle) WHERE state = 'open';
CREATE INDEX experiment_cell_next_of ON experiment_cell (experiment, priority, shuffle) WHERE state = 'open';
CREATE INDEX experiment_cell_sizes ON experiment_cell (semantics, size) WHERE state = 'open';
CREATE INDEX experiment_cell_sizes_of ON experiment_cell (experiment, size) WHERE state = 'open';

-- Games counted lately, in buckets of ten seconds: the rate of an experiment without a look at its games.
CREATE TABLE recent_games (
    experiment  UUID NOT NULL REFERENCES experiment (id),
    bucket      BIGINT NOT NULL,
    games       BIGINT NOT NULL,
    PRIMARY KEY (experiment, bucket)
);

CREATE TABLE worker (
    id           UUID PRIMARY KEY,
    session      UUID NOT NULL,
    name         TEXT NOT NULL,
    version      TEXT NOT NULL,
    slots        BIGINT NOT NULL,
    speeds       TEXT NOT NULL,
    no_work      TEXT,
    games        BIGINT NOT NULL DEFAULT 0 CHECK (games >= 0),
    seen_ms      BIGINT NOT NULL,
    progress_ms  BIGINT NOT NULL
);

-- `first` and `second` are the case's half-points (0 loss, 1 draw, 2 win) as White and as Black.
CREATE TABLE pair (
    cell    UUID NOT NULL REFERENCES cell (id),
    idx     BIGINT NOT NULL CHECK (idx >= 0),
    state   TEXT NOT NULL CHECK (state IN ('open', 'leased', 'done')),
    lease   UUID,
    first   BIGINT CHECK (first BETWEEN 0 AND 2),
    second  BIGINT CHECK (second BETWEEN 0 AND 2),
    PRIMARY KEY (cell, idx),
    CHECK ((state = 'leased') = (lease IS NOT NULL)),
    CHECK ((state = 'done') = (first IS NOT NULL AND second IS NOT NULL))
);
CREATE INDEX pair_open ON pair (cell, idx) WHERE state = 'open';

-- active: held by its worker until the deadline. finished: its pair is complete. lapsed: the deadline passed.
-- returned: the worker let go. revoked: somebody else completed the pair, or the game stood still.
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
    FOREIGN KEY (cell, idx) REFERENCES pair (cell, idx)
);
CREATE UNIQUE INDEX lease_one_active ON lease (cell, idx) WHERE state = 'active';
CREATE INDEX lease_deadline ON lease (deadline_ms) WHERE state = 'active';
CREATE INDEX lease_worker ON lease (worker) WHERE state = 'active';

-- Every play of every game, for good. A game played twice has two rows, at most one of them counted.
CREATE TABLE game (
    id           UUID NOT NULL,
    lease        UUID NOT NULL REFERENCES lease (id),
    cell         UUID NOT NULL,
    idx          BIGINT NOT NULL,
    half         BIGINT NOT NULL CHECK (half IN (0, 1)),
    worker       UUID NOT NULL REFERENCES worker (id),
    status       TEXT NOT NULL CHECK (status IN ('counted', 'superseded', 'excluded')),
    reason       TEXT,
    excluded_by  TEXT,
    winner       TEXT CHECK (winner IN ('white', 'black')),
    kind         TEXT CHECK (kind IN ('fork', 'bridge', 'ring')),
    plies        BIGINT NOT NULL CHECK (plies > 0),
    received_ms  BIGINT NOT NULL,
    record       TEXT NOT NULL,
    PRIMARY KEY (id, lease),
    FOREIGN KEY (cell, idx) REFERENCES pair (cell, idx),
    CHECK ((winner IS NULL) = (kind IS NULL)),
    CHECK ((status = 'excluded') = (reason IS NOT NULL AND excluded_by IS NOT NULL))
);
CREATE UNIQUE INDEX game_counted_once ON game (id) WHERE status = 'counted';
CREATE INDEX game_in_order ON game (cell, idx, half, lease);
