//! Snapshots that somebody has changed. The checksum around a snapshot on disk is below notice here: whoever changes the bytes
//! computes it again. What [`Search::restore`] accepts may be no truthful search, but it is searched on without a panic, an end
//! to be waited for in vain, or a look at foreign memory (`./test` runs this file under AddressSanitizer).

use engine::havannah::{Board, BoardSize, Cell, Notation, Params};
use engine::rng::Rng;
use engine::search::{Budget, Game, Search};
use rayon::prelude::*;

/// Changed snapshots of every kind.
const CHANGES: u64 = 200;

/// A search that is written down after its own move, and perhaps the expected reply.
struct Kind {
    name: &'static str,
    size: u8,
    moves: &'static str,
    sims: u64,
    replies: usize,
    params: &'static [(&'static str, &'static str)],
}

const KINDS: &[Kind] = &[
    Kind { name: "uct", size: 5, moves: "", sims: 3000, replies: 1, params: UCT },
    Kind { name: "rave", size: 5, moves: "c3", sims: 3000, replies: 1, params: &[] },
    Kind { name: "wide counters", size: 3, moves: "", sims: 9000, replies: 0, params: &[("rollouts", "20")] },
    Kind { name: "solved", size: 4, moves: "b1 d2 a2 e4", sims: 20_000, replies: 1, params: &[] },
    Kind { name: "solved uct", size: 3, moves: "c3 a1 b2", sims: 2000, replies: 0, params: UCT },
    Kind {
        name: "full",
        size: 5,
        moves: "",
        sims: 12_000,
        replies: 0,
        params: &[("memory_mib", "1"), ("expand_visits", "0")],
    },
    Kind {
        name: "bounds",
        size: 3,
        moves: "b1 a2 a3 c3 c4 b2 e4 e3 c2",
        sims: 400,
        replies: 1,
        params: &[("draw_detection", "true"), ("lookahead", "1"), ("rave_k", "0"), ("exploration", "0.9")],
    },
    Kind {
        name: "everything",
        size: 4,
        moves: "d4",
        sims: 2500,
        replies: 1,
        params: &[("exploration", "0.4"), ("locality", "5"), ("widening", "1.4"), ("last_good_reply", "lgr")],
    },
    Kind {
        name: "thesis",
        size: 4,
        moves: "d4",
        sims: 1500,
        replies: 1,
        params: &[("rave_compat", "thesis2011"), ("rave_probability", "0.7"), ("final_move", "value")],
    },
    Kind { name: "no lookahead", size: 3, moves: "", sims: 2500, replies: 1, params: &[("lookahead", "0")] },
    Kind { name: "empty", size: 4, moves: "d4", sims: 10, replies: 0, params: &[("keep_tree", "false")] },
];

const UCT: &[(&str, &str)] = &[("rave_k", "0"), ("exploration", "0.9")];

impl Kind {
    fn params(&self) -> Params {
        let mut params = Params::default();
        for (name, value) in [("memory_mib", "16")].iter().chain(self.params) {
            params.set(name, &value.parse().expect("infallible")).expect("in range");
        }
        params
    }

    /// The search between two moves.
    fn search(&self) -> Search<Board> {
        let size = BoardSize::new(self.size).expect("a size");
        let moves: Vec<Cell> = Notation::Gui.read_list(size, self.moves).expect("cells");
        let mut search = Search::new(Board::after(size, &moves).expect("legal"), &self.params(), 7);
        for _ in 0..=self.replies {
            let slot = search.think(Budget::Sims(self.sims)).slot;
            search.advance(slot);
        }
        assert!(search.position().winner().is_none(), "{} goes on", self.name);
        search
    }
}

fn written(search: &Search<Board>) -> Vec<u8> {
    let mut bytes = Vec::new();
    search.snapshot(&mut bytes).expect("a vector takes everything");
    bytes
}

/// The words of a snapshot, and where its nodes are: the first word and the words of each.
struct Words {
    words: Vec<u32>,
    nodes: (usize, usize, usize),
}

impl Words {
    fn of(search: &Search<Board>) -> Self {
        let bytes = written(search);
        let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        // The random stream, the open slots, three words about the root, the thesis' list and its length.
        let list = 2 + 1 + words[2] as usize + 3;
        let records = list + 1 + words[list] as usize + 1;
        let (length, count) = (words[records] as usize, search.nodes() as usize);
        Self { nodes: (records + 1, count, length / count.max(1)), words }
    }

    fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Changes a word: of a node's head, of its record, or any.
    fn change(&mut self, rng: &mut Rng) {
        let (from, count, length) = self.nodes;
        let pick = |rng: &mut Rng, below: usize| rng.below(below.max(1) as u32) as usize;
        let of_node = count > 0 && rng.below(5) > 0;
        let (at, other) = if of_node {
            let word = if rng.below(2) == 0 { pick(rng, 7) } else { pick(rng, length) };
            (from + length * pick(rng, count) + word, from + length * pick(rng, count) + word)
        } else {
            (pick(rng, self.words.len()), pick(rng, self.words.len()))
        };
        let word = self.words[at];
        self.words[at] = match rng.below(9) {
            0 => word ^ 1 << rng.below(32),
            1 => word.wrapping_add(1),
            2 => word.wrapping_sub(1),
            3 => [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0xffff, 0xfffe_fffe][pick(rng, 7)],
            4 => rng.below(count as u32 + 2),
            5 => word & 0xffff | rng.below(300) << 16,
            6 => word & 0xffff_0000 | rng.below(300),
            7 => f32::NAN.to_bits() ^ rng.below(2) << 31,
            _ => self.words[other],
        };
    }
}

/// Searches on, as players do: through moves, a full tree, and another snapshot.
fn search_on(search: &mut Search<Board>) {
    while search.position().winner().is_none() {
        let thought = search.think(Budget::Sims(150));
        let line = search.principal_variation();
        let _ = search.children(&line[..line.len() / 2]);
        assert!(search.position().open().contains(thought.slot));
        search.advance(thought.slot);
        let mind = written(search);
        search.restore(&mut &mind[..]).expect("what a search writes down it takes up again");
        assert!(written(search) == mind, "and writes down again");
        if thought.nodes < 30 {
            break;
        }
    }
}

#[test]
fn changed_snapshots_are_refused_or_searched_on() {
    KINDS.par_iter().enumerate().for_each(|(number, kind)| {
        let mut rng = Rng::stream(5, number as u64);
        let original = kind.search();
        let words = Words::of(&original);
        let (params, position) = (kind.params(), original.position());
        let (mut accepted, mut refused) = (0, 0);
        for change in 0..CHANGES {
            let mut changed = Words { words: words.words.clone(), ..words };
            for _ in 0..=rng.below(3) {
                changed.change(&mut rng);
            }
            let mut search = Search::new(position.clone(), &params, change);
            match search.restore(&mut &changed.bytes()[..]) {
                Ok(()) => {
                    accepted += 1;
                    search_on(&mut search);
                }
                Err(_) => {
                    refused += 1;
                    assert_eq!(search.nodes(), 0, "a search that was refused is as it was");
                }
            }
        }
        assert!(accepted > 5 && refused > 20, "{}: {accepted} accepted, {refused} refused", kind.name);
    });
}

#[test]
fn a_solved_node_is_known_to_its_parent() {
    for kind in KINDS.iter().filter(|kind| ["uct", "rave"].contains(&kind.name)) {
        let original = kind.search();
        let (words, position) = (Words::of(&original), original.position());
        let (from, count, length) = words.nodes;
        let taken = (0..position.slots() as u32).find(|&slot| !position.open().contains(slot as u16));
        for node in (1..count).step_by(count / 100 + 1) {
            let head = from + node * length;
            for (at, word) in [
                (6, words.words[head + 6] & 0xff00_ffff | 6 << 16),
                (2, 0xffff | taken.expect("moves were made") << 16),
                (2, 0xffff | 0xffff << 16),
            ] {
                let mut changed = Words { words: words.words.clone(), ..words };
                changed.words[head + at] = word;
                // A move there that is none, too, where nobody would look at it.
                changed.words[head + 2] =
                    if at == 6 { 0xffff | taken.expect("moves were made") << 16 } else { word };
                let mut search = Search::new(position.clone(), &kind.params(), 1);
                let restored = search.restore(&mut &changed.bytes()[..]);
                if restored.is_ok() {
                    search_on(&mut search);
                }
                assert!(restored.is_err(), "{}: word {at} of node {node} is {word:x}", kind.name);
            }
        }
    }
}

#[test]
fn memory_of_one_node_is_not_that_of_another() {
    for (name, place) in [("rave", 4), ("solved", 4), ("full", 4), ("wide counters", 5), ("thesis", 5)] {
        let kind = KINDS.iter().find(|kind| kind.name == name).expect("a kind");
        let original = kind.search();
        let words = Words::of(&original);
        let (from, count, length) = words.nodes;
        let at = |node: usize| from + node * length + place;
        // What begins at 0 may be nothing.
        let outgrown: Vec<usize> = (0..count).filter(|&node| words.words[at(node)] > 0).take(20).collect();
        assert!(outgrown.len() > 1, "{name}");
        for (i, &node) in outgrown.iter().enumerate() {
            for &other in &outgrown[..i] {
                let mut changed = Words { words: words.words.clone(), ..words };
                changed.words[at(node)] = words.words[at(other)];
                let mut search = Search::new(original.position().clone(), &kind.params(), 1);
                assert!(
                    search.restore(&mut &changed.bytes()[..]).is_err(),
                    "{name}: nodes {node} and {other}"
                );
            }
        }
    }
}

#[test]
fn the_kinds_are_what_they_are_called() {
    let nodes = |name: &str| {
        let kind = KINDS.iter().find(|kind| kind.name == name).expect("a kind");
        let search = kind.search();
        let words = Words::of(&search);
        let (from, count, length) = words.nodes;
        let heads = (0..count).map(|node| words.words[from + node * length + 6].to_ne_bytes());
        (search.bytes(), heads.map(|[.., proof, width]| (proof, width)).collect::<Vec<_>>())
    };
    let some = |name, wanted: fn((u8, u8)) -> bool| {
        assert!(nodes(name).1.iter().any(|&head| wanted(head)), "{name}");
    };
    some("solved", |(proof, _)| proof >= 4);
    some("solved uct", |(proof, _)| proof >= 4);
    some("bounds", |(proof, _)| proof == 1 || proof == 2);
    some("wide counters", |(_, width)| width == 1);
    some("thesis", |(_, width)| width == 2);
    let (bytes, _) = nodes("full");
    assert!(bytes > 100 << 10, "{bytes} bytes of a MiB are in use");
    assert!(nodes("empty").1.is_empty());
}
