-- Experiments share the workers by start-time fair queueing. Of an experiment: the core time that its leases were charged so
-- far, in microseconds, and what their budgets suggested (`prior_us`); its virtual time, which is charged core seconds divided by the weight; while it waits for workers, the
-- virtual time at which its last lease began; and when it last got a lease or a lease of it ended. `policy` orders its cells.
ALTER TABLE experiment ADD COLUMN core_us BIGINT NOT NULL DEFAULT 0 CHECK (core_us >= 0);
ALTER TABLE experiment ADD COLUMN prior_us BIGINT NOT NULL DEFAULT 0 CHECK (prior_us >= 0);
ALTER TABLE experiment ADD COLUMN virtual_time DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE experiment ADD COLUMN virtual_start DOUBLE PRECISION;
ALTER TABLE experiment ADD COLUMN served_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE experiment ADD COLUMN policy TEXT NOT NULL DEFAULT 'coverage'
    CHECK (policy IN ('coverage', 'error', 'best', 'race'));

-- The experiment that a lease is charged to, the charge, what the budget suggests, and the core time of its games so far. The
-- charge is an estimate while the lease is active. Leases of before are charged to nobody.
ALTER TABLE lease ADD COLUMN experiment UUID REFERENCES experiment (id);
ALTER TABLE lease ADD COLUMN charge_us BIGINT NOT NULL DEFAULT 0 CHECK (charge_us >= 0);
ALTER TABLE lease ADD COLUMN prior_us BIGINT NOT NULL DEFAULT 0 CHECK (prior_us >= 0);
ALTER TABLE lease ADD COLUMN spent_us BIGINT NOT NULL DEFAULT 0 CHECK (spent_us >= 0);

-- The core time of a game, and of a cell's counted games of which it is known. Of games of before it is not.
ALTER TABLE game ADD COLUMN core_us BIGINT CHECK (core_us >= 0);
ALTER TABLE cell ADD COLUMN core_us BIGINT NOT NULL DEFAULT 0 CHECK (core_us >= 0);
ALTER TABLE cell ADD COLUMN games_timed BIGINT NOT NULL DEFAULT 0 CHECK (games_timed >= 0);

-- The share of a cell is a share of its experiment. The experiment's weight is no part of it any more, and no cell is compared
-- with those of other experiments.
UPDATE experiment_cell SET priority = priority * share / weight, share = weight;
DROP INDEX experiment_cell_next;
