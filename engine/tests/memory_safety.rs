//! Calls that a contract forbids. A public function answers, refuses or panics, and reaches no memory but its own: `./test` runs
//! this file under AddressSanitizer, without debug assertions as in a release.

use engine::havannah::{Board, BoardSize, Cell, Heuristics, Outcome, Params, knowledge};
use engine::rng::Rng;
use engine::search::{
    Budget, BySlot, Game, MAX_SLOTS, Policy, Search, SearchParams, SlotSet, Winner, WinningMoves,
};
use engine::side::Side;
use std::cell::Cell as Flag;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local!(static EXPECTED: Flag<bool> = const { Flag::new(false) });

/// What a call returns, or `None` if it panics. The panic is not printed.
fn tried<T>(call: impl FnOnce() -> T) -> Option<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                print(info);
            }
        }));
    });
    let before = EXPECTED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call)).ok();
    EXPECTED.set(before);
    result
}

fn board(size: u8, slots: &[u16]) -> Board {
    let mut board = Board::new(BoardSize::new(size).expect("a size"));
    slots.iter().for_each(|&slot| board.play_slot(slot));
    board
}

fn params(changes: &[(&str, &str)]) -> Params {
    let mut params = Params::default();
    for (name, value) in [("memory_mib", "8")].iter().chain(changes) {
        params.set(name, &value.parse().expect("infallible")).expect("in range");
    }
    params
}

/// Every player of the tables, and some in which much meets.
fn players() -> Vec<Params> {
    let together = [
        &[][..],
        &[("rave_k", "0"), ("exploration", "0.9")],
        &[("keep_tree", "false"), ("mate_in_one", "9"), ("mate_in_one_compat", "level2"), ("lookahead", "0")],
        &[("last_good_reply", "lgrf"), ("vc_replies", "true"), ("locality", "5"), ("mate_in_one", "3")],
        &[
            ("mate_in_one", "9"),
            ("playout_compat", "published"),
            ("ring_compat", "published"),
            ("ring_size", "8"),
        ],
        &[
            ("rave_compat", "thesis2011"),
            ("last_good_reply", "lgr"),
            ("ring_permanent", "2"),
            ("lookahead", "1"),
        ],
        &[("widening", "1.5"), ("connectivity", "3"), ("rollouts", "3"), ("draw_detection", "true")],
        &[
            ("expand_visits", "0"),
            ("distance", "2"),
            ("group_size", "1"),
            ("maintain_vc", "9"),
            ("local_reply", "4"),
        ],
        &[("rave_probability", "0.5"), ("exploration", "0.3"), ("exploration_probability", "0.5")],
    ]
    .map(params);
    let of_tables = engine::bench::players().into_iter().map(|(_, mut params)| {
        params.search.memory_mib = params.search.memory_mib.min(8);
        params
    });
    together.into_iter().chain(of_tables).collect()
}

/// Everything that a position tells of itself.
fn told(board: &Board) -> (SlotSet, usize, Side, Option<Outcome>, Vec<Option<Side>>) {
    let owners = board.size().iter_cells().map(|cell| board.owner(cell)).collect();
    (board.open(), board.open_count(), board.to_move(), board.outcome(), owners)
}

#[test]
fn a_slot_that_is_not_open_is_refused_and_changes_nothing() {
    let mut board = board(3, &[0, 1]);
    let before = told(&board);
    for slot in [0, 1, 19, 31, 288, u16::MAX] {
        assert_eq!(tried(|| board.play_slot(slot)), None, "slot {slot}");
        assert_eq!(told(&board), before, "slot {slot}");
    }
    assert_eq!(tried(|| board.play_slots([2, 3, 2].into_iter())), None);
    assert_eq!(board.open_count(), 15, "the moves before the one refused are made");
}

#[test]
fn a_game_that_is_over_takes_no_move_and_no_rollout() {
    // White fills the top row from corner to corner.
    let won = board(3, &[0, 18, 1, 17, 2]);
    let mut rolled = board(3, &[]);
    rolled.rollout(&mut Rng::new(1));
    for over in [won, rolled] {
        let before = told(&over);
        assert!(before.3.is_some() && before.0.is_empty());
        for slot in 0..19 {
            assert_eq!(tried(|| over.clone().play_slot(slot)), None, "slot {slot}");
        }
        assert_eq!(tried(|| over.clone().rollout(&mut Rng::new(2))), None);
        for params in players() {
            let rolled = || Heuristics::new(&params).rollout(&mut over.clone(), None, 0, &mut Rng::new(2));
            assert_eq!(tried(rolled), None, "{:?}", params.differences());
        }
        // Only who has won could win.
        let winner = over.winner().expect("over");
        assert_eq!(Side::BOTH.map(|side| over.could_win(side)), Side::BOTH.map(|side| winner == Some(side)));
        assert_eq!(told(&over), before);
    }
}

#[test]
fn a_refused_move_leaves_the_search_unchanged() {
    for params in players() {
        let mut asked = Search::new(board(4, &[5, 6]), &params, 3);
        let mut alone = Search::new(board(4, &[5, 6]), &params, 3);
        for sims in [1, 200] {
            let (first, second) = (asked.think_on(Budget::Sims(sims)), alone.think_on(Budget::Sims(sims)));
            assert_eq!((first.slot, first.value, first.nodes), (second.slot, second.value, second.nodes));
            for slot in [5, 6, 37, 300, u16::MAX] {
                assert_eq!(tried(|| asked.advance(slot)), None);
            }
        }
    }
    let over = Search::new(board(3, &[0, 18, 1, 17, 2]), &params(&[]), 1);
    let mut over = over;
    assert_eq!(tried(|| over.advance(5)), None);
    assert!(tried(|| over.think(Budget::Sims(1))).is_none());
}

#[test]
fn a_copy_of_a_board_that_was_played_out_has_its_line() {
    let mut rolled = board(5, &[30, 7]);
    rolled.rollout(&mut Rng::new(4));
    let line = |board: &Board| {
        let mut line = Vec::new();
        board.rollout_line(|side, slot| line.push((side, slot)));
        line
    };
    let mut copy = board(5, &[]);
    copy.clone_from(&rolled);
    assert_eq!(line(&copy), line(&rolled));
    assert_eq!(line(&copy).len(), rolled.rollout_plies());
}

#[test]
fn a_board_whose_playout_panicked_is_over() {
    // A good reply learnt elsewhere is off this board.
    let mut policy = Heuristics::new(&params(&[("last_good_reply", "lgr")]));
    let mut line = Vec::new();
    for slot in 0..19 {
        line.extend([(Side::White, slot), (Side::Black, 270), (Side::Black, slot), (Side::White, 270)]);
    }
    policy.learn(&line, Side::White);
    policy.learn(&line, Side::Black);
    let mut board = board(3, &[9]);
    assert_eq!(tried(|| policy.rollout(&mut board, Some(9), 0, &mut Rng::new(1))), None);
    for slot in 0..19 {
        assert_eq!(tried(|| board.play_slot(slot)), None);
    }
    assert_eq!(tried(|| board.rollout(&mut Rng::new(1))), None);
}

/// One of the cells of all boards.
fn any_cell(rng: &mut Rng) -> Cell {
    BoardSize::MAX.iter_cells().nth(rng.below(271) as usize).expect("a cell")
}

/// An open slot three times in four; else anything.
fn any_slot(board: &Board, rng: &mut Rng) -> u16 {
    let open: Vec<u16> = board.open().iter().collect();
    match rng.below(8) {
        0 => rng.below(19) as u16,
        1 => [board.slots() as u16, 271, 287, 288, u16::MAX - 1, u16::MAX][rng.below(6) as usize],
        _ if open.is_empty() => rng.below(300) as u16,
        _ => open[rng.below(open.len() as u32) as usize],
    }
}

/// Calls something of a board, allowed or not.
fn call_board(boards: &mut [Board], policies: &mut [(Params, Heuristics)], rng: &mut Rng) {
    let (at, from) = (rng.below(boards.len() as u32) as usize, rng.below(boards.len() as u32) as usize);
    let other = boards[from].clone();
    let chosen = rng.below(policies.len() as u32) as usize;
    let (params, policy) = &mut policies[chosen];
    let board = &mut boards[at];
    let slot = any_slot(board, rng);
    let before = told(board);
    let refused = match rng.below(16) {
        0..4 => {
            let played = tried(|| board.play_slot(slot)).is_some();
            assert_eq!(played, slot < 288 && before.0.contains(slot), "slot {slot}");
            !played
        }
        4 => board.play(any_cell(rng)).is_err(),
        5 => {
            let slots = [slot, any_slot(&other, rng), any_slot(&other, rng)];
            tried(|| board.play_slots(slots.into_iter()));
            false
        }
        6 if rng.below(4) == 0 => tried(|| board.rollout(rng)).is_none(),
        7 if rng.below(4) == 0 => {
            let last = (rng.below(2) == 0).then(|| any_slot(&other, rng));
            let plies = rng.below(300) as usize;
            tried(|| policy.rollout(board, last, plies, rng));
            false
        }
        8 => {
            board.clone_from(&other);
            assert_eq!(told(board), told(&other));
            false
        }
        9 => {
            let mut values = [0.0; MAX_SLOTS];
            tried(|| policy.knowledge(board, Some(slot), &mut values));
            tried(|| knowledge(board, params, Some(any_cell(rng))));
            let line = [(Side::White, slot), (Side::Black, any_slot(&other, rng)), (Side::White, slot)];
            tried(|| policy.learn(&line, Side::BOTH[rng.below(2) as usize]));
            true
        }
        10 => {
            Heuristics::distances(board);
            policy.begin_search();
            true
        }
        11 => {
            let size = BoardSize::all().nth(rng.below(8) as usize).expect("a size");
            *board = Board::new(size);
            false
        }
        _ => {
            for side in Side::BOTH {
                let _ = (board.could_win(side), board.winning_moves(side));
            }
            board.rollout_line(|_, slot| assert!(usize::from(slot) < board.slots()));
            assert_eq!(board.legal_moves().count(), board.open().len());
            let cell = any_cell(rng);
            let _ = board.owner(cell);
            tried(|| board.size().position(cell));
            let _ = (board.rollout_plies(), board.plies());
            true
        }
    };
    if refused {
        assert_eq!(told(&boards[at]), before);
    }
}

fn written<G: Game>(search: &Search<G>) -> Vec<u8> {
    let mut bytes = Vec::new();
    search.snapshot(&mut bytes).expect("a vector takes everything");
    bytes
}

/// Calls something of a search, allowed or not.
fn call_search(search: &mut Search<Board>, snapshots: &mut Vec<Vec<u8>>, other: &Board, rng: &mut Rng) {
    let slot = any_slot(search.position(), rng);
    let open = search.position().open();
    match rng.below(10) {
        0..3 => {
            let played = tried(|| search.advance(slot)).is_some();
            assert_eq!(played, slot < 288 && open.contains(slot));
        }
        3 => drop(tried(|| search.advance(any_slot(other, rng)))),
        4 => {
            let sims = Budget::Sims(u64::from(rng.below(40)));
            assert_eq!(tried(|| search.think(sims)).is_some(), !open.is_empty());
        }
        5 => {
            let sims = Budget::Sims(u64::from(rng.below(40)));
            assert_eq!(tried(|| search.think_on(sims)).is_some(), !open.is_empty());
        }
        6 => snapshots.extend(tried(|| written(search))),
        7 if !snapshots.is_empty() => {
            let snapshot = &snapshots[rng.below(snapshots.len() as u32) as usize];
            let _ = search.restore(&mut &snapshot[..]);
            let _ = search.restore(&mut &snapshot[..rng.below(snapshot.len() as u32) as usize]);
        }
        _ => {
            let _ = search.children(&[slot, any_slot(other, rng)]);
            let _ = (search.principal_variation(), search.claim(), search.bytes(), search.nodes());
        }
    }
}

#[test]
fn calls_in_any_order_are_answered_or_refused() {
    let calls = 60_000;
    let mut rng = Rng::new(17);
    let players = players();
    let mut policies: Vec<_> =
        players.iter().map(|params| (params.clone(), Heuristics::new(params))).collect();
    let mut boards: Vec<Board> = BoardSize::all().map(Board::new).collect();
    let mut snapshots = Vec::new();
    let mut search = Search::new(Board::new(BoardSize::MIN), &players[0], 1);
    for call in 0..calls {
        call_board(&mut boards, &mut policies, &mut rng);
        if call % 8 == 0 {
            call_search(&mut search, &mut snapshots, &boards[rng.below(8) as usize], &mut rng);
        }
        if call % 400 == 0 {
            snapshots.clear();
            let params = &players[rng.below(players.len() as u32) as usize];
            let mut position = boards[rng.below(3) as usize].clone();
            if position.winner().is_some() {
                position = Board::new(position.size());
            }
            let last = (rng.below(2) == 0).then(|| any_slot(&position, &mut rng));
            search = match tried(|| Search::after(position.clone(), last, params, call)) {
                Some(search) => search,
                None => Search::new(position, params, call),
            };
        }
    }
}

/// A game whose answers keep no contract.
#[derive(Clone)]
struct Liar {
    rng: Rng,
    slots: usize,
    moves: u32,
}

impl Liar {
    fn new(slots: usize, seed: u64) -> Self {
        Self { rng: Rng::new(seed), slots, moves: 0 }
    }

    /// A number that depends on the question and on how far the game is.
    fn number(&self, question: u64, below: u32) -> u32 {
        Rng::stream(self.rng.clone().next_u64(), question + 64 * u64::from(self.moves)).below(below)
    }

    fn slot(&self, question: u64) -> u16 {
        [self.number(question, 20), self.number(question, 300), 287, 65_535][self.number(63, 4) as usize]
            as u16
    }
}

impl Game for Liar {
    type Policy = LyingPolicy;
    const MOVES_HELP_ONLY_THEIR_SIDE: bool = true;

    fn slots(&self) -> usize {
        self.slots
    }
    fn to_move(&self) -> Side {
        Side::BOTH[self.number(1, 2) as usize]
    }
    fn open(&self) -> SlotSet {
        let count = [0, 1, 20, 288][self.number(2, 4) as usize];
        (0..count).map(|_| 0).chain((0..count).map(|i| (i * 7 % 288) as u16)).collect()
    }
    fn open_count(&self) -> usize {
        [0, 1, 20, 288, 100_000][self.number(3, 5) as usize]
    }
    fn winner(&self) -> Option<Winner> {
        (self.number(4, 40) == 0).then_some(Some(Side::White))
    }
    fn play_slot(&mut self, _: u16) {
        self.moves += 1;
    }
    fn winning_moves(&self, side: Side) -> WinningMoves {
        match self.number(5 + side.index() as u64, 20) {
            0 => WinningMoves::One(self.slot(7)),
            1 => WinningMoves::Several { first: self.slot(8), last: self.slot(9) },
            _ => WinningMoves::None,
        }
    }
    fn could_win(&self, _: Side) -> bool {
        self.number(10, 2) == 0
    }
    fn rollout(&mut self, rng: &mut Rng) -> Winner {
        [None, Some(Side::White), Some(Side::Black)][rng.below(3) as usize]
    }
    fn rollout_line(&self, mut f: impl FnMut(Side, u16)) {
        let far = self.number(11, 30) == 0;
        (0..self.number(12, 400)).for_each(|i| {
            f(Side::BOTH[i as usize % 2], if far { self.slot(13) } else { (i % 19) as u16 });
        });
    }
}

/// Heuristics that keep no contract either.
struct LyingPolicy(Flag<u32>);

impl LyingPolicy {
    fn number(&self, below: u32) -> u32 {
        self.0.set(self.0.get() + 1);
        Rng::new(self.0.get().into()).below(below)
    }
}

impl Policy<Liar> for LyingPolicy {
    type Params = SearchParams;

    fn new(params: &SearchParams) -> Self {
        Self(Flag::new(params.expand_visits * 1000))
    }
    fn has_knowledge(&self) -> bool {
        self.number(2) == 0
    }
    fn knowledge(&mut self, _: &Liar, _: Option<u16>, values: &mut BySlot) {
        let value = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.5][self.number(5) as usize];
        values.fill(value);
    }
    fn learns(&self) -> bool {
        self.number(2) == 0
    }
}

#[test]
fn a_game_that_keeps_no_contract_reaches_no_memory_of_others() {
    let players = players();
    let (mut answered, mut refused) = (0, 0);
    for seed in 0..3_000 {
        let params = &players[seed as usize % players.len()];
        let slots = [1, 10, 19, 37, 61, 271, 288, 287][seed as usize / 16 % 8];
        let mut search = Search::new(Liar::new(slots, seed), &params.search, seed);
        for round in 0..12 {
            let known = match round % 3 {
                0 => tried(|| search.think_on(Budget::Sims(20))).map(|_| ()),
                1 => tried(|| search.advance(search.position().slot(14))),
                _ => tried(|| {
                    let snapshot = written(&search);
                    let _ = search.restore(&mut &snapshot[..]);
                    let _ = search.principal_variation();
                }),
            };
            *if known.is_some() { &mut answered } else { &mut refused } += 1;
        }
    }
    assert!(answered > 1_000 && refused > 1_000, "{answered} answered, {refused} refused");
}

#[test]
fn a_game_with_more_slots_than_there_may_be_is_refused() {
    for slots in [0, MAX_SLOTS + 1, 1 << 16, usize::MAX] {
        for params in players() {
            assert!(tried(|| Search::new(Liar::new(slots, 1), &params.search, 1)).is_none(), "{slots} slots");
        }
    }
}

#[test]
fn numbers_that_are_none_are_refused_or_survived() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 1e300] {
        let set: [fn(&mut Params, f64); 6] = [
            |params, number| params.search.exploration = number,
            |params, number| params.search.rave_k = number,
            |params, number| params.search.rave_k_per_empty = number,
            |params, number| params.search.fpu = number,
            |params, number| params.search.widening = number,
            |params, number| params.search.final_exploration = number,
        ];
        for set in set {
            for mut params in players() {
                set(&mut params, number);
                tried(|| Search::new(board(4, &[3]), &params, 1).think(Budget::Sims(60)));
            }
        }
    }
}
