-- An experiment's games_done counted every game of a cell up to twice its planned pairs, so that halves of pairs beyond
-- the plan stood in for missing games. Complete pairs come first, and halves fill only the pairs that are left.
UPDATE experiment SET games_done = (
    SELECT CAST(SUM(CASE
        WHEN cell.pairs_done >= plan.pairs THEN 2 * plan.pairs
        WHEN cell.games < cell.pairs_done + plan.pairs THEN cell.games
        ELSE cell.pairs_done + plan.pairs
    END) AS BIGINT)
    FROM experiment_cell plan JOIN cell ON cell.id = plan.cell
    WHERE plan.experiment = experiment.id
);
