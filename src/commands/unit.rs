//! Unit files: the worker as a service, in containers, on a batch system; the coordinator as a service.

use std::time::Duration;

/// The system that starts the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Unit {
    /// A service of systemd.
    Systemd,
    /// A command for Docker or Podman.
    Docker,
    /// A compose file: coordinator, Postgres and a worker.
    Compose,
    /// A job array of Slurm.
    Slurm,
}

/// The time that a worker needs after its grace time to return its leases.
const LEAVING: Duration = Duration::from_secs(60);

/// The most seconds between the signal of Slurm's `--signal` and the end of a job.
const LONGEST_WARNING: u64 = 65_535;

/// The text of a unit. `options` are the options for `gauntlet work`, and `grace` is the grace time by them.
///
/// # Errors
/// When the system does not wait so long for a worker.
pub(crate) fn text(unit: Unit, program: &str, options: &[String], grace: Duration) -> anyhow::Result<String> {
    let template = match unit {
        Unit::Systemd => include_str!("unit/gauntlet-worker.service"),
        Unit::Docker => include_str!("unit/docker.sh"),
        Unit::Compose => include_str!("../../deploy/compose.yaml"),
        Unit::Slurm => include_str!("unit/slurm.sh"),
    };
    let quoted = if unit == Unit::Systemd { quoted_for_systemd } else { protocol::words::quoted };
    let options: String = options.iter().map(|option| format!(" {}", quoted(option))).collect();
    let stop = grace.saturating_add(LEAVING).as_secs();
    if unit == Unit::Slurm && stop > LONGEST_WARNING {
        anyhow::bail!(
            "Slurm warns a job {LONGEST_WARNING} seconds before its end at most, and a worker needs {} seconds after its grace time: \
             give --grace 18h or less",
            LEAVING.as_secs()
        );
    }
    let text = template.replace("@OPTIONS@", &options).replace("@STOP@", &stop.to_string());
    match unit {
        Unit::Systemd => Ok(with_program(&text, program)),
        _ => Ok(text.replace("@PROGRAM@", &quoted(program))),
    }
}

/// The text of the coordinator's service. `options` are the options for `gauntlet serve`.
pub(crate) fn service(program: &str, options: &[String]) -> String {
    let options: String = options.iter().map(|option| format!(" {}", quoted_for_systemd(option))).collect();
    with_program(&include_str!("unit/gauntlet.service").replace("@OPTIONS@", &options), program)
}

/// Names the program in a service of systemd, where the service's user can read it.
fn with_program(text: &str, program: &str) -> String {
    if HOMES.iter().any(|home| program.starts_with(home)) {
        let install = format!("sudo install {} {SHARED_PROGRAM}", protocol::words::quoted(program));
        let text = text.replace("@PROGRAM@", SHARED_PROGRAM);
        return format!("# The service's user cannot read what is in a home. So first: {install}\n{text}");
    }
    text.replace("@PROGRAM@", &quoted_for_systemd(program))
}

/// This program, by its path.
pub(crate) fn program() -> String {
    std::env::current_exe().map_or_else(|_| "gauntlet".into(), |path| path.display().to_string())
}

/// Options that repeat this call of a command, also those that the environment gives, but those that are left out. Of an option
/// that the unit itself has, too, the last one counts.
pub(crate) fn repeated<A: clap::Args>(
    command: &'static str,
    left_out: &[&str],
) -> anyhow::Result<Vec<String>> {
    let words = std::env::args_os().map(|word| {
        word.into_string().map_err(|word| anyhow::anyhow!("a unit is text, and {word:?} is not valid UTF-8"))
    });
    let words: Vec<String> = words.collect::<Result<_, _>>()?;
    let given: Vec<String> = words.into_iter().skip_while(|word| word != command).skip(1).collect();
    let is_of = |word: &str, name: &str| {
        word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let mut options = Vec::new();
    for option in A::augment_args(clap::Command::new(command)).get_arguments() {
        let (Some(long), Some(variable)) = (option.get_long(), option.get_env()) else { continue };
        let name = format!("--{long}");
        let is_wanted = !left_out.contains(&name.as_str()) && !given.iter().any(|word| is_of(word, &name));
        match std::env::var(variable) {
            Ok(value) if is_wanted && option.get_action().takes_values() => options.extend([name, value]),
            Ok(value) if is_wanted && !["", "0", "false"].contains(&value.as_str()) => options.push(name),
            _ => {}
        }
    }
    let mut words = given.into_iter();
    while let Some(word) = words.next() {
        match left_out.iter().find(|name| is_of(&word, name)) {
            Some(name) if word == **name => drop(words.next()),
            Some(_) => {}
            None => options.push(word),
        }
    }
    Ok(options)
}

/// Directories that a service's own user cannot read.
const HOMES: [&str; 3] = ["/home/", "/root/", "/run/user/"];

/// The program where every user can read it.
const SHARED_PROGRAM: &str = "/usr/local/bin/gauntlet";

/// Whether a word means itself to systemd.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:@,=+[]".contains(c))
}

/// To systemd a per cent sign begins a specifier and a dollar sign a variable; doubled, they mean themselves.
fn quoted_for_systemd(word: &str) -> String {
    if is_plain(word) {
        return word.to_owned();
    }
    let word = word.replace('\\', r"\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{word}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_starts_this_program_with_the_options_given() {
        let options = ["--join", "K7F3-9QXM-2TBD@host:8437", "--name", "node 7"].map(str::to_owned);
        for unit in [Unit::Systemd, Unit::Docker, Unit::Slurm] {
            let text =
                text(unit, "/usr/local/bin/gauntlet", &options, Duration::from_secs(1800)).expect("a unit");
            assert!(text.contains("work"), "{text}");
            let name = if unit == Unit::Systemd { "\"node 7\"" } else { "'node 7'" };
            assert!(text.contains(&format!("--join K7F3-9QXM-2TBD@host:8437 --name {name}")), "{text}");
            assert!(["@OPTIONS@", "@PROGRAM@", "@STOP@"].iter().all(|place| !text.contains(place)), "{text}");
            let stop = ["TimeoutStopSec=1860\n", "--stop-timeout 1860 ", "--signal=B:TERM@1860\n"];
            assert!(stop.iter().any(|stop| text.contains(stop)), "longer than the grace time:\n{text}");
        }
        let with = |unit, program| text(unit, program, &[], Duration::ZERO).expect("a unit");
        let home = with(Unit::Systemd, "/home/a b/gauntlet");
        assert!(
            home.contains("first: sudo install '/home/a b/gauntlet' /usr/local/bin/gauntlet\n"),
            "{home}"
        );
        assert!(home.contains("ExecStart=/usr/local/bin/gauntlet work --dir"), "{home}");
        assert!(with(Unit::Systemd, "/opt/a b/gauntlet").contains("ExecStart=\"/opt/a b/gauntlet\" work"));
        assert!(with(Unit::Slurm, "/home/a b/gauntlet").contains("exec '/home/a b/gauntlet' work"));
        assert_eq!(quoted_for_systemd("Bob's \"5 % $HOME\" \\"), r#""Bob's \"5 %% $$HOME\" \\""#);
        let compose = with(Unit::Compose, "gauntlet");
        assert!(compose.contains("services:") && compose.contains("postgres"), "{compose}");
        // An empty code is invalid, so without a code the variable must be absent.
        assert!(compose.contains("GAUNTLET_JOIN:\n") && !compose.contains("${GAUNTLET_JOIN"), "{compose}");
    }

    #[test]
    fn the_coordinators_service_has_its_options() {
        let options = ["--listen", "0.0.0.0:8437", "/srv/my sweep.toml"].map(str::to_owned);
        let text = service("/usr/local/bin/gauntlet", &options);
        let line = "ExecStart=/usr/local/bin/gauntlet --log json serve --listen 0.0.0.0:8437 \"/srv/my sweep.toml\"\n";
        assert!(text.contains(line) && !text.contains("@OPTIONS@") && !text.contains("@PROGRAM@"), "{text}");
        assert!(service("/root/gauntlet", &[]).contains("first: sudo install /root/gauntlet"));
    }

    #[test]
    fn a_grace_time_that_slurm_does_not_wait_for_is_refused() {
        let with = |hours: u64| text(Unit::Slurm, "gauntlet", &[], Duration::from_secs(3600 * hours));
        assert!(with(18).expect("a unit").contains("--signal=B:TERM@64860\n"));
        let refused = with(19).expect_err("too long").to_string();
        assert!(refused.contains("--grace 18h or less"), "{refused}");
    }
}
