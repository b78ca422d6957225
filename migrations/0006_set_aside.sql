-- A pair that failed too often is set aside: since when, and what went wrong the last time. It is still `open`, because
-- SQLite changes no CHECK of a table that others refer to, but it is in no index that the scheduler reads.
ALTER TABLE pair ADD COLUMN aside_ms BIGINT CHECK (aside_ms IS NULL OR state = 'open');
ALTER TABLE pair ADD COLUMN trouble TEXT;
DROP INDEX pair_open;
CREATE INDEX pair_open ON pair (cell, failures, idx) WHERE state = 'open' AND aside_ms IS NULL;
CREATE INDEX pair_aside ON pair (cell, idx) WHERE aside_ms IS NOT NULL;
ALTER TABLE cell ADD COLUMN pairs_aside BIGINT NOT NULL DEFAULT 0 CHECK (pairs_aside >= 0);
ALTER TABLE experiment ADD COLUMN pairs_aside BIGINT NOT NULL DEFAULT 0 CHECK (pairs_aside >= 0);
