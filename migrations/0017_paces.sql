-- Sums of these levels over the counted games: of a player on a board with a budget (`kind` is their digest) by machine. And of
-- each machine how many of its counted games were compared, and the sum of how far off their ratios were.
CREATE TABLE pace (
    kind    UUID NOT NULL,
    worker  UUID NOT NULL REFERENCES worker (id),
    games   BIGINT NOT NULL CHECK (games >= 0),
    total   BIGINT NOT NULL,
    PRIMARY KEY (kind, worker)
);
ALTER TABLE worker ADD COLUMN compared BIGINT NOT NULL DEFAULT 0 CHECK (compared >= 0);
ALTER TABLE worker ADD COLUMN off_total BIGINT NOT NULL DEFAULT 0;
