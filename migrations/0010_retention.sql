-- The moves of old games may be dropped, their results never: then the record is empty. The index finds those that have one.
CREATE INDEX game_with_record ON game (received_ms) WHERE record <> '';
