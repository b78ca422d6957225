-- Searches walk the games in an order and stop after a while: all of them by arrival or by length, those of a cell and those of a
-- machine by arrival. Games arrive in these orders, so that an index grows at few places.
CREATE INDEX game_by_arrival ON game (received_ms, id, lease);
CREATE INDEX game_by_length ON game (plies, id, lease);
CREATE INDEX game_of_cell ON game (cell, received_ms, id, lease);
CREATE INDEX game_of_worker ON game (worker, received_ms, id, lease);
