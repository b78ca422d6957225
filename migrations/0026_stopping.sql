-- The stopping rule of a cell in an experiment, as JSON; how far it has read the cell's pairs in the order of their numbers, by their
-- results; and its decision. Reading ends at the decision, so the counts are those at the stop. A row with a decision is never 'open'.
ALTER TABLE experiment_cell ADD COLUMN stop_rule TEXT;
ALTER TABLE experiment_cell ADD COLUMN stop_ll BIGINT NOT NULL DEFAULT 0;
ALTER TABLE experiment_cell ADD COLUMN stop_ld BIGINT NOT NULL DEFAULT 0;
ALTER TABLE experiment_cell ADD COLUMN stop_wl BIGINT NOT NULL DEFAULT 0;
ALTER TABLE experiment_cell ADD COLUMN stop_dd BIGINT NOT NULL DEFAULT 0;
ALTER TABLE experiment_cell ADD COLUMN stop_wd BIGINT NOT NULL DEFAULT 0;
ALTER TABLE experiment_cell ADD COLUMN stop_ww BIGINT NOT NULL DEFAULT 0;
ALTER TABLE experiment_cell ADD COLUMN stop_decision TEXT
    CHECK (stop_decision IS NULL OR (stop_rule IS NOT NULL
        AND stop_decision IN ('accept_h1', 'accept_h0', 'precise', 'better', 'worse')));
CREATE INDEX experiment_cell_stopping ON experiment_cell (experiment, position) WHERE stop_rule IS NOT NULL;
CREATE INDEX experiment_cell_stopped ON experiment_cell (experiment) WHERE stop_decision IS NOT NULL;
