-- Sessions of workers that a later session of the same worker took over from. They are heard no more.
CREATE TABLE superseded_session (
    worker         UUID NOT NULL REFERENCES worker (id),
    session        UUID NOT NULL,
    superseded_ms  BIGINT NOT NULL,
    PRIMARY KEY (worker, session)
);
