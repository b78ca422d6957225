-- Whoever writes at this moment ends first: on Postgres, an index waits for writers of its table, and they for this row.
UPDATE revision SET number = number + 1;

-- Recent games are folded into hours, and shown, by their time.
CREATE INDEX recent_games_bucket ON recent_games (bucket);

-- The plays of a cell that do not count: few, and asked for by their reason and by their time.
CREATE INDEX game_not_counted ON game (cell, status, received_ms) WHERE status <> 'counted';
