-- What a token allows, and until when. Those of before could do all there was to do.
ALTER TABLE token ADD COLUMN scopes TEXT NOT NULL DEFAULT 'work read experiment';
ALTER TABLE token ADD COLUMN expires_ms BIGINT;
ALTER TABLE token ADD COLUMN revoked_ms BIGINT;
-- Every `gauntlet run` left one behind that nobody can use: its secret went with the process.
DELETE FROM token WHERE name = 'gauntlet run';
-- Codes by which machines join: short, for a while, and for so many machines. `token.join_code` says which were used.
CREATE TABLE join_code (
    hash        TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    created_ms  BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL,
    uses_left   BIGINT NOT NULL CHECK (uses_left >= 0)
);
ALTER TABLE token ADD COLUMN join_code TEXT;
CREATE INDEX token_join_code ON token (join_code) WHERE join_code IS NOT NULL;
