//! Selections of games.

use crate::commands::number::whole;
use crate::commands::target::Target;
use crate::commands::time::moment;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::havannah::WinKind;
use engine::side::Side;
use protocol::browse::{CaseResult, FoundGame, FoundGames, GameOrder, GameSearch};
use protocol::endpoints::SearchGames;
use protocol::games::GameStatus;
use serde::de::DeserializeOwned;

/// The most games on a page of the API.
const PAGE: usize = 1000;

/// A selection of games. What is left out restricts nothing.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct SelectionArgs {
    /// Games of this experiment, by its name or id.
    #[arg(long, value_name = "NAME|ID")]
    experiment: Option<String>,
    /// Games of these cells: ids or their first digits, separated by commas.
    #[arg(long, value_name = "ID,…")]
    cell: Option<String>,
    /// The name of the case, or words that its group and label have.
    #[arg(long, value_name = "WORDS")]
    case: Option<String>,
    /// The name of the baseline, or words that it has.
    #[arg(long, value_name = "WORDS")]
    baseline: Option<String>,
    /// Board sizes, such as 6, or 5-7, or 4,6-8.
    #[arg(long, value_name = "SIZES")]
    size: Option<String>,
    /// The budget of a move, such as `100 sims` or `0.5 s`.
    #[arg(long)]
    budget: Option<String>,
    /// Games of the machines with this name, or of the machine with this id.
    #[arg(long, value_name = "NAME|ID")]
    worker: Option<String>,
    /// How the game ended for the case.
    #[arg(long, value_parser = word::<CaseResult>(&["win", "draw", "loss"]))]
    result: Option<CaseResult>,
    /// The winning shape.
    #[arg(long, value_parser = word::<WinKind>(&["fork", "bridge", "ring"]))]
    kind: Option<WinKind>,
    /// The side that the case played.
    #[arg(long, value_parser = word::<Side>(&["white", "black"]))]
    side: Option<Side>,
    /// Whether the play counts.
    #[arg(long, value_parser = word::<GameStatus>(&["counted", "superseded", "excluded"]))]
    status: Option<GameStatus>,
    /// At least so many moves, with those of the opening.
    #[arg(long, value_name = "MOVES", value_parser = whole(0..=1000_u32))]
    min_plies: Option<u32>,
    /// At most so many moves.
    #[arg(long, value_name = "MOVES", value_parser = whole(0..=1000_u32))]
    max_plies: Option<u32>,
    /// Lost against expectation: the loser once expected at least so many per cent, 70 or more.
    #[arg(long, value_name = "PERCENT", value_parser = whole(0..=100_u32))]
    min_expected: Option<u32>,
    /// Arrived within this time or since this date (UTC), for example 2h, 7d, 2026-08-01 or 2026-08-01T12:30.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<i64>,
    /// Arrived before this date (UTC), or longer ago than this time.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<i64>,
    /// The first moves of the opening, such as `c3 d4`.
    #[arg(long, value_name = "MOVES")]
    opening: Option<String>,
    /// The order [default: newest].
    #[arg(long, value_name = "ORDER", value_parser = word::<GameOrder>(&["newest", "oldest", "longest", "shortest", "surprising"]))]
    sort: Option<GameOrder>,
    /// So many games at most.
    #[arg(long, value_name = "GAMES", default_value_t = 100, conflicts_with = "all", value_parser = whole(1..=1_000_000_000_usize))]
    limit: usize,
    /// All games of the selection.
    #[arg(long)]
    all: bool,
}

/// A parser of words that the API has for a type.
fn word<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).map(|word| {
        serde_json::from_value(serde_json::Value::String(word)).expect("one of the words of the API")
    })
}

/// The games that a selection has.
#[derive(Debug)]
pub(super) struct SelectedGames {
    pub(super) games: Vec<FoundGame>,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

impl SelectionArgs {
    /// Finds the games, page by page.
    pub(super) async fn find(self, target: &Target) -> anyhow::Result<SelectedGames> {
        let at_most = if self.all { usize::MAX } else { self.limit };
        let mut search = GameSearch {
            experiment: self.experiment,
            cell: self.cell,
            case: self.case,
            baseline: self.baseline,
            size: self.size,
            budget: self.budget,
            worker: self.worker,
            result: self.result,
            kind: self.kind,
            side: self.side,
            status: self.status,
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            min_expected: self.min_expected,
            since_ms: self.since,
            until_ms: self.until,
            opening: self.opening,
            sort: self.sort.unwrap_or_default(),
            after: None,
            limit: None,
        };
        let mut games: Vec<FoundGame> = Vec::new();
        loop {
            search.limit = Some(PAGE.min(at_most - games.len()) as u32);
            let FoundGames { games: page, next, .. } = target.read(SearchGames, (), &search).await?;
            games.extend(page);
            search.after = next;
            if search.after.is_none() || games.len() >= at_most {
                return Ok(SelectedGames { games, is_cut: search.after.is_some() });
            }
        }
    }
}
