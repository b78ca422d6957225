-- Experiments that look for the best setting of some parameters. `spec` is what is tuned, a document. `uncounted` grows when a complete
-- pair of a trial is uncounted, so that whoever keeps results in memory reads them again. `ending` says what was done when all games were played.
CREATE TABLE tune (
    experiment  UUID PRIMARY KEY REFERENCES experiment (id),
    spec        TEXT NOT NULL,
    uncounted   BIGINT NOT NULL DEFAULT 0,
    ending      TEXT
);

-- The log of a tune: the points that were asked for, in the order of their numbers, each with its pair of games. The result of a trial
-- is that of its pair. Everything that is known of a tune follows from `spec` and these rows. `opponent` is another point, or NULL for
-- the baseline.
CREATE TABLE tune_trial (
    experiment  UUID NOT NULL REFERENCES tune (experiment),
    number      BIGINT NOT NULL CHECK (number >= 0),
    origin      TEXT NOT NULL CHECK (origin IN ('start', 'strategy', 'foreign', 'final', 'imported')),
    point       TEXT NOT NULL,
    opponent    TEXT,
    size        BIGINT NOT NULL CHECK (size BETWEEN 3 AND 10),
    cell        UUID NOT NULL REFERENCES cell (id),
    idx         BIGINT NOT NULL CHECK (idx >= 0),
    PRIMARY KEY (experiment, number),
    UNIQUE (experiment, cell, idx)
);
CREATE INDEX tune_trial_cell ON tune_trial (cell);

-- Games of a tune for which no point has been asked yet. They are part of `games_planned`.
ALTER TABLE experiment ADD COLUMN games_unasked BIGINT NOT NULL DEFAULT 0 CHECK (games_unasked >= 0);
