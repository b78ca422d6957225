-- Studies: other programs ask for points and tell results. `spec` is what is tuned, a document. `edition` grows with every change of the
-- study's points, so that of two coordinators only one gives a number.
CREATE TABLE study (
    id          UUID PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    spec        TEXT NOT NULL,
    who         TEXT NOT NULL,
    created_ms  BIGINT NOT NULL,
    archived_ms BIGINT,
    edition     BIGINT NOT NULL DEFAULT 0 CHECK (edition >= 0)
);

-- The log of a study: the points that were asked for, in the order of their numbers, and their results once these are told. Everything
-- that is known of a study follows from `spec` and these rows. `opponent` is another point, or NULL for the baseline. `ask_key` names
-- the call that asked, if its caller gave it a name. `told_edition` is the edition in which the result was told.
CREATE TABLE study_point (
    study        UUID NOT NULL REFERENCES study (id),
    number       BIGINT NOT NULL CHECK (number >= 0),
    ask_key      TEXT,
    point        TEXT NOT NULL,
    opponent     TEXT,
    size         BIGINT NOT NULL,
    wins         BIGINT CHECK (wins >= 0),
    draws        BIGINT CHECK (draws >= 0),
    losses       BIGINT CHECK (losses >= 0),
    told_edition BIGINT,
    PRIMARY KEY (study, number),
    CHECK ((told_edition IS NULL) = (wins IS NULL) AND (wins IS NULL) = (draws IS NULL) AND (wins IS NULL) = (losses IS NULL))
);
CREATE INDEX study_point_told ON study_point (study, told_edition);
