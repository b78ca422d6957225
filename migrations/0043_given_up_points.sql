-- Games that are excluded have chosen points meanwhile. Such points are given up: they are no part of the log while `given_up` says how
-- many trials there were when that happened, and the budget has their games again. `reach` is the number of trials when the result of
-- this one was taken out: no later trial was chosen by it. `taken_out` is the number of its excluded plays at that time. `settled` is the
-- value of `uncounted` up to which a tune's points were judged.
ALTER TABLE tune ADD COLUMN settled BIGINT NOT NULL DEFAULT 0;

CREATE TABLE new_trial (
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
INSERT INTO new_trial (experiment, number, origin, point, opponent, size, cell, idx)
    SELECT experiment, number, origin, point, opponent, size, cell, idx FROM tune_trial;
DROP TABLE tune_trial;
ALTER TABLE new_trial RENAME TO tune_trial;
CREATE INDEX tune_trial_cell ON tune_trial (cell);
CREATE UNIQUE INDEX tune_trial_pair ON tune_trial (experiment, cell, idx) WHERE given_up IS NULL;

-- The same of studies, whose programs take results back. `told_at` is the number of points when the result was told: later ones may be
-- chosen by it. `taken_back` is the result that was taken back, a document, and `edition` the one in which the row changed last.
CREATE TABLE new_point (
    study        UUID NOT NULL REFERENCES study (id),
    number       BIGINT NOT NULL CHECK (number >= 0),
    ask_key      TEXT,
    point        TEXT NOT NULL,
    opponent     TEXT,
    size         BIGINT NOT NULL,
    wins         BIGINT CHECK (wins >= 0),
    draws        BIGINT CHECK (draws >= 0),
    losses       BIGINT CHECK (losses >= 0),
    edition      BIGINT,
    given_up     BIGINT CHECK (given_up > number),
    told_at      BIGINT CHECK (told_at > number),
    reach        BIGINT CHECK (reach > number),
    taken_back   TEXT,
    PRIMARY KEY (study, number),
    CHECK ((wins IS NULL) = (draws IS NULL) AND (wins IS NULL) = (losses IS NULL)),
    CHECK ((reach IS NULL) = (taken_back IS NULL))
);
INSERT INTO new_point (study, number, ask_key, point, opponent, size, wins, draws, losses, edition)
    SELECT study, number, ask_key, point, opponent, size, wins, draws, losses, told_edition FROM study_point;
DROP TABLE study_point;
ALTER TABLE new_point RENAME TO study_point;
CREATE INDEX study_point_edition ON study_point (study, edition);
