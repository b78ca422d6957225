//! The blocks of commands of the how-to pages and the commands in their tables, run as they stand. `recover.md` has drills of its own, the examples in Python have
//! `docs/examples`.

use crate::drills::script;
use std::collections::BTreeSet;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// How the commands of a page are run.
struct Page {
    name: &'static str,
    /// Commands before the first block.
    before: &'static str,
    /// Words of the page that stand for something of the reader, and that something; and numbers that would take minutes.
    replaced: &'static [(&'static str, &'static str)],
    /// Lines that are not run, each with the reason.
    left_out: &'static [(&'static str, &'static str)],
}

/// What every page's commands run in: the files of a checkout, two small experiments, and the program itself. Commands that would not
/// end do so here: a coordinator runs in the background until the next one, and a run and a worker end when nothing is left.
const SETUP: &str = r#"
ln -s "$ROOT/docs" docs; cp -r "$ROOT/configs" configs
exec_gauntlet=$(type -P gauntlet) machine=$(cat /proc/sys/kernel/hostname)
quick=(--slots 1 --calibration-runs 1 --calibration-sims 2000)
export GAUNTLET_CONTROL_SHARE=0 GAUNTLET_OPEN_RESULTS=true GAUNTLET_PORT=$PORT
URL=http://127.0.0.1:$PORT serving=
absent() { local one=$1; shift; [[ " $* " != *" $one "* ]]; }
stop_serving() { [[ -z $serving ]] || { kill "$serving"; wait "$serving" || true; serving=; }; }
gauntlet() {
    local more=()
    case $1 in
    serve)
        absent --unit "$@" || { "$exec_gauntlet" "$@"; return; }
        stop_serving
        "$exec_gauntlet" "$@" --port "$PORT" 2>serve.log & serving=$!
        until grep -q "gauntlet token join" serve.log; do
            kill -0 "$serving" || { cat serve.log; return 1; }
            sleep 0.1
        done ;;
    work)
        absent --unit "$@" || { "$exec_gauntlet" "$@"; return; }
        "$exec_gauntlet" "$@" "${quick[@]}" --exit-when-idle 5s ;;
    run)
        absent --port "$@" && more+=(--port 0); absent --exit-when-done "$@" && more+=(--exit-when-done)
        "$exec_gauntlet" "$@" "${more[@]}" "${quick[@]}" ;;
    *) "$exec_gauntlet" "$@" </dev/null ;;
    esac
}
small() { sed -i '/^[5-9] = 1/d; s/^sims = .*/sims = 20/; s/^games_per_cell = .*/games_per_cell = 20/' "$1"; }
sweep() { "$exec_gauntlet" init my-sweep.toml; small my-sweep.toml; }
played() { sweep; gauntlet run my-sweep.toml; }
"#;

const PLAIN: Page = Page { name: "", before: "played", replaced: &[], left_out: &[] };

const PAGES: [Page; 17] = [
    Page {
        name: "add-machines",
        before: "sweep; gauntlet serve my-sweep.toml; code=$(gauntlet token join --machines 2)",
        replaced: &[
            ("K7F3-9QXM-2TBD@HOST:8437", "$code@127.0.0.1:$PORT"),
            ("CODE@HOST:8437", "$code@127.0.0.1:$PORT"),
            ("/etc/systemd/system/", ""),
            (
                r"pause\|resume\|drain NAME",
                "pause $machine; gauntlet fleet resume $machine; gauntlet fleet drain $machine",
            ),
        ],
        ..PLAIN
    },
    Page {
        name: "back-up",
        replaced: &[
            ("restore gauntlet-2026-08-01.db", r#"restore "gauntlet-$(date +%F).db" --database restored.db"#),
            (" …", ""),
            ("--older-than 90d", "--older-than 90d --yes"),
            ("NAME --database BACKUP", r#"my-sweep --database "gauntlet-$(date +%F).db""#),
        ],
        ..PLAIN
    },
    Page {
        name: "change-a-running-experiment",
        before: "sweep; gauntlet serve my-sweep.toml; sed -i 's/games_per_cell = 20/games_per_cell = 40/' my-sweep.toml",
        replaced: &[
            ("stop my-sweep ", "stop my-sweep --yes "),
            ("experiment archive my-sweep ", "experiment archive my-sweep --yes "),
        ],
        ..PLAIN
    },
    Page {
        name: "check-machines",
        before: "played; game() { gauntlet game list --format csv | awk -F, 'NR == 2 { print $1 }'; }",
        replaced: &[(" NAME", " $machine"), ("GAME", "$(game)")],
        left_out: &[DISPUTE],
    },
    Page {
        name: "choose-openings",
        before: "",
        left_out: &[("cargo run --release -p book", "builds another program, which its own tests run")],
        ..PLAIN
    },
    Page {
        name: "compare-with-published-points",
        before: "played; printf 'figure,series,size,winrate,games\\nx,100,4,60,300\\n' > theirs.csv",
        replaced: &[],
        left_out: &[("cargo run --release -p thesis", "builds another program; tools/thesis/tests run it")],
    },
    Page {
        name: "confirm-and-promote",
        replaced: &[
            ("rave_k=100 --as", "rave_k=100 --unconfirmed --as"),
            ("gauntlet confirm my-sweep rave_k=100\n", "gauntlet confirm my-sweep rave_k=100 --yes\n"),
        ],
        ..PLAIN
    },
    Page {
        name: "export",
        before: "played; game() { gauntlet game list --experiment my-sweep --format csv | awk -F, 'NR == 2 { print $1 }'; }",
        replaced: &[("GAME", "$(game)"), ("--size 8 --result loss", "--size 4 --result loss")],
        left_out: &[("jupyter lab", "a program for people; docs/notebook/test runs the notebook")],
    },
    Page {
        name: "give-access",
        before: "sweep; gauntlet serve my-sweep.toml; code=$(gauntlet token join)",
        replaced: &[("revoke ID", "revoke guest"), ("CODE", "$code")],
        left_out: &[("sign-out ID", "needs a browser that is signed in: coordinator/tests sign one out")],
    },
    Page {
        name: "move-to-postgres",
        replaced: &[
            ("postgres://gauntlet@db/gauntlet", "$SPARE"),
            ("db copy gauntlet.db", "db copy gauntlet.db"),
        ],
        ..PLAIN
    },
    Page {
        name: "read-results",
        before: "played; game() { gauntlet game list --experiment my-sweep --format csv | awk -F, 'NR == 2 { print $1 }'; }",
        replaced: &[("GAME", "$(game)"), ("--size 6", "--size 4"), ("--size 8", "--size 4")],
        ..PLAIN
    },
    Page {
        name: "run-a-control",
        before: "sweep; small configs/baseline-vs-itself.toml",
        // A database has one coordinator, and the one of the first block serves this one.
        replaced: &[("baseline-vs-itself.toml", "baseline-vs-itself.toml --database own.db")],
        ..PLAIN
    },
    Page { name: "run-a-coordinator", before: "sweep", replaced: &[("/etc/systemd/system/", "")], ..PLAIN },
    Page { name: "tls", before: "sweep", ..PLAIN },
    Page {
        name: "tune-parameters",
        before: "played",
        replaced: &[
            (
                "--tune\n",
                "--tune; sed -i '/^6 = 1/d; s/^games = .*/games = 40/; s/^sims = .*/sims = 20/' my-tune.toml\n",
            ),
            ("'exploration=0.2 keep_tree=true rave_k=310'", "rave_k=100"),
            ("promote my-tune", "promote my-sweep --unconfirmed"),
        ],
        left_out: &[(
            "tune import my-tune my-sweep",
            "the tune of the page is over; tests/tuning.rs imports games into one that goes on",
        )],
    },
    Page {
        name: "use-the-dashboard",
        left_out: &[(
            "npm --prefix dashboard run figure",
            "a script of the dashboard, which its own tests run",
        )],
        ..PLAIN
    },
    Page {
        name: "watch",
        replaced: &[
            ("why node7", "why my-sweep"),
            ("deploy/", "$ROOT/deploy/"),
            ("why EXPERIMENT", "why my-sweep"),
            ("retry NAME", "retry my-sweep"),
        ],
        left_out: &[DISPUTE],
        ..PLAIN
    },
];

/// The page whose commands `drills.rs` runs.
const DRILLS: &str = "recover";

/// A line that is not run.
const DISPUTE: (&str, &str) =
    ("--settle", "two machines must differ over a game: coordinator/tests make them");

/// The programs that begin a block of commands. Other indented blocks are output, or files.
const PROGRAMS: [&str; 8] =
    ["gauntlet", "docs/bundles", "cargo", "openssl", "npm", "promtool", "docker", "export"];

fn text(page: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(format!("docs/how-to/{page}.md"))).expect("a page")
}

/// The commands in a row of a table. A command without a word behind it is only named.
fn of_row(row: &str) -> impl Iterator<Item = String> {
    let codes = row.split('`').skip(1).step_by(2);
    codes.filter(|code| code.starts_with("gauntlet ") && code.split(' ').count() > 2).map(str::to_owned)
}

/// The lines of the indented blocks of commands of a page and the commands of its tables, in order.
fn commands(page: &str) -> Vec<String> {
    let text = text(page);
    let (mut found, mut block): (Vec<String>, Option<bool>) = (Vec::new(), None);
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if line.starts_with('|') {
            found.extend(of_row(line));
        }
        let Some(command) =
            line.strip_prefix("    ").map(str::trim).filter(|line| !fenced && !line.is_empty())
        else {
            block = None;
            continue;
        };
        let is_command = |line: &str| {
            line.split(' ').find(|word| !word.contains('=')).is_some_and(|word| PROGRAMS.contains(&word))
        };
        if *block.get_or_insert_with(|| is_command(command)) {
            found.push(command.to_owned());
        }
    }
    found
}

fn run(page: &Page, database: Option<&str>) {
    let mut lines = commands(page.name).join("\n") + "\n";
    for (from, to) in page.replaced {
        lines = lines.replace(from, to);
    }
    let mut left: BTreeSet<&str> = page.left_out.iter().map(|(line, _)| *line).collect();
    let is_run = |line: &&str| match page.left_out.iter().find(|(out, _)| line.contains(out)) {
        Some((out, _)) => {
            left.remove(out);
            false
        }
        None => true,
    };
    let lines: Vec<&str> = lines.lines().filter(is_run).collect();
    assert!(left.is_empty(), "{} has no such line: {left:?}", page.name);
    let commands = format!("{SETUP}\n{}\nset -x\n{}\nset +x\nstop_serving\n", page.before, lines.join("\n"));
    script(page.name, &commands, &[("ROOT", ROOT), ("SPARE", database.unwrap_or("spare.db"))]);
}

#[test]
fn every_page_with_commands_is_run() {
    let pages = std::fs::read_dir(Path::new(ROOT).join("docs/how-to")).expect("pages").flatten();
    let names = pages.filter_map(|page| Some(page.path().file_stem()?.to_str()?.to_owned()));
    let known: BTreeSet<&str> = PAGES.iter().map(|page| page.name).chain([DRILLS]).collect();
    assert_eq!(names.collect::<BTreeSet<_>>().iter().map(String::as_str).collect::<BTreeSet<_>>(), known);
    for page in &PAGES {
        assert_ne!(commands(page.name), Vec::<String>::new(), "{} has no commands", page.name);
    }
}

#[test]
#[ignore = "takes minutes: the thorough tests run it"]
fn the_commands_of_every_page_work_as_they_stand() {
    let database = crate::several::postgres();
    for page in &PAGES {
        eprintln!("{}", page.name);
        run(page, database.as_deref());
    }
}
