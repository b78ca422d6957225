-- The start of a worker and its last call that were heard, so that calls which arrive late or again are known as such; and
-- when it said good-bye, while it is away: leases that it kept for its next start lapse without being a failure.
ALTER TABLE worker ADD COLUMN start_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN call_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN away_ms BIGINT;
-- A start number says as much.
DROP TABLE superseded_session;
