-- Who changed what. Rows are only ever added; games and syncs are not in it, they have records of their own.
CREATE TABLE audit (
    seq     BIGINT PRIMARY KEY,
    at_ms   BIGINT NOT NULL,
    who     TEXT NOT NULL,
    action  TEXT NOT NULL,
    what    TEXT NOT NULL,
    detail  TEXT NOT NULL
);
