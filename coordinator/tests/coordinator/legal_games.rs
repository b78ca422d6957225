//! Random legal games, as a machine reports them.

use engine::havannah::{Board, BoardSize, Notation};
use engine::search::ProvenOutcome;
use protocol::lease::{Budget, Lease, LeasedGame, reference_speed};
use protocol::result::{FinishedGame, MoveColumns, Speed};

/// SplitMix64: the tests' own random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

pub(crate) fn speed(size: BoardSize) -> Speed {
    Speed { size, sims_per_s: reference_speed(size), factor: 1.0, drift: 1.0 }
}

/// Plays a leased game to its end with random legal moves.
pub(crate) fn play(lease: &Lease, game: LeasedGame, seed: u64) -> FinishedGame {
    let mut random = Random(seed);
    let opening = Notation::Gui.read_list(lease.size, &lease.opening).expect("an opening");
    let mut board = Board::after(lease.size, &opening).expect("a legal opening");
    let mut moves = Vec::new();
    while board.outcome().is_none() {
        let legal: Vec<_> = board.legal_moves().collect();
        let cell = legal[random.below(legal.len())];
        board.play(cell).expect("a legal move");
        moves.push(cell);
    }
    let (sims, cpu_us) = match lease.budget {
        Budget::Sims(sims) => (sims, 1_000),
        Budget::ReferenceSeconds(seconds) => {
            ((seconds * reference_speed(lease.size)).max(1.0) as u64, (seconds * 1e6) as u64)
        }
    };
    FinishedGame {
        game: game.id,
        lease: lease.id,
        outcome: board.outcome().expect("over"),
        record: MoveColumns {
            moves: Notation::Gui.write_list(lease.size, &moves),
            value: vec![0.5; moves.len()],
            claim: vec![ProvenOutcome::Unknown; moves.len()],
            sims: vec![sims; moves.len()],
            nodes: vec![40; moves.len()],
            cpu_us: vec![cpu_us; moves.len()],
        },
        speed: speed(lease.size),
        move_cpu_us: match lease.budget {
            Budget::Sims(_) => None,
            Budget::ReferenceSeconds(seconds) => Some((seconds * 1e6) as u64),
        },
        wall_ms: 30,
    }
}
