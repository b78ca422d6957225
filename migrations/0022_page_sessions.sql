-- Pages that signed in, by the digest of the random id in their cookie: the token whose rights they have, and until when.
CREATE TABLE page_session (
    hash        TEXT PRIMARY KEY,
    token       TEXT NOT NULL REFERENCES token (hash),
    created_ms  BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL CHECK (expires_ms > created_ms)
);
CREATE INDEX page_session_token ON page_session (token, created_ms);
CREATE INDEX page_session_end ON page_session (expires_ms);
