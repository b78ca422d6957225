-- The control that coordinators keep by themselves: the baselines against themselves, wherever other experiments play.
ALTER TABLE experiment ADD COLUMN is_control BIGINT NOT NULL DEFAULT 0;
