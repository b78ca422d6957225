-- How the counted games of each cell ended: by their length, by the case's result, and by the shape that won. For the page of a cell.
CREATE TABLE cell_ending (
    cell    UUID NOT NULL REFERENCES cell (id),
    plies   BIGINT NOT NULL,
    result  TEXT NOT NULL CHECK (result IN ('loss', 'draw', 'win')),
    kind    TEXT NOT NULL CHECK (kind IN ('none', 'fork', 'bridge', 'ring')),
    games   BIGINT NOT NULL,
    PRIMARY KEY (cell, plies, result, kind)
);
INSERT INTO cell_ending (cell, plies, result, kind, games)
SELECT cell, plies, result, kind, COUNT(*) FROM (
    SELECT cell, plies, COALESCE(kind, 'none') AS kind, CASE
        WHEN winner IS NULL THEN 'draw'
        WHEN (half = 0 AND winner = 'white') OR (half = 1 AND winner = 'black') THEN 'win'
        ELSE 'loss'
    END AS result
    FROM game WHERE status = 'counted' AND half IN (0, 1)
) ended GROUP BY cell, plies, result, kind;
