-- What people should look at, by kind and subject: the id of a machine, or an empty text. Since when, and in which words. An alarm
-- that is over keeps its row with the time of its end, so that one that comes and goes is told of once.
CREATE TABLE alarm (
    kind      TEXT NOT NULL,
    subject   TEXT NOT NULL,
    severity  TEXT NOT NULL CHECK (severity IN ('amber', 'red')),
    since_ms  BIGINT NOT NULL,
    ended_ms  BIGINT,
    words     TEXT NOT NULL,
    PRIMARY KEY (kind, subject)
);
