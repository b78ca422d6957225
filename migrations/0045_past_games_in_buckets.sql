-- The games of long ago in slices of any number of buckets: a short experiment keeps its buckets, and a long one its hours of 360.
UPDATE revision SET number = number + 1;
CREATE TABLE past_games_in_buckets (
    experiment UUID NOT NULL REFERENCES experiment (id),
    bucket     BIGINT NOT NULL,
    buckets    BIGINT NOT NULL CHECK (buckets > 0),
    games      BIGINT NOT NULL CHECK (games >= 0),
    PRIMARY KEY (experiment, bucket, buckets)
);
INSERT INTO past_games_in_buckets (experiment, bucket, buckets, games)
SELECT experiment, hour * 360, 360, games FROM past_games;
DROP TABLE past_games;
ALTER TABLE past_games_in_buckets RENAME TO past_games;
