-- How often a pair was lent and did not come back: its lease lapsed, or was revoked because the game stood still.
ALTER TABLE pair ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
DROP INDEX pair_open;
CREATE INDEX pair_open ON pair (cell, failures, idx) WHERE state = 'open';
