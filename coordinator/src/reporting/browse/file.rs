//! A stored game as a game file, for programs that show and analyse games.

use super::super::parameters::of_players;
use super::about::{CellNameCache, is_of_case};
use super::view::{about, moves};
use crate::error::CoordinatorError;
use crate::pairs::opening;
use crate::store::{GameRow, Tx};
use engine::sgf::{Dialect, GameFile, Move, Node, Property};
use engine::side::Side;

/// The text of the game file: in GUI numbering, with what the players' searches found as comments.
pub(crate) async fn file(tx: &mut Tx, chosen: &GameRow) -> Result<String, CoordinatorError> {
    let (play, spec) = (&chosen.row.play, &chosen.spec);
    let Some(moves) = moves(chosen)? else { return Err(CoordinatorError::Dropped(play.id)) };
    let mut cells = CellNameCache::default();
    let about = about(tx, &mut cells, play.id, chosen).await?;
    let (case, baseline) = (about.case(), about.baseline());
    let mut file = GameFile::new(spec.size);
    file.set_info("AP", concat!("Gauntlet:", env!("CARGO_PKG_VERSION")));
    file.set_info("GN", &play.id.to_string());
    if let Some(experiment) = about.experiments().first() {
        file.set_info("EV", &experiment.name);
    }
    let (white, black) = if play.case_side == Side::White { (&case, &baseline) } else { (&baseline, &case) };
    file.set_info("PW", white);
    file.set_info("PB", black);
    file.set_info("RE", &verdict(play.outcome.winner(), play.outcome.kind().map(|kind| kind.to_string())));
    let differences: Vec<String> = of_players(spec)
        .into_iter()
        .map(|parameter| format!("{}: {} against {}", parameter.name, parameter.case, parameter.baseline))
        .collect();
    file.set_info(
        "C",
        &format!(
            "{case} against {baseline}, {} a move, pair {}. {}",
            spec.budget,
            play.idx,
            differences.join("; ")
        ),
    );
    let begun = opening(spec, play.idx);
    let opening = begun.iter().map(|&cell| (cell, "opening".to_owned()));
    let played = moves.iter().enumerate().map(|(index, played)| {
        let who = if is_of_case(play.case_side, begun.len() + index) { &case } else { &baseline };
        let remark = format!(
            "{who}: {:.1} %, {} simulations, {} nodes, {:.3} s",
            100.0 * played.value,
            played.sims,
            played.nodes,
            played.cpu.as_secs_f64()
        );
        (played.cell, remark)
    });
    file.line.nodes = opening
        .chain(played)
        .enumerate()
        .map(|(ply, (cell, remark))| Node {
            turn: Some((Side::to_move_after(ply), Move::Stone(cell))),
            remarks: Property::new("C", remark).into_iter().collect(),
        })
        .collect();
    Ok(file.write(Dialect::Own))
}

fn verdict(winner: Option<Side>, kind: Option<String>) -> String {
    match winner {
        None => "Draw".to_owned(),
        Some(winner) => {
            format!("{}+{}", if winner == Side::White { "W" } else { "B" }, kind.unwrap_or_default())
        }
    }
}
