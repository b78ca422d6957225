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
