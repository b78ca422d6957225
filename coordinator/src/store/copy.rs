//! A whole database into another one, of either kind: backup, restore, and the way from SQLite to Postgres.
//!
//! The copy is read in one snapshot while the coordinator works, and written in one transaction: it is
//! complete or not there. Statements are put together from the list of tables below, which a test holds
//! against the schema.

use super::sql::Columns;
use super::{Store, StoreError, Tx};
use sqlx::types::Uuid;
use sqlx::{AssertSqlSafe, Postgres, Sqlite};

/// Rows read and written at a time: few enough for SQLite's 32 766 parameters.
const PAGE: usize = 500;

/// Tells Postgres how many rows the tables have that grow, and of what kind.
const TAKE_STOCK: &str = "ANALYZE cell, experiment_cell, game, lease, pair, replay, worker";

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Bigint,
    Real,
    Uuid,
}

use Kind::{Bigint, Real, Text, Uuid as Id};

/// A table: its columns, of which the first `key` are its primary key.
struct Table {
    name: &'static str,
    key: usize,
    columns: &'static [(&'static str, Kind)],
}

/// Every table but `revision`, which counts each database's own changes, in an order in which references are
/// kept.
const TABLES: [Table; 19] = [
    Table {
        name: "token",
        key: 1,
        columns: &[
            ("hash", Text),
            ("name", Text),
            ("created_ms", Bigint),
            ("scopes", Text),
            ("expires_ms", Bigint),
            ("revoked_ms", Bigint),
            ("join_code", Text),
            ("machines", Bigint),
            ("worker", Id),
        ],
    },
    Table {
        name: "page_session",
        key: 1,
        columns: &[("hash", Text), ("token", Text), ("created_ms", Bigint), ("expires_ms", Bigint)],
    },
    Table {
        name: "join_code",
        key: 1,
        columns: &[
            ("hash", Text),
            ("name", Text),
            ("created_ms", Bigint),
            ("expires_ms", Bigint),
            ("uses_left", Bigint),
        ],
    },
    Table {
        name: "audit",
        key: 1,
        columns: &[
            ("seq", Bigint),
            ("at_ms", Bigint),
            ("who", Text),
            ("action", Text),
            ("what", Text),
            ("detail", Text),
        ],
    },
    Table { name: "player", key: 1, columns: &[("id", Id), ("params", Text), ("created_ms", Bigint)] },
    Table {
        name: "experiment",
        key: 1,
        columns: &[
            ("id", Id),
            ("name", Text),
            ("question", Text),
            ("weight", Real),
            ("semantics", Bigint),
            ("state", Text),
            ("created_ms", Bigint),
            ("cells", Bigint),
            ("games_planned", Bigint),
            ("games_done", Bigint),
            ("pairs_in_flight", Bigint),
            ("pairs_aside", Bigint),
        ],
    },
    Table {
        name: "cell",
        key: 1,
        columns: &[
            ("id", Id),
            ("case_player", Id),
            ("baseline_player", Id),
            ("semantics", Bigint),
            ("size", Bigint),
            ("spec", Text),
            ("games", Bigint),
            ("wins", Bigint),
            ("draws", Bigint),
            ("losses", Bigint),
            ("ll", Bigint),
            ("ld", Bigint),
            ("wl", Bigint),
            ("dd", Bigint),
            ("wd", Bigint),
            ("ww", Bigint),
            ("forks", Bigint),
            ("bridges", Bigint),
            ("rings", Bigint),
            ("plies", Bigint),
            ("first_move_wins", Bigint),
            ("pairs_started", Bigint),
            ("pairs_in_flight", Bigint),
            ("pairs_done", Bigint),
            ("pairs_aside", Bigint),
            ("memory_mib", Bigint),
        ],
    },
    Table {
        name: "experiment_cell",
        key: 2,
        columns: &[
            ("experiment", Id),
            ("position", Bigint),
            ("cell", Id),
            ("case_group", Text),
            ("case_label", Text),
            ("baseline_group", Text),
            ("baseline_label", Text),
            ("size", Bigint),
            ("weight", Real),
            ("share", Real),
            ("pairs", Bigint),
            ("semantics", Bigint),
            ("needs", Bigint),
            ("shuffle", Bigint),
            ("priority", Real),
            ("state", Text),
        ],
    },
    Table {
        name: "recent_games",
        key: 2,
        columns: &[("experiment", Id), ("bucket", Bigint), ("games", Bigint)],
    },
    Table {
        name: "worker",
        key: 1,
        columns: &[
            ("id", Id),
            ("session", Id),
            ("name", Text),
            ("version", Text),
            ("slots", Bigint),
            ("speeds", Text),
            ("no_work", Text),
            ("games", Bigint),
            ("seen_ms", Bigint),
            ("progress_ms", Bigint),
            ("directive", Text),
            ("labels", Text),
            ("resting", Text),
            ("quarantine", Text),
            ("start_number", Bigint),
            ("call_number", Bigint),
            ("away_ms", Bigint),
            ("memory_mib", Bigint),
            ("token", Text),
            ("principal", Text),
            ("checks", Bigint),
            ("checks_failed", Bigint),
            ("able", Bigint),
            ("asked_ms", Bigint),
            ("recent", Real),
            ("let_go", Bigint),
            ("compared", Bigint),
            ("off_total", Bigint),
        ],
    },
    Table {
        name: "pace",
        key: 2,
        columns: &[("kind", Id), ("worker", Id), ("games", Bigint), ("total", Bigint)],
    },
    Table {
        name: "pair",
        key: 2,
        columns: &[
            ("cell", Id),
            ("idx", Bigint),
            ("state", Text),
            ("lease", Id),
            ("first", Bigint),
            ("second", Bigint),
            ("failures", Bigint),
            ("aside_ms", Bigint),
            ("trouble", Text),
            ("let_go", Bigint),
        ],
    },
    Table {
        name: "lease",
        key: 1,
        columns: &[
            ("id", Id),
            ("cell", Id),
            ("idx", Bigint),
            ("worker", Id),
            ("state", Text),
            ("granted_ms", Bigint),
            ("deadline_ms", Bigint),
            ("plies", Bigint),
            ("progress_ms", Bigint),
            ("replays", Id),
            ("most_plies", Bigint),
            ("ended_ms", Bigint),
            ("call_number", Bigint),
        ],
    },
    Table {
        name: "let_go",
        key: 3,
        columns: &[
            ("cell", Id),
            ("idx", Bigint),
            ("worker", Id),
            ("times", Bigint),
            ("failures", Bigint),
            ("plies", Bigint),
            ("at_ms", Bigint),
            ("how", Text),
        ],
    },
    Table {
        name: "left_game",
        key: 3,
        columns: &[
            ("worker", Id),
            ("cell", Id),
            ("half", Bigint),
            ("own_losses", Bigint),
            ("own_draws", Bigint),
            ("own_wins", Bigint),
            ("left_losses", Bigint),
            ("left_draws", Bigint),
            ("left_wins", Bigint),
        ],
    },
    Table {
        name: "left_sum",
        key: 1,
        columns: &[
            ("worker", Id),
            ("own_games", Bigint),
            ("own_points", Bigint),
            ("left_games", Bigint),
            ("left_points", Bigint),
            ("excess", Real),
            ("variance", Real),
            ("marked_ms", Bigint),
        ],
    },
    Table {
        name: "game",
        key: 2,
        columns: &[
            ("id", Id),
            ("lease", Id),
            ("cell", Id),
            ("idx", Bigint),
            ("half", Bigint),
            ("worker", Id),
            ("status", Text),
            ("reason", Text),
            ("excluded_by", Text),
            ("winner", Text),
            ("kind", Text),
            ("plies", Bigint),
            ("received_ms", Bigint),
            ("record", Text),
            ("exclusion", Bigint),
            ("case_level", Bigint),
            ("baseline_level", Bigint),
            ("ratio_off", Bigint),
        ],
    },
    Table {
        name: "replay",
        key: 2,
        columns: &[
            ("game", Id),
            ("lease", Id),
            ("cell", Id),
            ("idx", Bigint),
            ("half", Bigint),
            ("worker", Id),
            ("semantics", Bigint),
            ("needs", Bigint),
            ("state", Text),
            ("lent", Id),
            ("failures", Bigint),
            ("chosen_ms", Bigint),
            ("disputed_ms", Bigint),
            ("note", Text),
        ],
    },
    Table {
        name: "replay_attempt",
        key: 3,
        columns: &[("game", Id), ("lease", Id), ("principal", Text), ("failures", Bigint)],
    },
];

/// A column's value on its way.
#[derive(Debug, Clone)]
enum Value {
    Text(Option<String>),
    Bigint(Option<i64>),
    Real(Option<f64>),
    Uuid(Option<Uuid>),
}

fn read(row: &dyn Columns, (name, kind): (&'static str, Kind)) -> Result<Value, StoreError> {
    Ok(match kind {
        Kind::Text => Value::Text(row.maybe_text(name)?),
        Kind::Bigint => Value::Bigint(row.maybe_bigint(name)?),
        Kind::Real => Value::Real(row.maybe_real(name)?),
        Kind::Uuid => Value::Uuid(row.maybe_uuid(name)?),
    })
}

/// Binds values in order, whatever the driver.
macro_rules! bound {
    ($query:expr, $values:expr) => {
        $values.into_iter().fold($query, |query, value| match value {
            Value::Text(value) => query.bind(value),
            Value::Bigint(value) => query.bind(value),
            Value::Real(value) => query.bind(value),
            Value::Uuid(value) => query.bind(value),
        })
    };
}

fn list(columns: &[(&'static str, Kind)]) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn parameters(from: usize, number: usize) -> String {
    let parameters = (from..from + number).map(|n| format!("${n}")).collect::<Vec<_>>();
    format!("({})", parameters.join(", "))
}

impl Table {
    /// The rows after one with this key, in the order of keys.
    async fn page(&self, tx: &mut Tx, after: Option<Vec<Value>>) -> Result<Vec<Vec<Value>>, StoreError> {
        let (columns, key) = (list(self.columns), list(&self.columns[..self.key]));
        let from =
            after.as_ref().map_or(String::new(), |_| format!("WHERE ({key}) > {} ", parameters(1, self.key)));
        let sql = format!("SELECT {columns} FROM {} {from}ORDER BY {key} LIMIT {PAGE}", self.name);
        let decode = |row: &dyn Columns| {
            self.columns.iter().map(|column| read(row, *column)).collect::<Result<Vec<_>, _>>()
        };
        let after = after.unwrap_or_default();
        match tx {
            Tx::Sqlite(tx) => {
                let query = bound!(sqlx::query::<Sqlite>(AssertSqlSafe(sql)), after);
                query.fetch_all(&mut **tx).await?.iter().map(|row| decode(row)).collect()
            }
            Tx::Postgres(tx) => {
                let query = bound!(sqlx::query::<Postgres>(AssertSqlSafe(sql)), after);
                query.fetch_all(&mut **tx).await?.iter().map(|row| decode(row)).collect()
            }
        }
    }

    async fn insert(&self, tx: &mut Tx, rows: Vec<Vec<Value>>) -> Result<(), StoreError> {
        let width = self.columns.len();
        let places: Vec<String> = (0..rows.len()).map(|row| parameters(1 + row * width, width)).collect();
        let sql = format!("INSERT INTO {} ({}) VALUES {}", self.name, list(self.columns), places.join(", "));
        let values = rows.into_iter().flatten();
        match tx {
            Tx::Sqlite(tx) => {
                bound!(sqlx::query::<Sqlite>(AssertSqlSafe(sql)), values).execute(&mut **tx).await?;
            }
            Tx::Postgres(tx) => {
                bound!(sqlx::query::<Postgres>(AssertSqlSafe(sql)), values).execute(&mut **tx).await?;
            }
        }
        Ok(())
    }
}

/// What was copied: tables and their rows.
pub type Copied = Vec<(&'static str, u64)>;

/// Copies everything from one database to another, which must hold nothing. Answers the name of a table in it
/// that does not, if there is one: then nothing was done.
pub(crate) async fn copy(from: &Store, to: &Store) -> Result<Result<Copied, &'static str>, StoreError> {
    let mut source = from.read().await?;
    let (mut target, _) = to.write().await?;
    for table in &TABLES {
        if !table.page(&mut target, None).await?.is_empty() {
            return Ok(Err(table.name));
        }
    }
    let mut copied = Vec::new();
    for table in &TABLES {
        let (mut rows, mut after) = (0, None);
        loop {
            let page = table.page(&mut source, after).await?;
            rows += page.len() as u64;
            let full = page.len() == PAGE;
            after = page.last().map(|row| row[..table.key].to_vec());
            if !page.is_empty() {
                table.insert(&mut target, page).await?;
            }
            if !full {
                break;
            }
        }
        copied.push((table.name, rows));
    }
    if let Tx::Postgres(tx) = &mut target {
        // It takes stock of new tables by itself, but only within a minute, and the totals are proved right now: until
        // then every pair would be looked for among all games and leases.
        sqlx::query(TAKE_STOCK).execute(&mut **tx).await?;
    }
    target.commit().await?;
    to.flush().await?;
    Ok(Ok(copied))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Allowed;
    use sqlx::Row;

    #[tokio::test]
    async fn the_list_holds_every_table_and_every_column_with_its_type() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let Tx::Sqlite(mut tx) = store.read().await.expect("read") else { panic!("SQLite") };
        let sql = "SELECT m.name AS t, c.name AS n, c.type AS k, c.pk AS pk FROM sqlite_master m \
                   JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                   AND m.name NOT IN ('_sqlx_migrations', 'revision') ORDER BY m.name, c.cid";
        let mut found: Vec<(String, String, String, bool)> = sqlx::query(sql)
            .fetch_all(&mut *tx)
            .await
            .expect("the schema")
            .iter()
            .map(|row| (row.get("t"), row.get("n"), row.get("k"), row.get::<i64, _>("pk") > 0))
            .collect();
        let mut listed: Vec<(String, String, String, bool)> = Vec::new();
        for table in &TABLES {
            for (index, (name, kind)) in table.columns.iter().enumerate() {
                let kind = match kind {
                    Kind::Text => "TEXT",
                    Kind::Bigint => "BIGINT",
                    Kind::Real => "DOUBLE PRECISION",
                    Kind::Uuid => "UUID",
                };
                listed.push((table.name.into(), (*name).into(), kind.into(), index < table.key));
            }
        }
        found.sort();
        listed.sort();
        assert_eq!(listed, found, "a migration adds its columns to the list in copy.rs, too");
    }
}
