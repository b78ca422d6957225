-- What a machine was told to do, by what labels it is called, and why it wants nothing by its own account.
ALTER TABLE worker ADD COLUMN directive TEXT NOT NULL DEFAULT 'work' CHECK (directive IN ('work', 'pause', 'drain'));
ALTER TABLE worker ADD COLUMN labels TEXT NOT NULL DEFAULT '[]';
ALTER TABLE worker ADD COLUMN resting TEXT;
