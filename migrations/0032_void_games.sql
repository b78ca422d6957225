-- Void games of a cell, which are no losses: attempts that failed (`let_go.voids`), and plays that were excluded.
ALTER TABLE let_go ADD COLUMN voids BIGINT NOT NULL DEFAULT 0 CHECK (voids >= 0);
UPDATE let_go SET voids = failures;
ALTER TABLE cell ADD COLUMN void_games BIGINT NOT NULL DEFAULT 0 CHECK (void_games >= 0);
UPDATE cell SET void_games = COALESCE((SELECT SUM(voids) FROM let_go WHERE let_go.cell = cell.id), 0)
    + (SELECT COUNT(*) FROM game WHERE game.cell = cell.id AND game.status = 'excluded');
