UPDATE revision SET number = number + 1;

-- When a token was used last, within ten minutes.
ALTER TABLE token ADD COLUMN used_ms BIGINT;

-- The last change of a kind, such as the last backup.
CREATE INDEX audit_action ON audit (action, seq);
