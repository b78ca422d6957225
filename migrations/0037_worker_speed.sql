-- How fast machines were. A row holds for the minutes from `at_ms` on, and old rows are deleted.
CREATE TABLE worker_speed (
    worker      UUID NOT NULL REFERENCES worker (id),
    size        BIGINT NOT NULL,
    at_ms       BIGINT NOT NULL,
    sims_per_s  DOUBLE PRECISION NOT NULL,
    factor      DOUBLE PRECISION NOT NULL,
    drift       DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (worker, size, at_ms)
);
CREATE INDEX worker_speed_age ON worker_speed (at_ms);
