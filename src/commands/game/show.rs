//! `gauntlet game show`: one game with everything that is stored of it.

use super::list::result;
use crate::commands::columns::aligned;
use crate::commands::print;
use crate::commands::target::TargetArgs;
use crate::commands::time::utc;
use engine::side::Side;
use protocol::browse::{GameView, ViewedMove};
use protocol::lease::ParamSet;
use protocol::prefix::IdPrefix;
use protocol::words::counted;

/// Shows a game: players, opening, moves with what the searches found, and the command that replays it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet game show 8b2f3c1e
  gauntlet game show 8b2f3c1e --json | jq '.moves[].case_value'")]
pub(crate) struct ShowArgs {
    /// The game's id or its first digits.
    game: String,
    /// The lease that the game was played under, or its first digits, when the game has several plays [default: that of the
    /// counted play].
    #[arg(long, value_name = "LEASE")]
    lease: Option<IdPrefix>,
    /// Print JSON, as in the API.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Prints the game.
pub(super) async fn run(args: ShowArgs) -> anyhow::Result<()> {
    let place = args.target.option();
    let target = args.target.open().await?;
    let view = async {
        let lease = super::whole(&target, &args.game, args.lease).await?;
        super::view(&target, &args.game, lease).await
    }
    .await;
    target.close().await;
    let view = view?;
    let lease = args.lease.map_or(String::new(), |_| format!(" --lease {}", view.game.lease));
    print(&if args.json {
        serde_json::to_string_pretty(&view)? + "\n"
    } else {
        text(&view, &(lease + &place))
    })
}

/// `place` are the options by which `game replay` finds the same play.
fn text(view: &GameView, place: &str) -> String {
    let GameView { game, opening, .. } = view;
    let mut out = format!("game {}\n\n", game.id);
    let mut line = |name: &str, words: &str| out += &format!("{name:<11} {words}\n");
    for experiment in &game.experiments {
        line("experiment", &experiment.name);
    }
    line(
        "board",
        &format!(
            "size {}, {} a move, pair {} of cell {}",
            game.size,
            game.budget.words(),
            game.pair,
            game.cell
        ),
    );
    for side in [Side::White, Side::Black] {
        let (role, name, params) = if side == game.case_side {
            ("case", &game.case, &view.case_params)
        } else {
            ("baseline", &game.baseline, &view.baseline_params)
        };
        line(&side.to_string(), &format!("the {role}, {name}: {}", settings(params)));
    }
    for parameter in &view.parameters {
        let (name, case, baseline) = (&parameter.name, &parameter.case, &parameter.baseline);
        line("", &format!("{name} is {case} for the case and {baseline} for the baseline"));
    }
    line("result", &format!("{} for the case after {}", result(game), counted(game.plies.into(), "move")));
    if !view.winning.is_empty() {
        line("", &format!("winning stones: {}", view.winning.join(" ")));
    }
    let reason = game.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
    line("status", &format!("{}{reason}", game.status));
    line("played", &format!("by {}, arrived {}", game.worker_name, utc(game.received_ms)));
    for other in &view.other_plays {
        line("also", &format!("{} by {} under lease {}", other.status, other.worker_name, other.lease));
    }
    line("opening", &if opening.is_empty() { "none".to_owned() } else { opening.join(" ") });
    match &view.moves {
        None => out += "\nThe moves were deleted to make room.\n",
        Some(moves) => {
            out += &format!("\n{}\n", table(moves, opening.len(), game.case_side));
            let other = if view.is_repeatable { "" } else { "   (other games than this build's)" };
            out += &format!("gauntlet game replay {}{place}{other}\n", game.id);
        }
    }
    out
}

/// A player's differences from the engine's defaults.
fn settings(params: &ParamSet) -> String {
    let words: Vec<String> = params.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if words.is_empty() { "the defaults".to_owned() } else { words.join(" ") }
}

const HEADINGS: [&str; 9] =
    ["player", "cell", "proved", "move", "side", "value", "simulations", "nodes", "seconds"];

/// The players' moves. The value is what the mover expects.
fn table(moves: &[ViewedMove], opening: usize, case_side: Side) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(moves.iter().enumerate().map(|(index, played)| {
        let ply = opening + index;
        let side = Side::to_move_after(ply);
        let player = if side == case_side { "case" } else { "baseline" };
        let claim = played.claim.to_string();
        [
            player.to_owned(),
            played.cell.clone(),
            if claim == "none" { String::new() } else { claim },
            (ply + 1).to_string(),
            side.to_string(),
            format!("{:.1} %", 100.0 * played.value),
            played.sims.to_string(),
            played.nodes.to_string(),
            format!("{:.3}", played.cpu_us as f64 / 1e6),
        ]
    }));
    aligned(&rows, 3)
}
