-- For how many machines a token is: one if a machine joined with it, and then which; of tokens of before as many as call
-- with them, and some more.
ALTER TABLE token ADD COLUMN machines BIGINT NOT NULL DEFAULT 16;
ALTER TABLE token ADD COLUMN worker UUID;
UPDATE token SET machines = 1 WHERE join_code IS NOT NULL;
UPDATE token SET machines = (SELECT COUNT(*) FROM worker WHERE worker.token = token.hash)
    WHERE machines < (SELECT COUNT(*) FROM worker WHERE worker.token = token.hash);
UPDATE token SET worker = (SELECT id FROM worker WHERE worker.token = token.hash LIMIT 1)
    WHERE machines = 1 AND join_code IS NOT NULL;

-- Principals that had a play to play again and let go of it, and how often that was a failure. A play is given up when
-- enough principals have failed; `replay.failures` is their number.
CREATE TABLE replay_attempt (
    game       UUID NOT NULL,
    lease      UUID NOT NULL,
    principal  TEXT NOT NULL,
    failures   BIGINT NOT NULL CHECK (failures >= 0),
    PRIMARY KEY (game, lease, principal),
    FOREIGN KEY (game, lease) REFERENCES replay (game, lease)
);
-- A lease may be for both games of a pair.
DROP INDEX replay_lent;
CREATE INDEX replay_lent ON replay (lent) WHERE lent IS NOT NULL;

-- Leases for playing again that a machine had, and those of which it failed: one that fails these more than others is
-- named.
ALTER TABLE worker ADD COLUMN checks BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN checks_failed BIGINT NOT NULL DEFAULT 0;

-- The change, by its number in `audit`, that took a play out together with all others of its machine: it is undone as one.
ALTER TABLE game ADD COLUMN exclusion BIGINT;
CREATE INDEX game_exclusion ON game (exclusion) WHERE exclusion IS NOT NULL;
