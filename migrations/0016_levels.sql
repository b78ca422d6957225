-- How much the two sides of a game with a budget in time thought: the mean logarithm of simulations relative to plain UCT on
-- the reference machine, in thousandths; and by how much their ratio is off that on other machines, once that is known. Of
-- games of before nothing is compared.
ALTER TABLE game ADD COLUMN case_level BIGINT;
ALTER TABLE game ADD COLUMN baseline_level BIGINT;
ALTER TABLE game ADD COLUMN ratio_off BIGINT;
CREATE INDEX game_unjudged ON game (cell, received_ms)
    WHERE status = 'counted' AND ratio_off IS NULL AND case_level IS NOT NULL;
CREATE INDEX cell_case ON cell (case_player, size);
CREATE INDEX cell_baseline ON cell (baseline_player, size);
CREATE INDEX game_out_of_bounds ON game (worker) WHERE excluded_by = 'coordinator: bounds' AND ratio_off IS NOT NULL;
