//! Opening databases that are damaged, foreign, or of another version.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, assert_verified, cell, experiment, open, play_all};
use crate::postgres;
use coordinator::{Config, Coordinator};

async fn failure(address: &str) -> String {
    match Coordinator::open(Config::new(address)).await {
        Ok(_) => panic!("{address} was opened"),
        Err(error) => error.to_string(),
    }
}

on_both_databases! {
    async fn an_empty_database_is_filled_and_opens_again(database: Database) {
        let (coordinator, _) = open(&database).await;
        assert_verified(&coordinator).await;
        assert!(coordinator.is_new());
        coordinator.close().await;
        let (coordinator, _) = open(&database).await;
        assert!(!coordinator.is_new());
        assert!(coordinator.overview().await.expect("overview").experiments.is_empty());
    }

    async fn whoever_only_reads_makes_no_database_and_opens_one_that_is_there(database: Database) {
        let reading = || Config { create: false, ..Config::new(&database.address) };
        let error = Coordinator::open(reading()).await.map(drop).expect_err("nothing is there").to_string();
        assert!(error.contains("no Gauntlet database"), "{error}");
        if !database.address.starts_with("postgres") {
            assert!(error.contains(&database.address), "{error}");
            assert!(!std::fs::exists(&database.address).expect("a look"), "nothing was made");
            std::fs::write(&database.address, "").expect("write");
            let error = Coordinator::open(reading()).await.map(drop).expect_err("nothing is in it").to_string();
            assert!(error.contains(&database.address), "{error}");
            assert_eq!(std::fs::metadata(&database.address).expect("a look").len(), 0, "nothing was made");
        }
        let (coordinator, _) = open(&database).await;
        coordinator.close().await;
        assert_verified(&Coordinator::open(reading()).await.expect("open")).await;
    }

    async fn several_processes_may_open_an_empty_database_at_once(database: Database) {
        let opened = (0..6).map(|_| Coordinator::open(Config::new(&database.address)));
        for coordinator in futures_util::future::join_all(opened).await {
            assert_verified(&coordinator.expect("open")).await;
        }
    }

    async fn a_schema_of_a_newer_binary_is_left_alone(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.close().await;
        database
            .run(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 999, 'future', success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1",
            )
            .await;
        let error = failure(&database.address).await;
        assert!(error.contains("newer Gauntlet") && error.contains("version 999"), "{error}");
    }

    async fn a_schema_from_before_the_first_release_is_left_alone(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.close().await;
        let other = if database.address.starts_with("postgres") { "'\\x00'" } else { "x'00'" };
        // Builds of before counted on from this version.
        let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                     SELECT 45, 'later', success, checksum, execution_time FROM _sqlx_migrations";
        for change in [&format!("UPDATE _sqlx_migrations SET checksum = {other}"), later] {
            database.run(change).await;
            let error = failure(&database.address).await;
            assert!(error.contains("from before the first release") && error.contains("gauntlet bundle"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone() {
    let files = tempfile::tempdir().expect("a temporary directory");
    let path = files.path().join("notes.txt");
    let text =
        "These are my notes, and they are long enough to be mistaken for a page of a database. ".repeat(100);
    std::fs::write(&path, &text).expect("write");
    let error = failure(&path.display().to_string()).await;
    assert!(error.contains("notes.txt is no SQLite database"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), text);
}

#[tokio::test]
async fn a_database_of_another_program_is_left_alone() {
    let database = Database::sqlite();
    database.run("CREATE TABLE albums (title TEXT)").await;
    let before = std::fs::read(&database.address).expect("read");
    let error = failure(&database.address).await;
    assert!(std::fs::read(&database.address).expect("read") == before, "not a byte changed");
    assert!(error.contains("another program") && error.contains("`albums`"), "{error}");
}

#[tokio::test]
async fn an_address_that_names_nothing_says_what_to_give() {
    for address in ["", "sqlite:", "mysql://host/name", ":memory:"] {
        let error = failure(address).await;
        assert!(error.contains("gauntlet.db"), "{address}: {error}");
    }
    let error = failure("/no/such/directory/gauntlet.db").await;
    assert!(error.contains("/no/such/directory/gauntlet.db"), "{error}");
}

#[tokio::test]
async fn a_password_is_not_in_the_error() {
    let error = failure("postgres://me:sesame@127.0.0.1:1/nothing").await;
    assert!(!error.contains("sesame") && error.contains("nothing on 127.0.0.1"), "{error}");
}

/// A role that may only SELECT, and one whose transactions are read-only, as all are on a standby.
#[tokio::test]
async fn a_role_that_may_only_read_reads_and_proves_results_on_postgres() {
    let Some(database) = Database::postgres().await else { return };
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 3, 4, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    for lease in worker.take(&coordinator, 3).await {
        worker.drop_lease(&lease);
        worker.report(&coordinator, play_all(&lease, 7)).await;
    }
    let (report, analysis) =
        (coordinator.report("one").await.expect("report"), coordinator.analysis("one", None).await);
    coordinator.close().await;
    let role = format!("reader_{}", std::process::id());
    database
        .run(&format!(
            "CREATE ROLE {role}; DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO {role}', current_schema()); \
             EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO {role}', current_schema()); END $$"
        ))
        .await;
    for (settings, why) in [
        (format!("-c role={role}"), "the role may only read"),
        ("-c default_transaction_read_only=on".to_owned(), "default_transaction_read_only"),
    ] {
        let address = format!("{}%20{}", database.address, settings.replace(' ', "%20").replace('=', "%3D"));
        let reader = Coordinator::open(Config { create: false, ..Config::new(&address) }).await;
        let reader = reader.unwrap_or_else(|error| panic!("{settings}: {error}"));
        let read = reader.report("one").await.expect("report");
        assert_eq!((&read.series, read.summary.games_done), (&report.series, 6), "{settings}");
        let analysed = reader.analysis("one", None).await.expect("analysis");
        assert_eq!(Some(analysed.sweep), analysis.as_ref().ok().map(|analysis| analysis.sweep.clone()));
        assert_verified(&reader).await;
        for key in ["one", &read.series[0].points[0].cell.to_string()] {
            reader.why(key).await.expect("reasons");
        }
        let refused = reader.apply(&experiment("other", vec![cell(500, 3, 4, 1.0)])).await;
        let refused = refused.expect_err("it may write").to_string();
        assert!(refused.contains(why), "{settings}: {refused}");
        reader.note_backup("a.db", "me").await.expect("no note");
        reader.close().await;
        let error = failure(&address).await;
        assert!(error.contains("cannot write the database") && error.contains(why), "{settings}: {error}");
    }
    database
        .run(&format!(
            "DO $$ BEGIN EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM {role}', current_schema()); \
             EXECUTE format('REVOKE ALL ON SCHEMA %I FROM {role}', current_schema()); END $$; DROP ROLE {role}"
        ))
        .await;
}

#[tokio::test]
async fn a_standby_is_read_and_says_why_it_takes_no_changes() {
    let Some(programs) = postgres::find_programs() else { return };
    let primary = postgres::start(&programs);
    let coordinator = Coordinator::open(Config::new(&primary)).await.expect("open");
    coordinator.apply(&experiment("one", vec![cell(500, 3, 4, 1.0)])).await.expect("apply");
    coordinator.close().await;
    let (_, folder) = primary.split_once("host=").expect("a folder");
    let folder = folder.replace("%2F", "/");
    let copy =
        ["pg_basebackup", "--no-sync", "-c", "fast", "-R", "-U", "postgres", "-h", &folder, "-D", "data"];
    let standby = postgres::begin(&programs, &copy, &[]);
    let reading = Config { create: false, ..Config::new(&standby) };
    let reader = Coordinator::open(reading).await.expect("open");
    assert_eq!(reader.report("one").await.expect("report").summary.games_planned, 8);
    assert_verified(&reader).await;
    let refused = reader.apply(&experiment("two", vec![cell(500, 3, 4, 1.0)])).await;
    let refused = refused.expect_err("it may write").to_string();
    assert!(refused.contains("it is a standby"), "{refused}");
    reader.close().await;
    // Who serves would wait for work that nothing can store.
    let error = failure(&standby).await;
    assert!(error.contains("the server is a standby") && error.contains("name the primary"), "{error}");
}
