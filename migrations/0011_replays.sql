-- Some counted plays are played again on another machine and compared. Such a lease is for the play under the lease that
-- it names; it is no lease of its pair, and a pair may be lent beside it.
ALTER TABLE lease ADD COLUMN replays UUID;
DROP INDEX lease_one_active;
CREATE UNIQUE INDEX lease_one_active ON lease (cell, idx) WHERE state = 'active' AND replays IS NULL;

-- wanted: to be lent to a machine that has not played the game. lent: under the lease `lent`. agreed: two machines had the
-- same moves, and the play's is one of them. refuted: two others had other moves. given_up: no machine brought it to its
-- end, or the moves were dropped. `disputed_ms` is when moves first differed; `note` says where.
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
CREATE UNIQUE INDEX replay_lent ON replay (lent) WHERE lent IS NOT NULL;
CREATE INDEX replay_worker ON replay (worker, state);

-- Why a machine gets no work and its games do not count until somebody releases it, if it is in quarantine. What it sent
-- meanwhile is excluded under a name of its own, so that a release finds it.
ALTER TABLE worker ADD COLUMN quarantine TEXT;
CREATE INDEX game_in_quarantine ON game (worker) WHERE excluded_by = 'coordinator: quarantine';
