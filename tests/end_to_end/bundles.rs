//! Reproducibility bundles: made beside the database and over the network, replayed, and refused when they are broken.

use crate::process::{Process, QUICK, TINY, output, says, write_into};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use protocol::bundle::{BundledGame, Manifest};
use protocol::report::ExperimentReport;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Changes a game.
type Change<'a> = &'a dyn Fn(&mut BundledGame);

/// A file of a bundle: its path and content.
type File = (String, Vec<u8>);

fn unpacked(bundle: &Path) -> Vec<File> {
    let file = std::fs::File::open(bundle).expect("the bundle");
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let files = archive.entries().expect("an archive").map(|entry| {
        let mut entry = entry.expect("a file");
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("content");
        (entry.path().expect("a path").to_str().expect("UTF-8").to_owned(), content)
    });
    files.collect()
}

/// Writes paths as they are, also those that the library refuses.
fn pack(bundle: &Path, files: &[File], kind: tar::EntryType) {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, content) in files {
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
        header.set_entry_type(if path.ends_with("README.md") { kind } else { tar::EntryType::Regular });
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, &content[..]).expect("written");
    }
    let bytes = archive.into_inner().and_then(GzEncoder::finish).expect("written");
    std::fs::write(bundle, bytes).expect("written");
}

/// Brings the digests of a bundle up to date.
fn sign(files: &mut [File]) {
    let (last, others) = files.split_last_mut().expect("files");
    assert!(last.0.ends_with("/SHA256SUMS"));
    let line = |(path, content): &File| {
        let digest: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{digest}  {}\n", path.split_once('/').expect("a folder").1)
    };
    last.1 = others.iter().map(line).collect::<String>().into_bytes();
}

/// The games of a bundle.
fn games(files: &[File]) -> Vec<BundledGame> {
    let (_, content) = files.iter().find(|(path, _)| path.ends_with("games/000001.jsonl")).expect("games");
    let lines = content.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("a game")).collect()
}

/// Changes the first game.
fn change(files: &mut [File], change: impl FnOnce(&mut BundledGame)) {
    let mut games = games(files);
    change(&mut games[0]);
    let lines =
        games.iter().map(|game| serde_json::to_string(game).expect("JSON") + "\n").collect::<String>();
    let games = files.iter_mut().find(|(path, _)| path.ends_with("games/000001.jsonl")).expect("games");
    games.1 = lines.into_bytes();
}

#[test]
fn an_experiment_goes_on_in_another_database_from_its_bundle() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let run = |file: &str, db: &str| {
        says(dir, &[&["run", file, "--port", "0", "--exit-when-done", "--database", db], &QUICK[..]].concat())
    };
    let cells = |db: &str| says(dir, &["results", "tiny", "--format", "csv", "--database", db]);
    // An imported machine has an id of its own, because a bundle may say any.
    let listed = |db: &str| {
        let games = says(dir, &["game", "list", "--all", "--format", "csv", "--database", db]);
        without_column(&games, "worker")
    };
    let is_right = |db: &str| {
        let said = says(dir, &["verify", "--database", db]);
        assert!(said.contains("every total is right"), "{said}");
    };
    run("tiny.toml", "one.db");
    let one = listed("one.db");
    let excluded = one.lines().nth(1).and_then(|line| line.split(',').next()).expect("a game").to_owned();
    says(dir, &["game", "exclude", &excluded, "--why", "a test", "--database", "one.db"]);
    says(dir, &["bundle", "tiny", "-o", "one.tar.gz", "--database", "one.db"]);

    let said = says(dir, &["import", "one.tar.gz", "--database", "two.db"]);
    assert!(said.contains("tiny: 3 of 4 games count now\n  1 stored and excluded"), "{said}");
    assert_eq!((cells("one.db"), listed("one.db")), (cells("two.db"), listed("two.db")));
    is_right("two.db");
    let charged = |db: &str| {
        let report = says(dir, &["results", "tiny", "--json", "--database", db]);
        let report: ExperimentReport = serde_json::from_str(&report).expect("a report");
        report.summary.core_seconds
    };
    assert!(charged("one.db") > 0.0 && (charged("one.db") - charged("two.db")).abs() < 1e-9);
    let again = says(dir, &["import", "one.tar.gz", "--database", "two.db"]);
    assert!(again.contains("tiny: 0 of 4 games count now\n  4 stored before\n"), "{again}");

    // The open game is played, and then pairs that the other database had not begun.
    std::fs::write(dir.join("more.toml"), TINY.replace("games_per_cell = 4", "games_per_cell = 8"))
        .expect("written");
    run("more.toml", "two.db");
    is_right("two.db");
    let two = listed("two.db");
    assert_eq!(two.lines().count(), 1 + 8 + 1, "eight games that count, and the excluded one: {two}");
    assert!(one.lines().skip(2).all(|line| two.contains(line)), "{one}{two}");

    // Two databases of one experiment: the same game of a pair counts once.
    says(dir, &["bundle", "tiny", "-o", "two.tar.gz", "--database", "two.db"]);
    let revision = |db: &str| {
        let report = says(dir, &["results", "tiny", "--json", "--database", db]);
        serde_json::from_str::<ExperimentReport>(&report).expect("a report").summary.revision
    };
    run("tiny.toml", "three.db");
    let said = says(dir, &["import", "two.tar.gz", "--database", "three.db"]);
    assert!(said.contains("4 of 9 games count now\n  4 stored, and superseded"), "{said}");
    is_right("three.db");
    assert_eq!(revision("three.db"), 1, "a plan that somebody applied stays");

    // As if an import had ended between the revisions, and within the first one.
    for (db, cut) in [
        ("cut1.db", "DELETE FROM experiment_revision WHERE number = 2; UPDATE experiment SET revision = 1"),
        ("cut0.db", "DELETE FROM experiment_revision; UPDATE experiment SET revision = 0"),
    ] {
        says(dir, &["import", "two.tar.gz", "--database", db]);
        write_into(&dir.join(db), cut);
        says(dir, &["import", "two.tar.gz", "--database", db]);
        assert_eq!(revision(db), 2, "{db}");
        is_right(db);
    }

    games_that_cannot_be_are_refused(dir);
}

/// A table without one of its columns. No field has a comma.
fn without_column(csv: &str, name: &str) -> String {
    let place = csv.lines().next().and_then(|head| head.split(',').position(|column| column == name));
    let place = place.expect("a column");
    let kept = |line: &str| {
        let fields = line.split(',').enumerate().filter(|(column, _)| *column != place);
        fields.map(|(_, field)| field).collect::<Vec<_>>().join(",") + "\n"
    };
    csv.lines().map(kept).collect()
}

fn games_that_cannot_be_are_refused(dir: &Path) {
    let files = unpacked(&dir.join("two.tar.gz"));
    let import = |files: &[File], db: &str| {
        pack(&dir.join("bad.tar.gz"), files, tar::EntryType::Regular);
        output(dir, &["import", "bad.tar.gz", "--database", db])
    };
    let counts = games(&files)[0].line.status == protocol::games::GameStatus::Counted;
    let tampered = |number: usize, (how, refused): (Change<'_>, usize)| {
        let mut changed = files.clone();
        change(&mut changed, how);
        sign(&mut changed);
        let db = format!("bad{number}.db");
        let (status, stdout, stderr) = import(&changed, &db);
        assert_eq!(status.code(), Some(1), "{stdout}{stderr}");
        let left = 8 - refused + usize::from(!counts);
        let told = [format!("{left} of 9 games count now"), format!("{refused} refused")];
        assert!(told.iter().all(|told| stdout.contains(told)), "{stdout}{stderr}");
        assert!(stderr.contains(" refused"), "{stderr}");
        assert!(says(dir, &["verify", "--database", &db]).contains("every total is right"));
        stdout
    };
    use engine::havannah::Outcome;
    let other = |game: &mut BundledGame| match &mut game.line.outcome {
        Outcome::Win { winner, .. } => *winner = winner.other(),
        draw @ Outcome::Draw => *draw = games(&files)[1].line.outcome,
    };
    let ways: [(Change<'_>, &str); 5] = [
        (&other, "by the rules the game ended as"),
        (&|game| game.line.pair = 4_000_000_000, "does not belong to this lease"),
        (&|game| game.spec.seed += 1, "its description is that of cell"),
        (&|game| game.line.worker_name = "a\u{202e}b".to_owned(), "the name of its machine"),
        (&|game| game.play.as_mut().expect("moves").record.sims[0] = 1, "1 simulations of 20"),
    ];
    for (number, (how, why)) in ways.into_iter().enumerate() {
        let said = tampered(number, (how, 1));
        assert!(said.contains(why), "{why}: {said}");
    }
    // A pair that nobody can have begun.
    let far = |game: &mut BundledGame| {
        game.line.pair = 4_000_000_000;
        game.line.id =
            protocol::ids::GameId::of(game.line.cell, 4_000_000_000, game.line.case_side.index() as u8);
    };
    assert!(tampered(8, (&far, 1)).contains("it is of pair 4000000000"));
    // Both games of the pair whose lease it is come later.
    let stolen = |game: &mut BundledGame| game.line.lease = games(&files)[8].line.lease;
    let said = tampered(9, (&stolen, 2));
    assert!(said.contains("only the machine that got it delivers its games"), "{said}");

    // Nothing is stored of a bundle that is broken at its end.
    let mut broken = files.clone();
    let last = broken.len() - 2;
    broken[last].1.push(b' ');
    let (status, _, stderr) = import(&broken, "none.db");
    assert!(status.code() == Some(1) && stderr.contains("it was changed"), "{stderr}");
    assert!(!dir.join("none.db").exists());
}

fn refused(dir: &Path, file: &str) -> String {
    let (status, stdout, stderr) = output(dir, &["rerun", file]);
    assert_eq!(status.code(), Some(1), "{stdout}{stderr}");
    assert!(stdout.is_empty() && !stderr.contains("panicked"), "{stdout}{stderr}");
    stderr
}

#[test]
fn a_bundle_has_everything_and_its_games_go_alike_again() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let timed = TINY.replace("\"tiny\"", "\"timed\"").replace("sims = 20", "reference_seconds = 0.2");
    std::fs::write(dir.join("timed.toml"), timed).expect("written");
    says(dir, &[&["run", "tiny.toml", "timed.toml", "--port", "0", "--exit-when-done"], &QUICK[..]].concat());
    says(dir, &["bundle", "tiny"]);
    let here = dir.join("gauntlet-tiny.tar.gz");
    let mode = |file: &Path| std::fs::metadata(file).expect("a file").permissions().mode();
    assert_eq!(mode(&here), mode(&dir.join("tiny.toml")), "others may read it like any other new file");
    let said = says(dir, &["rerun", "gauntlet-tiny.tar.gz"]);
    assert!(said.contains("4 of 4 replayed games agree; these are all games"), "{said}");
    let some = says(dir, &["rerun", "gauntlet-tiny.tar.gz", "--games", "2", "--seed", "3"]);
    assert!(some.contains("2 of 2 replayed games agree; of all 4") && some.contains("--seed 3"), "{some}");
    assert_eq!(some, says(dir, &["rerun", "gauntlet-tiny.tar.gz", "--games", "2", "--seed", "3"]));
    let json = says(dir, &["rerun", "gauntlet-tiny.tar.gz", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["agree"], &json["games"][0]["same_moves"]), (&4.into(), &true.into()));

    // Games with a budget in time go alike with the simulations that they had.
    says(dir, &["bundle", "timed", "-o", "timed.tar.gz"]);
    let said = says(dir, &["rerun", "timed.tar.gz"]);
    assert!(said.contains("4 of 4 replayed games agree") && said.contains("is not compared"), "{said}");

    let files = unpacked(&here);
    let named = |name: &str| -> &[u8] {
        let found = files.iter().find(|(path, _)| path.split_once('/').is_some_and(|(_, own)| own == name));
        &found.unwrap_or_else(|| panic!("no {name}")).1
    };
    let manifest: Manifest = serde_json::from_slice(named("manifest.json")).expect("a manifest");
    assert_eq!(
        (manifest.name.as_str(), manifest.revision, manifest.semantics),
        ("tiny", 1, engine::SEMANTICS)
    );
    let report: ExperimentReport = serde_json::from_slice(named("report.json")).expect("a report");
    assert_eq!(report.summary.games_done, 4);
    let plan = says(dir, &["experiment", "show", "tiny", "--revision", "1"]);
    assert_eq!(String::from_utf8_lossy(named("revisions/1.json")), plan);
    assert_eq!(
        String::from_utf8_lossy(named("cells.csv")),
        says(dir, &["results", "tiny", "--format", "csv"])
    );
    let workers: serde_json::Value = serde_json::from_slice(named("workers.json")).expect("workers");
    assert!(workers[0]["speeds"][0]["sims_per_s"].as_f64().is_some_and(|speed| speed > 0.0), "{workers}");
    for name in ["README.md", "history.json", "analysis.json"] {
        assert!(!named(name).is_empty(), "{name}");
    }
    // A line is a game for `gauntlet game replay`, and other programs can check the digests.
    std::fs::write(dir.join("game.json"), serde_json::to_vec(&games(&files)[1]).expect("JSON"))
        .expect("written");
    assert!(says(dir, &["game", "replay", "--file", "game.json"]).contains("is as recorded"));
    let check =
        "tar xzf gauntlet-tiny.tar.gz && cd gauntlet-bundle-* && sha256sum -c --quiet --strict SHA256SUMS";
    let checked = std::process::Command::new("sh").args(["-c", check]).current_dir(dir).status();
    assert!(checked.is_ok_and(|status| status.success()));

    let mut serving = Process::start(dir, &["serve", "--port", "0"]);
    let url = serving.url();
    says(dir, &["bundle", "tiny", "-o", "there.tar.gz", "--coordinator", &url]);
    assert_eq!(games(&unpacked(&dir.join("there.tar.gz"))), games(&files));
    for place in [&["--database", "gauntlet.db"][..], &["--coordinator", &url]] {
        let (status, _, error) = output(dir, &[&["bundle", "tinny"], place].concat());
        assert!(
            !status.success() && error.contains("no experiment is called `tinny`; did you mean `tiny`?"),
            "{error}"
        );
    }
    let (status, _, error) = output(dir, &["bundle", "tiny", "-o", "no/such/file"]);
    assert!(!status.success() && error.contains("cannot write no/such/file"), "{error}");
    assert!(serving.stop().success());

    broken_bundles_are_refused_and_changed_games_found(dir, &files, &here);
}

fn broken_bundles_are_refused_and_changed_games_found(dir: &Path, files: &[File], whole: &Path) {
    let bad = dir.join("bad.tar.gz");
    let packed = |files: &[File]| pack(&bad, files, tar::EntryType::Regular);

    // A changed move is found by the digests, and by the engine if they were brought up to date.
    let mut changed = files.to_vec();
    change(&mut changed, |game| {
        let moves = &mut game.play.as_mut().expect("moves").record.moves;
        let last = moves.rfind(' ').expect("several moves");
        let (before, own) = (moves[..last].to_owned(), moves[last + 1..].to_owned());
        let taken: Vec<&str> = before.split(' ').chain(game.opening.split(' ')).collect();
        let other = ["a1", "a2", "a3", "b1", "b2", "b3", "b4", "c1", "c2", "c3"];
        let other = other.into_iter().find(|cell| *cell != own && !taken.contains(cell)).unwrap_or("c5");
        *moves = format!("{before} {other}");
    });
    packed(&changed);
    let error = refused(dir, "bad.tar.gz");
    assert!(error.contains("it was changed: games/000001.jsonl has not the digest of SHA256SUMS"), "{error}");
    sign(&mut changed);
    packed(&changed);
    let (status, stdout, stderr) = output(dir, &["rerun", "bad.tar.gz"]);
    assert_eq!(status.code(), Some(1), "{stdout}{stderr}");
    assert!(stdout.contains("3 of 4 replayed games agree"), "{stdout}{stderr}");
    assert!(stdout.contains("the game differs from its record at move"), "{stdout}");
    // So is a changed result.
    let mut changed = files.to_vec();
    change(&mut changed, |game| {
        game.line.outcome = match game.line.outcome {
            engine::havannah::Outcome::Draw => games(files)[0].line.outcome,
            _ => engine::havannah::Outcome::Draw,
        };
    });
    sign(&mut changed);
    packed(&changed);
    let (status, stdout, _) = output(dir, &["rerun", "bad.tar.gz"]);
    assert!(status.code() == Some(1) && stdout.contains("but the stored result is draw"), "{stdout}");

    // Truncated anywhere.
    let bytes = std::fs::read(whole).expect("the bundle");
    for part in [0, 1, 15, 200, bytes.len() / 2, bytes.len() - 400] {
        std::fs::write(&bad, &bytes[..part]).expect("written");
        let error = refused(dir, "bad.tar.gz");
        assert!(error.contains("truncated") || error.contains("no gzipped tar archive"), "{part}: {error}");
    }
    packed(&files[..files.len() - 1]);
    assert!(refused(dir, "bad.tar.gz").contains("truncated: it has no SHA256SUMS"));
    let mut less = files.to_vec();
    less.remove(2);
    packed(&less);
    assert!(refused(dir, "bad.tar.gz").contains("is missing"));

    // Paths that lead out of the folder, and what is no file.
    for path in
        ["../../outside", "/etc/outside", "gauntlet/../../outside", "outside", "other/README.md", "a\\b/c"]
    {
        let mut hostile = files.to_vec();
        hostile[1].0 = path.to_owned();
        packed(&hostile);
        let error = refused(dir, "bad.tar.gz");
        assert!(
            error.contains("no path of a bundle") || error.contains("outside of its folder"),
            "{path}: {error}"
        );
    }
    pack(&bad, files, tar::EntryType::Symlink);
    assert!(refused(dir, "bad.tar.gz").contains("is no regular file"));
    let mut twice = files.to_vec();
    twice.insert(2, twice[1].clone());
    packed(&twice);
    assert!(refused(dir, "bad.tar.gz").contains("is in it twice"));

    // Other formats, versions and engines.
    let with = |field: &str, value: serde_json::Value| {
        let mut other = files.to_vec();
        let mut manifest: serde_json::Value = serde_json::from_slice(&other[0].1).expect("a manifest");
        manifest[field] = value;
        other[0].1 = serde_json::to_vec(&manifest).expect("JSON");
        sign(&mut other);
        packed(&other);
        refused(dir, "bad.tar.gz")
    };
    let newer = with("version", 2.into());
    assert!(newer.contains("version 2 of the format") && newer.contains("newer program"), "{newer}");
    assert!(with("format", "zip".into()).contains("its format is `zip`"));
    let mut foreign = files.to_vec();
    let lines = String::from_utf8(
        foreign.iter().find(|(path, _)| path.ends_with(".jsonl")).expect("games").1.clone(),
    );
    let own = format!("\"semantics\":{}", engine::SEMANTICS);
    let lines = lines.expect("UTF-8").replace(&own, "\"semantics\":9999");
    foreign.iter_mut().find(|(path, _)| path.ends_with(".jsonl")).expect("games").1 = lines.into_bytes();
    sign(&mut foreign);
    packed(&foreign);
    assert!(refused(dir, "bad.tar.gz").contains("engine semantics 9999"));
    std::fs::write(&bad, "no archive at all").expect("written");
    assert!(refused(dir, "bad.tar.gz").contains("no gzipped tar archive"));
    packed(&[("folder/else".to_owned(), b"x".to_vec())]);
    assert!(refused(dir, "bad.tar.gz").contains("it is no bundle of Gauntlet"));
    assert!(refused(dir, "absent.tar.gz").contains("cannot open absent.tar.gz"));
}
