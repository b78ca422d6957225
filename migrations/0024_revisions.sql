-- An experiment lasts, and its plan has revisions. `revision` is the number of the newest one; it is 0 while the first is being
-- stored. `edition` counts the changes of the experiment's rows in `experiment_cell`. `paused_ms` and `archived_ms` say since when
-- nothing is leased.
ALTER TABLE experiment ADD COLUMN revision BIGINT NOT NULL DEFAULT 1;
ALTER TABLE experiment ADD COLUMN edition BIGINT NOT NULL DEFAULT 1;
ALTER TABLE experiment ADD COLUMN paused_ms BIGINT;
ALTER TABLE experiment ADD COLUMN archived_ms BIGINT;
ALTER TABLE experiment ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';

-- The revision that took a cell out of the plan. The row and its games stay.
ALTER TABLE experiment_cell ADD COLUMN closed BIGINT CHECK (closed IS NULL OR state = 'off');

-- `content` is the digest of what was applied, and `plan` the content itself. Revisions from before do not say who applied them.
CREATE TABLE experiment_revision (
    experiment  UUID NOT NULL REFERENCES experiment (id),
    number      BIGINT NOT NULL CHECK (number > 0),
    content     UUID NOT NULL,
    applied_ms  BIGINT NOT NULL,
    who         TEXT,
    plan        TEXT,
    PRIMARY KEY (experiment, number)
);
CREATE INDEX experiment_revision_content ON experiment_revision (content);
INSERT INTO experiment_revision (experiment, number, content, applied_ms) SELECT id, 1, id, created_ms FROM experiment;

-- The changes of `audit` that concern an experiment.
CREATE TABLE timeline (
    experiment  UUID NOT NULL REFERENCES experiment (id),
    change      BIGINT NOT NULL REFERENCES audit (seq),
    PRIMARY KEY (experiment, change)
);
