-- The policy `coverage` counts half a pair more than was taken: cells with a small weight no longer come before the second pair of the
-- others.
UPDATE experiment_cell SET priority = priority + 0.5 / share
WHERE experiment IN (SELECT id FROM experiment WHERE policy = 'coverage');
