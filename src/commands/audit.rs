//! `gauntlet audit`: who changed what.

use super::print;
use super::target::{Target, TargetArgs, get};
use protocol::operate::AuditPage;
use std::fmt::Write;

/// Lists who changed what, latest change first.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  gauntlet audit --limit 20")]
pub(crate) struct AuditArgs {
    /// The number of changes to list.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// List changes before this number, which is the first column.
    #[arg(long, value_name = "NUMBER")]
    before: Option<i64>,
    #[command(flatten)]
    target: TargetArgs,
}

/// Prints the list.
pub(crate) async fn run(args: AuditArgs) -> anyhow::Result<()> {
    let AuditArgs { limit, before, target } = args;
    let target = target.open().await?;
    let page = match &target {
        Target::Database(coordinator) => coordinator.audit(before, limit).await?,
        Target::Remote(remote, token) => {
            let before = before.map_or(String::new(), |before| format!("&before={before}"));
            get::<AuditPage>((remote, token), &format!("audit?limit={limit}{before}")).await?
        }
    };
    target.close().await;
    let mut out = String::new();
    for entry in &page.entries {
        let (seq, at, who) = (entry.seq, time(entry.at_ms), &entry.who);
        writeln!(out, "{seq:>6}  {at}  {who}  {}  {}  {}", entry.action, entry.what, entry.detail)?;
    }
    if let Some(next) = page.next {
        writeln!(out, "there are earlier ones: --before {next}")?;
    }
    print(&out)
}

/// Milliseconds since 1970 as date and time in UTC, such as `2026-08-01 12:04:31Z`.
pub(crate) fn time(ms: i64) -> String {
    let (days, seconds) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000) / 1000);
    // Days since 0000-03-01, in eras of 400 years: Howard Hinnant, "chrono-compatible low-level date algorithms".
    let z = days + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_those_of_the_world() {
        for (ms, words) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_399_999, "2000-02-28 23:59:59Z"),
            (951_782_400_000, "2000-02-29 00:00:00Z"),
            (1_700_000_000_000, "2023-11-14 22:13:20Z"),
            (4_107_542_400_000, "2100-03-01 00:00:00Z"),
            (-1, "1969-12-31 23:59:59Z"),
        ] {
            assert_eq!(time(ms), words);
        }
    }
}
