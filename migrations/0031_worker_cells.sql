-- The counted games of each machine in each cell, by the half of the pair (0 where the case plays White): the case's results, and how
-- fast the games were, relative to what the machine says of its speed (sums of logarithms in thousandths). For comparisons of machines.
CREATE TABLE worker_cell (
    cell         UUID NOT NULL REFERENCES cell (id),
    worker       UUID NOT NULL REFERENCES worker (id),
    half         BIGINT NOT NULL CHECK (half IN (0, 1)),
    losses       BIGINT NOT NULL,
    draws        BIGINT NOT NULL,
    wins         BIGINT NOT NULL,
    timed        BIGINT NOT NULL,
    speed_total  BIGINT NOT NULL,
    PRIMARY KEY (cell, worker, half)
);
INSERT INTO worker_cell (cell, worker, half, losses, draws, wins, timed, speed_total)
SELECT cell, worker, half,
    SUM(CASE WHEN (half = 0 AND winner = 'black') OR (half = 1 AND winner = 'white') THEN 1 ELSE 0 END),
    SUM(CASE WHEN winner IS NULL THEN 1 ELSE 0 END),
    SUM(CASE WHEN (half = 0 AND winner = 'white') OR (half = 1 AND winner = 'black') THEN 1 ELSE 0 END),
    0, 0
FROM game WHERE status = 'counted' AND half IN (0, 1) GROUP BY cell, worker, half;

-- The logarithm of a game's speed; of games of before it is not known. And how often a machine's results were compared with those of
-- others, with the number of its games at the last comparison.
ALTER TABLE game ADD COLUMN speed_level BIGINT;
ALTER TABLE worker ADD COLUMN looks BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN looked_games BIGINT NOT NULL DEFAULT 0;
