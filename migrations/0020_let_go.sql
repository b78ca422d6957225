-- A lease: the most plies that its games can have, when it ended, and in which call of its worker it was given, so that one
-- whose answer never arrived is known as such. Rows of before do not say.
ALTER TABLE lease ADD COLUMN most_plies BIGINT;
ALTER TABLE lease ADD COLUMN ended_ms BIGINT;
ALTER TABLE lease ADD COLUMN call_number BIGINT NOT NULL DEFAULT 0;

-- How often a pair was let go, by whom, and how far its games were by that machine's last word. A machine does not get a
-- pair again that it let go while somebody else could play it; `failures` are those let go for a fault. `how` is the
-- state in which the last lease ended.
ALTER TABLE pair ADD COLUMN let_go BIGINT NOT NULL DEFAULT 0;
CREATE TABLE let_go (
    cell      UUID NOT NULL,
    idx       BIGINT NOT NULL,
    worker    UUID NOT NULL REFERENCES worker (id),
    times     BIGINT NOT NULL CHECK (times >= 0),
    failures  BIGINT NOT NULL CHECK (failures >= 0),
    plies     BIGINT NOT NULL CHECK (plies >= 0),
    at_ms     BIGINT NOT NULL,
    how       TEXT NOT NULL,
    PRIMARY KEY (cell, idx, worker),
    FOREIGN KEY (cell, idx) REFERENCES pair (cell, idx)
);

-- What a machine can play (board sizes as bits, see `experiment_cell.needs`), when it last asked for work, how many games it
-- delivered in about the last minute, and how many pairs it let go.
ALTER TABLE worker ADD COLUMN able BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN asked_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN recent DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN let_go BIGINT NOT NULL DEFAULT 0;
