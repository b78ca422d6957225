-- The machine that joined with a token: what it holds is free at once when the token is revoked.
ALTER TABLE token ADD COLUMN worker UUID;
