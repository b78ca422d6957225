//! The search against a naive one, written from the definition of a simulation alone: every child is a child from the
//! start, every choice looks at all of them, nothing is cached. Both draw the same random numbers, so that after any
//! number of simulations their trees must be the same.

use engine::bench;
use engine::havannah::{Board, BoardSize, Heuristics, Notation, Params};
use engine::rng::Rng;
use engine::search::{Budget, Game, MAX_SLOTS, Policy, ProvenOutcome, Search, SearchParams, WinningMoves};
use engine::side::Side;
use rayon::prelude::*;

/// How a game ends for certain: who wins, or nobody.
type Outcome = Option<Side>;

struct Child {
    slot: u16,
    n: u32,
    half_points: u32,
    outcome: Option<Outcome>,
    node: Option<Box<Node>>,
}

struct Node {
    n: u32,
    children: Vec<Child>,
    /// Playouts and wins by slot.
    rave: Vec<[u32; 2]>,
    knowledge: Vec<f32>,
}

enum Expanded {
    Node(Node),
    Proven(Outcome),
}

struct Naive {
    params: Params,
    position: Board,
    last: Option<u16>,
    root: Option<Node>,
    /// Playouts of the root when it becomes a node.
    playouts: u32,
    outcome: Option<Outcome>,
    policy: Heuristics,
    rng: Rng,
}

/// What a simulation brings home.
#[derive(Default)]
struct Result {
    wins: [u32; 2],
    draws: u32,
    /// By side and slot: playouts and wins.
    credit: Vec<[[u32; 2]; 2]>,
    credited: bool,
    /// What the subtree has come to.
    proved: Option<Outcome>,
}

impl Result {
    fn new() -> Self {
        Self { credit: vec![[[0; 2]; 2]; MAX_SLOTS], ..Self::default() }
    }

    fn count(&mut self, outcome: Outcome, line: &[(Side, u16)]) {
        let Some(winner) = outcome else {
            self.draws += 1;
            return;
        };
        self.wins[winner.index()] += 1;
        self.credited = true;
        for &(side, slot) in line {
            let [playouts, wins] = &mut self.credit[usize::from(slot)][side.index()];
            *playouts += 1;
            *wins += u32::from(side == winner);
        }
    }

    fn playouts(&self) -> u32 {
        self.wins[0] + self.wins[1] + self.draws
    }
}

/// RAVE and exploration as a simulation uses them.
#[derive(Clone, Copy)]
struct Terms {
    rave: bool,
    exploration: f32,
}

impl Naive {
    fn new(position: Board, last: Option<u16>, params: &Params, seed: u64) -> Self {
        let mut policy = Heuristics::new(params);
        policy.begin_search();
        Self {
            params: params.clone(),
            position,
            last,
            root: None,
            playouts: params.search.expand_visits + 1,
            outcome: None,
            policy,
            rng: Rng::new(seed),
        }
    }

    /// Plays a move that is not solved. The new root gets the wins of any root on top of its playouts.
    fn advance(&mut self, slot: u16) {
        let root = self.root.take().filter(|_| self.params.search.keep_tree);
        let child = root.and_then(|root| root.children.into_iter().find(|child| child.slot == slot));
        self.playouts = self.params.search.expand_visits + 1;
        if let Some(child) = child {
            self.playouts += child.n;
            self.root = child.node.map(|node| Node { n: self.playouts, ..*node });
        }
        self.position.play_slot(slot);
        self.last = Some(slot);
    }

    fn happens(&mut self, probability: f64) -> bool {
        match probability {
            0.0 => false,
            1.0 => true,
            _ => ((self.rng.next_u64() >> 11) as f64) < probability * 9_007_199_254_740_992.0,
        }
    }

    fn uses_rave(&self) -> bool {
        self.params.search.rave_k > 0.1
    }

    fn simulate(&mut self) {
        let (c, random) = (self.params.search.exploration as f32, &self.params);
        let differ = (self.uses_rave() && random.search.rave_probability < 1.0)
            || (c > 0.0 && random.search.exploration_probability < 1.0);
        let mut terms = Terms { rave: self.uses_rave(), exploration: c };
        if differ {
            terms.rave &= self.happens(self.params.search.rave_probability);
            terms.exploration =
                if self.happens(self.params.search.exploration_probability) { c } else { 0.0 };
        }
        let mut root = match self.root.take() {
            Some(root) => root,
            None => match self.expand(&self.position.clone(), self.last, self.playouts) {
                Expanded::Node(root) => root,
                Expanded::Proven(outcome) => {
                    self.outcome = Some(outcome);
                    return;
                }
            },
        };
        root.n += 1;
        let result = self.visit(&mut root, &mut self.position.clone(), &mut Vec::new(), terms);
        self.outcome = result.proved;
        self.root = Some(root);
    }

    fn expand(&mut self, board: &Board, last: Option<u16>, n: u32) -> Expanded {
        let mover = board.to_move();
        let mut open: Vec<u16> = board.open().iter().collect();
        if self.params.search.lookahead >= 1 {
            if board.winning_moves(mover) != WinningMoves::None {
                return Expanded::Proven(Some(mover));
            }
            if open.len() == 1 {
                return Expanded::Proven(None);
            }
        }
        let mut virtual_wins = 0;
        if self.params.search.lookahead == 2 {
            match board.winning_moves(mover.other()) {
                WinningMoves::None => {}
                WinningMoves::One(slot) => {
                    (open, virtual_wins) = (vec![slot], self.params.search.expand_visits)
                }
                WinningMoves::Several { .. } => return Expanded::Proven(Some(mover.other())),
            }
        }
        let mut knowledge = [0.0; MAX_SLOTS];
        if self.policy.has_knowledge() {
            self.policy.knowledge(board, last, &mut knowledge);
        }
        let child =
            |slot| Child { slot, n: virtual_wins, half_points: 2 * virtual_wins, outcome: None, node: None };
        Expanded::Node(Node {
            n,
            children: open.into_iter().map(child).collect(),
            rave: vec![[0; 2]; MAX_SLOTS],
            knowledge: knowledge.to_vec(),
        })
    }

    /// From a node, which has counted this visit, to the leaf and back.
    fn visit(
        &mut self,
        node: &mut Node,
        board: &mut Board,
        path: &mut Vec<(Side, u16)>,
        terms: Terms,
    ) -> Result {
        let (mover, open) = (board.to_move(), board.open_count());
        let k = (self.params.search.rave_k + self.params.search.rave_k_per_empty * open as f64) as f32;
        let chosen = self.choose(node, mover, if terms.rave { k } else { 0.0 }, terms.exploration);
        let child = &mut node.children[chosen];
        path.push((mover, child.slot));
        board.play_slot(child.slot);
        let mut result = match &mut child.node {
            Some(below) => {
                below.n += 1;
                self.visit(below, board, path, terms)
            }
            None => self.leaf(child, board, path, terms),
        };
        path.pop();

        let playouts = result.playouts();
        node.n += playouts - 1;
        let child = &mut node.children[chosen];
        child.n += playouts;
        child.half_points += 2 * result.wins[mover.index()] + result.draws;
        if let Some(outcome) = result.proved {
            child.outcome = Some(outcome);
            result.proved = if outcome == Some(mover) {
                Some(outcome)
            } else if node.children.iter().any(|child| child.outcome.is_none()) {
                None
            } else if node.children.iter().any(|child| child.outcome == Some(None)) {
                Some(None)
            } else {
                Some(Some(mover.other()))
            };
        }
        let updates = self.uses_rave() && result.credited && node.children.len() > 1;
        if result.proved.is_none() && updates && 50.0 * open as f32 * k > node.n as f32 {
            for child in &node.children {
                let slot = usize::from(child.slot);
                let [playouts, wins] = result.credit[slot][mover.index()];
                node.rave[slot][0] += playouts;
                node.rave[slot][1] += wins;
            }
        }
        result
    }

    fn leaf(
        &mut self,
        child: &mut Child,
        board: &mut Board,
        path: &mut Vec<(Side, u16)>,
        terms: Terms,
    ) -> Result {
        let mut result = Result::new();
        let last = Some(child.slot);
        if let Some(outcome) = board.winner() {
            result.count(outcome, path);
            return result;
        }
        if child.n + 1 > self.params.search.expand_visits {
            match self.expand(board, last, child.n + 1) {
                Expanded::Node(node) => {
                    let node = child.node.insert(Box::new(node));
                    return self.visit(node, board, path, terms);
                }
                Expanded::Proven(outcome) => {
                    result.count(outcome, path);
                    result.proved = Some(outcome);
                    return result;
                }
            }
        }
        for _ in 0..self.params.search.rollouts {
            let mut end = board.clone();
            let winner = self.policy.rollout(&mut end, last, path.len(), &mut self.rng);
            let mut line = path.clone();
            end.rollout_line(|side, slot| line.push((side, slot)));
            result.count(winner, &line);
            if let (true, Some(winner)) = (self.policy.learns(), winner) {
                self.policy.learn(&line, winner);
            }
        }
        result
    }

    /// The child of the highest value, of equal values the first.
    fn choose(&self, node: &Node, mover: Side, k: f32, c: f32) -> usize {
        let exploration = if c > 0.0 { c * libm::logf(node.n as f32).sqrt() } else { 0.0 };
        let mut candidates: Vec<usize> = (0..node.children.len()).collect();
        if self.params.search.widening > 1.0 {
            let width = 2 + (libm::log(f64::from(node.n)) / libm::log(self.params.search.widening)) as usize;
            candidates.retain(|&i| node.children[i].outcome.is_none());
            let knowledge = |i: &usize| node.knowledge[usize::from(node.children[*i].slot)];
            candidates.sort_by(|a, b| knowledge(b).total_cmp(&knowledge(a)));
            candidates.truncate(width);
            candidates.sort_unstable();
        }
        let mut best = (f32::NEG_INFINITY, usize::MAX);
        for i in candidates {
            let value = self.value(node, &node.children[i], mover, k, exploration);
            if value > best.0 {
                best = (value, i);
            }
        }
        best.1
    }

    /// Terms in the order in which the search adds them, as sums of rounded numbers depend on it.
    fn value(&self, node: &Node, child: &Child, mover: Side, k: f32, exploration: f32) -> f32 {
        let slot = usize::from(child.slot);
        match child.outcome {
            Some(Some(side)) if side == mover => return f32::INFINITY,
            Some(Some(_)) => return -2.0,
            Some(None) => return -1.0,
            None => {}
        }
        let [playouts, wins] = node.rave[slot];
        let rave = if playouts > 0 { wins as f32 / playouts as f32 } else { 0.0 };
        let knowledge = node.knowledge[slot];
        let n = child.n as f32;
        if child.n == 0 {
            let urgency = if k > 0.0 && playouts > 0 { rave } else { self.params.search.fpu as f32 };
            return urgency + exploration + knowledge;
        }
        let knowledge = if child.n < 1000 { knowledge / n.sqrt() } else { 0.0 };
        let points = child.half_points as f32 * 0.5;
        // k playouts more, worth the RAVE mean.
        let mean = if k > 0.0 { (points + k * rave) / (n + k) } else { points / n };
        mean + exploration * (1.0 / (n + 1.0).sqrt()) + knowledge
    }
}

/// Every visited child below a node of the search, with its path: playouts, mean and outcome.
type Trail = Vec<(Vec<u16>, u32, u32, ProvenOutcome)>;

fn claim(outcome: Option<Outcome>) -> ProvenOutcome {
    match outcome {
        None => ProvenOutcome::Unknown,
        Some(None) => ProvenOutcome::Draw,
        Some(Some(Side::White)) => ProvenOutcome::Win,
        Some(Some(Side::Black)) => ProvenOutcome::Loss,
    }
}

fn naive_trail(node: &Node, path: &[u16], trail: &mut Trail) {
    for child in node.children.iter().filter(|child| child.n > 0) {
        let path = [path, &[child.slot]].concat();
        let mean = child.half_points as f32 / (2.0 * child.n as f32);
        // The mean of a solved child is that of its outcome.
        let mean = if child.outcome.is_none() { mean.to_bits() } else { 0 };
        trail.push((path.clone(), child.n, mean, claim(child.outcome)));
        if let (Some(below), None) = (&child.node, child.outcome) {
            naive_trail(below, &path, trail);
        }
    }
}

fn trail(search: &Search<Board>, path: &[u16], trail_so_far: &mut Trail) {
    let mut children = search.children(path);
    children.sort_by_key(|child| child.slot);
    for child in children {
        let path = [path, &[child.slot]].concat();
        let mean = if child.claim == ProvenOutcome::Unknown { child.value.to_bits() } else { 0 };
        trail_so_far.push((path.clone(), child.playouts, mean, child.claim));
        if child.claim == ProvenOutcome::Unknown {
            trail(search, &path, trail_so_far);
        }
    }
}

/// Searches a position both ways and compares the trees now and then.
fn compare(size: u8, moves: &str, (player, params): &(String, Params), sims: u64) {
    let size = BoardSize::new(size).expect("a size");
    let cells = Notation::Gui.read_list(size, moves).expect("cells");
    let board = Board::after(size, &cells).expect("legal");
    let last = cells.last().map(|cell| cell.index() as u16);
    let mut naive = Naive::new(board.clone(), last, params, 11);
    let mut search = Search::after(board, last, params, 11);
    let mut made = 0;
    for (i, step) in [1, 1, 8, 30, 160, 800, 3000].into_iter().take_while(|step| *step <= sims).enumerate() {
        if i >= 4 {
            // A move on, to a large kept tree. Then another one: the best, or one that was hardly looked at.
            for best in [true, i % 2 == 0] {
                let mut open = search.children(&[]);
                open.retain(|child| child.claim == ProvenOutcome::Unknown);
                let Some(child) = (if best { open.first() } else { open.last() }) else { return };
                naive.advance(child.slot);
                search.advance(child.slot);
                if naive.position.winner().is_some() {
                    return;
                }
            }
        }
        let sims = search.think_on(Budget::Sims(step)).sims;
        for _ in 0..sims {
            naive.simulate();
        }
        made += sims;
        let label = || format!("{player} after {moves:?}, move {i} and {made} simulations");
        assert_eq!(search.claim(), claim(naive.outcome), "{}", label());
        let (mut expected, mut actual) = (Trail::new(), Trail::new());
        if let Some(root) = &naive.root {
            naive_trail(root, &[], &mut expected);
        }
        trail(&search, &[], &mut actual);
        let difference = expected.iter().zip(&actual).find(|(expected, actual)| expected != actual);
        assert_eq!(difference, None, "{}: expected, actual", label());
        assert_eq!(expected.len(), actual.len(), "{}", label());
        if naive.outcome.is_some() {
            return;
        }
    }
}

/// These players, and those of the tables that differ from the default in heuristics alone: this search has them from the
/// engine.
fn players() -> Vec<(String, Params)> {
    let listed = PLAYERS.iter().map(|settings| {
        let mut params = Params::default();
        for (name, value) in *settings {
            params.set(name, &value.parse().expect("any text is a value")).expect(name);
        }
        (format!("{settings:?}"), params)
    });
    let heuristics =
        bench::players().into_iter().filter(|(_, params)| params.search == SearchParams::default());
    listed.chain(heuristics).collect()
}

const PLAYERS: &[&[(&str, &str)]] = &[
    &[],
    &[("rave_k", "0"), ("exploration", "0.9")],
    &[("rave_k", "0"), ("exploration", "0.9"), ("fpu", "0.5"), ("rollouts", "3")],
    &[("rave_k", "0"), ("exploration", "0"), ("fpu", "1.1")],
    &[("rave_k", "20"), ("rave_k_per_empty", "2"), ("exploration", "0.3"), ("rollouts", "2")],
    // The updates of RAVE end within the search.
    &[("rave_k", "0.5")],
    &[("expand_visits", "0"), ("lookahead", "1")],
    &[("expand_visits", "7"), ("rollouts", "4")],
    &[("lookahead", "0")],
    &[("keep_tree", "false")],
    &[("lookahead", "1"), ("rave_k", "0"), ("exploration", "0.9")],
    &[("rave_probability", "0.5"), ("exploration", "0.4"), ("exploration_probability", "0.7")],
    &[("rave_probability", "0")],
    &[("widening", "1.7"), ("connectivity", "3"), ("locality", "2.5")],
    &[("widening", "1.3"), ("rave_k", "0"), ("exploration", "0.9")],
    &[("widening", "2"), ("rave_probability", "0.4"), ("local_reply", "7")],
    &[("maintain_vc", "100"), ("local_reply", "5"), ("distance", "2"), ("group_size", "2")],
    &[("rave_k", "0"), ("exploration", "0.2"), ("distance_both", "1.5"), ("locality_any", "1")],
    &[("last_good_reply", "lgrf"), ("vc_replies", "true"), ("mate_in_one", "10"), ("rollouts", "2")],
    &[("ring_permanent", "3"), ("ring_probability", "0.5"), ("ring_depth_share", "0.7"), ("rave_k", "100")],
    &[
        ("distance", "2"),
        ("distance_compat", "published"),
        ("ring_permanent", "2"),
        ("ring_compat", "published"),
    ],
    &[
        ("mate_in_one", "20"),
        ("mate_in_one_compat", "level2"),
        ("ring_size", "8"),
        ("ring_compat", "published"),
    ],
];

#[test]
fn trees_are_those_of_a_naive_search_at_the_beginning_of_games() {
    players().par_iter().for_each(|player| {
        compare(4, "", player, 3000);
        compare(6, "f6 e4 d4", player, 800);
    });
}

#[test]
fn trees_are_those_of_a_naive_search_where_much_is_proved() {
    players().par_iter().for_each(|player| {
        // A win, a loss, a draw, the empty board, and a race that one side is about to win.
        compare(4, "a4 g4 a1 b3 g7 d1 d7 f3 e2 d2", player, 3000);
        compare(4, "g4 a4 g7 f5 a1 d2 c3 d7 b5 c4 b4 b3 g6", player, 800);
        compare(4, "d1 a1 g4 e3 g7 f5 a4 d7 c4 f6 f7 e6 e7 d6 c2 e2 c3 c1 e4 f4", player, 800);
        compare(3, "", player, 800);
        compare(4, "a1 g4 a2 g5 a3", player, 800);
    });
}
