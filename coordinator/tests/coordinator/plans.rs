//! SQLite's query plans for the statements of the store: no call may scan a whole table that grows with the games.

use crate::databases::Database;
use crate::play::open;
use sqlx::{AssertSqlSafe, ConnectOptions, Row};

/// The sources of all statements of the store, except `verify.rs`, which reads everything by design.
const SOURCES: [&str; 16] = [
    include_str!("../../src/store/audit.rs"),
    include_str!("../../src/store/cells.rs"),
    include_str!("../../src/store/control.rs"),
    include_str!("../../src/store/experiments.rs"),
    include_str!("../../src/store/games.rs"),
    include_str!("../../src/store/leases.rs"),
    include_str!("../../src/store/life.rs"),
    include_str!("../../src/store/pairs.rs"),
    include_str!("../../src/store/plans.rs"),
    include_str!("../../src/store/prefix.rs"),
    include_str!("../../src/store/revisions.rs"),
    include_str!("../../src/store/search.rs"),
    include_str!("../../src/store/timeline.rs"),
    include_str!("../../src/store/tokens.rs"),
    include_str!("../../src/store/why.rs"),
    include_str!("../../src/store/workers.rs"),
];

/// Tables with a row for each game, lease, pair or cell.
const GROWING: [&str; 6] = ["game", "lease", "pair", "cell", "ec", "experiment_cell"];

/// Indexes that hold active leases only.
const ACTIVE_ONLY: [&str; 2] = ["USING INDEX lease_worker", "USING INDEX lease_deadline"];

/// The string literals of `source` that are statements, with continued lines joined.
fn statements(source: &str) -> Vec<String> {
    let literals = source.split('"').skip(1).step_by(2);
    let joined = literals.map(|text| text.split("\\\n").map(str::trim_start).collect::<String>());
    joined
        .map(with_a_row)
        // A statement does not end with a space, a piece of one in `concat!` does.
        .filter(|text| {
            !text.ends_with(' ')
                && ["SELECT ", "UPDATE ", "INSERT ", "DELETE ", "WITH "]
                    .iter()
                    .any(|verb| text.starts_with(verb))
        })
        .collect()
}

/// Completes a statement for many rows with one row.
fn with_a_row(statement: String) -> String {
    let named =
        (1..50).take_while(|column| statement.contains(&format!("column{column}")) || *column == 1).count();
    let inserted = statement.strip_prefix("INSERT INTO ").and_then(|rest| rest.split_once(')'));
    let columns = inserted.map_or(named, |(list, _)| list.split(',').count());
    let row: Vec<String> = (1..=columns).map(|column| format!("${column}")).collect();
    statement.replace("{rows}", &format!("({})", row.join(", ")))
}

#[tokio::test]
async fn no_statement_of_a_call_reads_a_growing_table_from_end_to_end() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.close().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&database.address);
    let mut connection = options.connect().await.expect("sqlite");
    let statements: Vec<String> = SOURCES.iter().flat_map(|source| statements(source)).collect();
    assert!(statements.len() > 40, "only {} statements were found", statements.len());
    for statement in statements {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        let plan = sqlx::query(explain).fetch_all(&mut connection).await.expect(&statement);
        for step in plan.iter().map(|row| row.get::<String, _>("detail")) {
            let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
            let growing = scanned.is_some_and(|table| GROWING.contains(&table));
            assert!(!growing || ACTIVE_ONLY.iter().any(|index| step.contains(index)), "{step}: {statement}");
        }
    }
}
