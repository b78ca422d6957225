-- Whoever writes at this moment ends first: on Postgres, an index waits for writers of its table, and they for this row.
UPDATE revision SET number = number + 1;

-- Every play draws a number from 0 to 1 when it is stored, whatever stores it. A coordinator that has a share of the games rechecked
-- takes the counted plays that drew less than the share. NULL: the play was taken, or drew so much that its number is not kept.
ALTER TABLE game ADD COLUMN draw DOUBLE PRECISION;
CREATE INDEX game_draw ON game (draw) WHERE status = 'counted' AND draw IS NOT NULL;
