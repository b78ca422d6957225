-- A worker reports its speed with every result, so every cell needs a measured speed on its size. Cells with a budget in
-- simulations were stored as if they needed none.
UPDATE experiment_cell SET needs = CAST(1 AS BIGINT) << CAST(size AS INTEGER);
