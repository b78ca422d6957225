-- The games of pairs that a machine let go and others finished (`left_`), beside those that it delivered itself in the same
-- cell with the same colours (`own_`), by the case's results: for the test whether it chose.
CREATE TABLE left_game (
    worker       UUID NOT NULL REFERENCES worker (id),
    cell         UUID NOT NULL REFERENCES cell (id),
    half         BIGINT NOT NULL CHECK (half IN (0, 1)),
    own_losses   BIGINT NOT NULL DEFAULT 0 CHECK (own_losses >= 0),
    own_draws    BIGINT NOT NULL DEFAULT 0 CHECK (own_draws >= 0),
    own_wins     BIGINT NOT NULL DEFAULT 0 CHECK (own_wins >= 0),
    left_losses  BIGINT NOT NULL DEFAULT 0 CHECK (left_losses >= 0),
    left_draws   BIGINT NOT NULL DEFAULT 0 CHECK (left_draws >= 0),
    left_wins    BIGINT NOT NULL DEFAULT 0 CHECK (left_wins >= 0),
    PRIMARY KEY (worker, cell, half)
);

-- The sums over all cells of a machine: games, the case's half-points, what the test sums up, and since when the machine is
-- marked because of it.
CREATE TABLE left_sum (
    worker       UUID PRIMARY KEY REFERENCES worker (id),
    own_games    BIGINT NOT NULL CHECK (own_games >= 0),
    own_points   BIGINT NOT NULL CHECK (own_points >= 0),
    left_games   BIGINT NOT NULL CHECK (left_games >= 0),
    left_points  BIGINT NOT NULL CHECK (left_points >= 0),
    excess       DOUBLE PRECISION NOT NULL,
    variance     DOUBLE PRECISION NOT NULL,
    marked_ms    BIGINT
);
