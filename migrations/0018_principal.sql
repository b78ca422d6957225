-- Who answers for a machine: the join code by which its token came, else the token itself (digests both), or `this process`
-- for the tokens of a coordinator's own process, of which nothing is stored. Several machines of one principal are one
-- witness. NULL where nobody knows: such a machine answers for itself.
ALTER TABLE worker ADD COLUMN principal TEXT;
UPDATE worker SET principal = (SELECT COALESCE(join_code, hash) FROM token WHERE token.hash = worker.token);
UPDATE worker SET principal = 'this process' WHERE principal IS NULL AND token IS NOT NULL;
CREATE INDEX worker_principal ON worker (principal);
CREATE INDEX worker_token ON worker (token);
