-- The overview judges the control cells, in which a player meets itself. They are few among ten thousand.
CREATE INDEX cell_control ON cell (semantics) WHERE case_player = baseline_player;
