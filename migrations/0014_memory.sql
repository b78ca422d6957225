-- What the trees of a cell's two players hold at most, and what a worker has for them on each slot, both in MiB. Rows of
-- before do not say: such cells are lent to anybody, as they were.
ALTER TABLE cell ADD COLUMN memory_mib BIGINT;
ALTER TABLE worker ADD COLUMN memory_mib BIGINT;
