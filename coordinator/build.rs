//! Writes the list of migrations, and builds the dashboard from `../dashboard`, into the output directory, where the
//! sources include and embed them.
//!
//! `GAUNTLET_DASHBOARD=require` makes a dashboard that cannot be built an error, `=skip` does not try. Otherwise a
//! machine without Node.js gets a warning and a page that says how to get the dashboard: a worker needs none.

use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What Vite needs.
const NODE_AT_LEAST: (u32, u32) = (20, 19);

/// Everything the bundle is made of, below `dashboard/`.
const SOURCES: [&str; 7] =
    ["index.html", "package-lock.json", "package.json", "public", "src", "tsconfig.json", "vite.config.ts"];

/// The first lines of what a failing tool printed say why; npm goes on to list its options.
const ERROR_LINES: usize = 8;

fn main() -> ExitCode {
    let sources = Path::new(&variable("CARGO_MANIFEST_DIR")).join("../dashboard");
    let out = Path::new(&variable("OUT_DIR")).join("dashboard");
    println!("cargo::rustc-check-cfg=cfg(dashboard_missing)");
    println!("cargo::rerun-if-env-changed=GAUNTLET_DASHBOARD");
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(why) = list_migrations() {
        println!("cargo::error=migrations: {why}");
        return ExitCode::FAILURE;
    }

    let wish = env::var("GAUNTLET_DASHBOARD").unwrap_or_default();
    let built = match wish.as_str() {
        "skip" => Err("GAUNTLET_DASHBOARD=skip".to_owned()),
        "" | "require" => {
            // A Node.js installed later is noticed by the path that leads to it.
            println!("cargo::rerun-if-env-changed=PATH");
            for source in SOURCES {
                println!("cargo::rerun-if-changed={}", sources.join(source).display());
            }
            build(&sources, &out)
        }
        other => {
            println!(
                "cargo::error=GAUNTLET_DASHBOARD is `{other}`: only `require` and `skip` have a meaning"
            );
            return ExitCode::FAILURE;
        }
    };
    let Err(why) = built else { return ExitCode::SUCCESS };

    let why = why.replace('\n', " | ");
    if wish == "require" {
        println!("cargo::error=the dashboard cannot be built: {why}");
        return ExitCode::FAILURE;
    }
    if wish != "skip" {
        println!("cargo::warning=built without the dashboard: {why}");
        // A file that never exists: the next build tries again instead of keeping this outcome.
        println!("cargo::rerun-if-changed={}", out.join("never").display());
    }
    println!("cargo::rustc-cfg=dashboard_missing");
    write_notice(&out);
    ExitCode::SUCCESS
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// Writes `migrations.rs`: an array of number, name and text of every file in `../migrations`. A file cannot be forgotten,
/// because the list is not written by hand.
fn list_migrations() -> Result<(), String> {
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")).join("../migrations");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut list = String::from("[\n");
    for (file, number) in files.iter().zip(1..) {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let title = name.strip_prefix(&format!("{number:04}_")).and_then(|rest| rest.strip_suffix(".sql"));
        let title = title.ok_or(format!("`{name}` should be {number:04}_NAME.sql: numbers have no gaps"))?;
        writeln!(list, "({number}, {title:?}, include_str!({file:?})),").expect("a string grows");
    }
    list.push_str("]\n");
    let out = Path::new(&variable("OUT_DIR")).join("migrations.rs");
    fs::write(out, list).map_err(|error| format!("the output directory: {error}"))
}

fn build(sources: &Path, out: &Path) -> Result<(), String> {
    if !sources.join("package.json").exists() {
        return Err(format!("its sources are not at {}", sources.display()));
    }
    check_node()?;
    install(sources)?;
    let vite = sources.join("node_modules/vite/bin/vite.js");
    let mut command = Command::new("node");
    command.current_dir(sources).arg(vite).args(["build", "--emptyOutDir", "--logLevel", "warn", "--outDir"]);
    run(command.arg(out))
}

fn check_node() -> Result<(), String> {
    let (major, minor) = NODE_AT_LEAST;
    let needed = format!("Node.js {major}.{minor} or later is needed");
    let output = Command::new("node")
        .arg("--version")
        .output()
        .map_err(|error| format!("{needed}, and `node --version` fails: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers =
        text.trim().trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(have_major), Some(have_minor)) if (have_major, have_minor) >= NODE_AT_LEAST => Ok(()),
        _ => Err(format!("{needed}, this is {}", text.trim())),
    }
}

/// Installs the packages of the lock file, unless those in place came from the same one.
fn install(sources: &Path) -> Result<(), String> {
    let trouble = |what: &'static str| move |error: std::io::Error| format!("{what}: {error}");
    // Builds into two target directories may run at once, and `npm ci` begins by deleting what is there.
    let lock =
        File::create(sources.join(".install-lock")).map_err(trouble("cannot write beside its sources"))?;
    lock.lock().map_err(trouble("cannot lock its sources"))?;
    let wanted = fs::read(sources.join("package-lock.json")).map_err(trouble("package-lock.json"))?;
    let stamp: PathBuf = sources.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    run(Command::new(npm).current_dir(sources).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    fs::write(stamp, wanted).map_err(trouble("node_modules"))
}

/// Runs to the end; what it printed is the error's text.
fn run(command: &mut Command) -> Result<(), String> {
    let name = format!("`{}`", command.get_program().to_string_lossy());
    let output = command.output().map_err(|error| format!("{name} does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let printed = [output.stdout, output.stderr].concat();
    let lines: Vec<_> =
        String::from_utf8_lossy(&printed).trim().lines().take(ERROR_LINES).map(str::to_owned).collect();
    Err(format!("{name} failed ({}): {}", output.status, lines.join("\n")))
}

/// The page in the dashboard's place. Assets of an earlier build go: they would be embedded without use.
fn write_notice(out: &Path) {
    let _ = fs::remove_dir_all(out);
    fs::create_dir_all(out).expect("cargo's output directory is writable");
    let (major, minor) = NODE_AT_LEAST;
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Gauntlet</title><p>This binary was built \
         without the dashboard. Install Node.js {major}.{minor} or later and build it again with \
         <code>GAUNTLET_DASHBOARD=require cargo build --release</code>. The API works: \
         <a href=\"./api/v1/overview\">/api/v1/overview</a>.</p></html>\n"
    );
    fs::write(out.join("index.html"), page).expect("cargo's output directory is writable");
}
