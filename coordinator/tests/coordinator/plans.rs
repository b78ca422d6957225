//! SQLite's query plans for the statements of the store: no call may scan a whole table that grows with the games.

use crate::databases::Database;
use crate::play::open;
use sqlx::{AssertSqlSafe, ConnectOptions, Row};

/// Sources whose statements read everything by design.
const EVERYTHING: [&str; 1] = ["verify.rs"];

/// Tables with a row for each game, lease, pair or cell, and names that statements give them.
const GROWING: [&str; 11] = [
    "game",
    "lease",
    "pair",
    "cell",
    "ec",
    "experiment_cell",
    "abandoned",
    "note",
    "replay",
    "worker_cell",
    "study_point",
];

/// Indexes that hold few rows of their table: active leases, pairs set aside, and plays that wait for a recheck.
const SHORT: [&str; 4] =
    ["INDEX lease_worker", "INDEX lease_deadline", "INDEX pair_aside", "INDEX replay_wanted"];

/// Statements that read all rechecks for the metrics, and all points for the list of studies.
const LISTS: [&str; 2] = ["SELECT state, COUNT(*) AS plays", "SELECT study.*, COALESCE(asked, 0)"];

/// What only Postgres knows, and what is completed when it is used.
const ELSEWHERE: [&str; 5] = ["to_regclass", "pg_logical", "EXTRACT(EPOCH", "{columns}", "INSERT INTO {}"];

/// The sources of the store's statements, without their tests.
fn sources() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/store");
    let files = std::fs::read_dir(folder).expect("the store").map(|file| file.expect("a file").path());
    let wanted = files.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        path.is_file() && !EVERYTHING.contains(&name)
    });
    let text = |path| std::fs::read_to_string(path).expect("a source");
    wanted.map(text).map(|text| text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()).collect()
}

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
    let compared =
        statement.split_once(") IN (VALUES {rows})").and_then(|(before, _)| before.rsplit_once('('));
    let list = inserted.map(|(list, _)| list).or(compared.map(|(_, list)| list));
    let columns = list.map_or(named, |list| list.split(',').count());
    let row: Vec<String> = (1..=columns).map(|column| format!("${column}")).collect();
    statement.replace("{rows}", &format!("({})", row.join(", ")))
}

/// Statements by a part of their text, and the partial index that makes them short. SQLite prefers any index that has the order.
const PARTIAL: [(&str, &str); 5] = [
    ("SELECT DISTINCT cell FROM game", "game_unjudged"),
    ("excluded_by = 'coordinator: quarantine'", "game_in_quarantine"),
    ("SELECT reason, COUNT(*)", "game_not_counted"),
    ("status = 'superseded' AND received_ms < $2", "game_not_counted"),
    ("SELECT bucket FROM recent_games", "recent_games_bucket"),
];

#[tokio::test]
async fn no_statement_of_a_call_reads_a_growing_table_from_end_to_end() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.close().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&database.address);
    let mut connection = options.connect().await.expect("sqlite");
    let statements: Vec<String> = sources().iter().flat_map(|source| statements(source)).collect();
    let is_excepted = |statement: &&String| {
        LISTS.iter().any(|list| statement.starts_with(list))
            || ELSEWHERE.iter().any(|part| statement.contains(part))
    };
    let statements: Vec<&String> = statements.iter().filter(|statement| !is_excepted(statement)).collect();
    for (part, index) in PARTIAL {
        assert!(statements.iter().any(|statement| statement.contains(part)), "{part} is used for {index}");
    }
    assert!(statements.len() > 200, "only {} statements were found", statements.len());
    for statement in statements {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        let plan = sqlx::query(explain).fetch_all(&mut connection).await.expect(statement);
        let steps: Vec<String> = plan.iter().map(|row| row.get::<String, _>("detail")).collect();
        for (_, index) in PARTIAL.iter().filter(|(part, _)| statement.contains(part)) {
            assert!(steps.iter().any(|step| step.contains(index)), "{steps:?}: {statement}");
        }
        for step in steps {
            let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
            let growing = scanned.is_some_and(|table| GROWING.contains(&table));
            let is_short = SHORT.iter().any(|index| step.contains(index));
            assert!(!growing || is_short, "{step}: {statement}");
        }
    }
}
