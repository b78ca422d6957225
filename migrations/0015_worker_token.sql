-- The digest of the token that a worker last called with: what it holds is free at once when that is revoked. Of machines
-- that joined it is known; others say it with their next call.
ALTER TABLE worker ADD COLUMN token TEXT;
UPDATE worker SET token = (
    SELECT hash FROM token WHERE token.worker = worker.id ORDER BY created_ms DESC, hash LIMIT 1
);
ALTER TABLE token DROP COLUMN worker;
