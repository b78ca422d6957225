-- Since when an experiment is stopped for good: its plan ends with the games that were in play then.
ALTER TABLE experiment ADD COLUMN stopped_ms BIGINT;
