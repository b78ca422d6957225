-- The highest result that the loser of a game expected at one of its moves, in thousandths, where that is 700 or more: the games that were
-- lost against expectation. Games of before have none. Both walks pass such games only, so their indexes are small.
ALTER TABLE game ADD COLUMN surprise BIGINT;
CREATE INDEX game_by_surprise ON game (surprise, id, lease) WHERE surprise IS NOT NULL;
CREATE INDEX game_of_cell_by_surprise ON game (cell, surprise, id, lease) WHERE surprise IS NOT NULL;

-- Games that an experiment counted by hours since 1970, out of `recent_games` when those are forgotten.
CREATE TABLE past_games (
    experiment UUID NOT NULL REFERENCES experiment (id),
    hour       BIGINT NOT NULL,
    games      BIGINT NOT NULL CHECK (games >= 0),
    PRIMARY KEY (experiment, hour)
);
