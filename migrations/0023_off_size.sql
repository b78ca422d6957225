-- How far the ratios of a machine's compared games are off those on other machines, whatever the side: a machine that favours
-- the case on one board and the baseline on another has a sum with signs near 0.
ALTER TABLE worker ADD COLUMN off_size BIGINT NOT NULL DEFAULT 0;
UPDATE worker SET off_size = COALESCE(
    (SELECT SUM(ABS(game.ratio_off)) FROM game WHERE game.worker = worker.id AND game.status = 'counted' AND game.ratio_off IS NOT NULL), 0)
WHERE compared > 0;
