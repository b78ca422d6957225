//! The results as Markdown.

use super::{Peer, Regret, Results, Row};
use std::fmt::Write;
use tuner::simulation::Arrival;

/// The tables of all landscapes.
pub(crate) fn markdown(results: &Results) -> String {
    let mut out = String::new();
    for landscape in &results.landscapes {
        let (best, start) = (landscape.best, landscape.regret_of_start);
        let _ = write!(out, "\n### {}\n\n{}. ", landscape.name, landscape.about);
        let _ = writeln!(out, "The optimum scores {best:.3}; the start lacks {start:.3}.\n");
        let games: Vec<String> = results.games.iter().map(|games| format!("{games} games")).collect();
        let _ =
            writeln!(out, "| tuner | {} | worst | CPU a game | intervals right | seeds |", games.join(" | "));
        let _ = writeln!(out, "| --- |{} ---: | ---: | ---: | ---: |", " ---: |".repeat(games.len()));
        for row in results.rows.iter().filter(|row| row.landscape == landscape.name) {
            out += &own(row);
        }
        let peers: Vec<&Peer> =
            results.peers.iter().filter(|peer| peer.landscape == landscape.name).collect();
        let mut names: Vec<&str> = peers.iter().map(|peer| peer.tuner.as_str()).collect();
        names.dedup();
        for name in names {
            let of: Vec<&Peer> = peers.iter().copied().filter(|peer| peer.tuner == name).collect();
            out += &recorded(&of, &results.games);
        }
    }
    out
}

/// What a strategy reached, in one line.
pub(crate) fn progress(row: &Row) -> String {
    let regrets: Vec<String> = row.regrets.iter().map(|one| format!("{:.4}", one.mean)).collect();
    format!("{:<12} {:<40} {}", row.landscape, name(row), regrets.join("  "))
}

fn name(row: &Row) -> String {
    let mode = match (row.outstanding, row.arrival) {
        (1, _) => String::new(),
        (outstanding, Arrival::InOrder) => format!(", {outstanding} outstanding"),
        (outstanding, Arrival::AnyOrder) => format!(", {outstanding} outstanding, in any order"),
    };
    format!("`{}`{mode}", row.strategy)
}

fn own(row: &Row) -> String {
    let regrets: Vec<String> = row.regrets.iter().map(shown).collect();
    let worst = row.regrets.last().map_or(f64::NAN, |one| one.worst);
    let intervals = match row.predictions {
        0 => "–".to_owned(),
        all => format!("{} of {all}", row.covered),
    };
    let cost = row.milliseconds_per_game;
    format!(
        "| {} | {} | {worst:.4} | {cost:.3} ms | {intervals} | {} |\n",
        name(row),
        regrets.join(" | "),
        row.seeds
    )
}

fn shown(regret: &Regret) -> String {
    format!("{:.4} ± {:.4}", regret.mean, regret.standard_error)
}

/// A row of another tuner. Those whose points play each other have an asterisk.
fn recorded(of: &[&Peer], games: &[u64]) -> String {
    let at = |games: &u64| {
        of.iter().find(|peer| peer.games == *games).map_or("–".to_owned(), |peer| {
            peer.standard_error
                .map_or_else(|| format!("{:.4}", peer.mean), |error| format!("{:.4} ± {error:.4}", peer.mean))
        })
    };
    let regrets: Vec<String> = games.iter().map(at).collect();
    let worst = of.iter().find(|peer| Some(&peer.games) == games.last());
    let worst = worst.map_or("–".to_owned(), |peer| format!("{:.4}", peer.worst));
    let (tuner, seeds) = of.first().map_or(("", 0), |peer| (peer.tuner.as_str(), peer.seeds));
    let mark = if of.first().is_some_and(|peer| peer.games_against == "itself") { "*" } else { "" };
    format!("| {tuner}{mark} | {} | {worst} | | | {seeds} |\n", regrets.join(" | "))
}
