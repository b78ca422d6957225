//! The rules that the search relies on, as the traits [`Game`] and [`Policy`] state them: checked for any game, played with
//! Havannah on every board size.

use engine::havannah::{Board, BoardSize, Params};
use engine::rng::Rng;
use engine::search::{Game, MAX_SLOTS, ParamsOf, Policy, Winner, WinningMoves};
use engine::side::Side;

/// Plays a random game, and checks every position on the way.
fn check_random_game<G: Game>(start: &G, rng: &mut Rng) {
    let (mut game, mut to_move) = (start.clone(), start.to_move());
    let mut cannot_win = [false; 2];
    for played in 0.. {
        assert!(played <= start.slots(), "a game has no more moves than slots");
        check_open(&game);
        let Some(slot) = random_open(&game, rng) else { break };
        assert_eq!(game.to_move(), to_move, "sides alternate");
        check_winning_moves(&game);
        for side in Side::BOTH {
            cannot_win[side.index()] |= !game.could_win(side);
        }
        let (winner, line) = check_playout(&game, |game| game.rollout(rng));
        let mut end = game.clone();
        end.play_slots(line.into_iter());
        assert_eq!(end.winner(), Some(winner), "the moves of a playout lead to its end");
        let before = game.clone();
        game.play_slot(slot);
        assert!(!game.open().contains(slot), "a slot is filled once");
        check_winning_moves_only_shrink(&before, &game);
        to_move = to_move.other();
    }
    let winner = game.winner().expect("a position without an open slot is over");
    if let Some(side) = winner {
        assert!(!cannot_win[side.index()], "{side} won a game that it could not win");
    }
}

fn check_open<G: Game>(game: &G) {
    assert!((1..=MAX_SLOTS).contains(&game.slots()));
    if game.winner().is_none() {
        assert_eq!(game.open().len(), game.open_count());
    }
    assert!(game.open().iter().all(|slot| usize::from(slot) < game.slots()));
    assert_eq!(
        game.winner().is_some(),
        game.open().is_empty(),
        "a game is over when no slot is open, and only then"
    );
}

fn random_open<G: Game>(game: &G, rng: &mut Rng) -> Option<u16> {
    let open = game.open_count() as u32;
    if open == 0 { None } else { game.open().iter().nth(rng.below(open) as usize) }
}

/// The lowest and the highest winning move that a lookahead reports.
fn ends(moves: WinningMoves) -> Option<(u16, u16)> {
    match moves {
        WinningMoves::None => None,
        WinningMoves::One(slot) => Some((slot, slot)),
        WinningMoves::Several { first, last } => Some((first, last)),
    }
}

/// The winning moves of the side to move are those after which it has won.
fn check_winning_moves<G: Game>(game: &G) {
    let side = game.to_move();
    let wins = |slot: &u16| {
        let mut after = game.clone();
        after.play_slot(*slot);
        after.winner() == Some(Some(side))
    };
    let winning: Vec<u16> = game.open().iter().filter(wins).collect();
    let found = game.winning_moves(side);
    assert_eq!(ends(found), winning.first().copied().zip(winning.last().copied()));
    assert_eq!(matches!(found, WinningMoves::Several { .. }), winning.len() > 1);
}

/// A move never gives its opponent a winning move, as far as the two ends show.
fn check_winning_moves_only_shrink<G: Game>(before: &G, after: &G) {
    let opponent = before.to_move().other();
    if after.winner().is_some() {
        return;
    }
    if let Some((first, last)) = ends(after.winning_moves(opponent)) {
        let (least, most) = ends(before.winning_moves(opponent)).expect("no winning move is new");
        assert!(least <= first && last <= most);
    }
}

/// Plays a playout, and returns its winner and its moves: of open slots, each filled once, by alternating sides.
fn check_playout<G: Game>(game: &G, play_out: impl FnOnce(&mut G) -> Winner) -> (Winner, Vec<u16>) {
    let mut end = game.clone();
    let winner = play_out(&mut end);
    let (mut open, mut to_move, mut line) = (game.open(), game.to_move(), Vec::new());
    end.rollout_line(|side, slot| {
        assert_eq!(side, to_move);
        assert!(open.contains(slot), "slot {slot} after {} moves", line.len());
        open.remove(slot);
        line.push(slot);
        to_move = to_move.other();
    });
    (winner, line)
}

/// What knowledge adds is never negative and always a number, and playouts with replies are playouts. Their end may be
/// another than the game's: some ring rules count fewer rings.
fn check_policy<G: Game>(start: &G, params: &ParamsOf<G>, rng: &mut Rng) {
    let mut policy = G::Policy::new(params);
    policy.begin_search();
    let (mut game, mut last) = (start.clone(), None);
    while let Some(slot) = random_open(&game, rng) {
        let mut values = [f32::NAN; MAX_SLOTS];
        if policy.has_knowledge() {
            policy.knowledge(&game, last, &mut values);
            for slot in game.open().iter() {
                assert!(values[usize::from(slot)] >= 0.0, "{} for slot {slot}", values[usize::from(slot)]);
            }
        }
        if last.is_some() {
            check_playout(&game, |game| policy.rollout(game, last, 1, rng));
        }
        game.play_slot(slot);
        last = Some(slot);
    }
}

#[test]
fn havannah_keeps_the_contract_of_games() {
    for size in BoardSize::all() {
        let games = if size.get() <= 5 { 20 } else { 3 };
        for seed in 0..games {
            check_random_game(&Board::new(size), &mut Rng::new(seed));
        }
    }
}

#[test]
fn every_preset_keeps_the_contract_of_policies() {
    for size in [3, 4, 6].map(|size| BoardSize::new(size).expect("a size")) {
        for (seed, (name, _)) in Params::PRESETS.iter().enumerate() {
            let params = Params::preset(name).expect("a preset");
            check_policy(&Board::new(size), &params, &mut Rng::new(seed as u64));
        }
    }
}
