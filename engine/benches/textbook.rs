//! Playouts beside a textbook implementation of the same rules, in one run: a yardstick that travels, because rates of
//! different machines cannot be compared. `cargo bench -p engine --bench textbook`.
//!
//! The textbook program keeps a colour for every cell, looks at six neighbours a move, unites groups by size with path
//! compression, and shuffles all cells before each game.

use engine::bench::random_ends;
use engine::havannah::BoardSize;
use engine::rng::Rng;
use rustix::time::{ClockId, clock_gettime};

/// One position of the textbook program. Cells lie in rows of 2n with a border of empty ones around.
struct Textbook {
    width: usize,
    colour: Vec<u8>,
    group: Vec<Group>,
}

#[derive(Clone, Copy)]
struct Group {
    parent: usize,
    size: u16,
    corners: u8,
    sides: u8,
}

impl Textbook {
    /// The empty board and its cells.
    fn new(size: usize) -> (Self, Vec<usize>) {
        let (width, rows) = (2 * size, 2 * size + 1);
        let mut group: Vec<Group> =
            (0..width * rows + 4).map(|parent| Group { parent, size: 1, corners: 0, sides: 0 }).collect();
        let (m, e) = (size as i32 - 1, 2 * size as i32 - 2);
        let on_board = |x: i32, y: i32| (0..=e).contains(&x) && (0..=e).contains(&y) && (x - y).abs() <= m;
        let mut cells = Vec::new();
        for (y, x) in (0..=e).flat_map(|y| (0..=e).map(move |x| (y, x))).filter(|&(y, x)| on_board(x, y)) {
            let cell = (y as usize + 1) * width + x as usize + 1;
            cells.push(cell);
            let corners = [(0, 0), (m, 0), (e, m), (e, e), (m, e), (0, m)];
            let sides = [y == 0, x - y == m, x == e, y == e, y - x == m, x == 0];
            match corners.iter().position(|&corner| corner == (x, y)) {
                Some(corner) => group[cell].corners = 1 << corner,
                None => group[cell].sides = sides.iter().position(|&on| on).map_or(0, |side| 1 << side),
            }
        }
        (Self { width, colour: vec![0; group.len()], group }, cells)
    }

    fn neighbours(&self, cell: usize) -> [usize; 6] {
        let w = self.width;
        [cell - w - 1, cell - w, cell + 1, cell + w + 1, cell + w, cell - 1]
    }

    fn find(&mut self, cell: usize) -> usize {
        let mut root = cell;
        while self.group[root].parent != root {
            root = self.group[root].parent;
        }
        self.group[cell].parent = root;
        root
    }

    /// Puts a stone; true if it wins.
    fn play(&mut self, cell: usize, colour: u8) -> bool {
        self.colour[cell] = colour;
        let near = self.neighbours(cell);
        let own = near.map(|other| self.colour[other] == colour);
        let mut ring = own == [true; 6];
        let mut arcs = [usize::MAX; 3];
        let mut count = 0;
        for d in 0..6 {
            let (before, after) = (own[(d + 5) % 6], own[(d + 1) % 6]);
            if own[d] && !before {
                let root = self.find(near[d]);
                ring |= arcs[..count].contains(&root);
                arcs[count] = root;
                count += 1;
            }
            if own[d] && before && after {
                ring |= self.neighbours(near[d]).iter().all(|&other| self.colour[other] == colour);
            }
        }
        let mut root = cell;
        for &arc in &arcs[..count] {
            let other = self.find(arc);
            if other != root {
                let large = if self.group[root].size >= self.group[other].size { root } else { other };
                let (all, small) = (self.group[large], root + other - large);
                let less = self.group[small];
                self.group[small].parent = large;
                self.group[large] = Group {
                    parent: large,
                    size: all.size + less.size,
                    corners: all.corners | less.corners,
                    sides: all.sides | less.sides,
                };
                root = large;
            }
        }
        let all = self.group[root];
        ring || all.corners.count_ones() >= 2 || all.sides.count_ones() >= 3
    }
}

/// Random games of the textbook program, and their moves.
fn textbook_moves(size: usize, games: u64) -> u64 {
    let (start, mut cells) = Textbook::new(size);
    let mut position = Textbook { colour: start.colour.clone(), group: start.group.clone(), ..start };
    let mut rng = Rng::new(1);
    let mut moves = 0;
    for _ in 0..games {
        position.colour.copy_from_slice(&start.colour);
        position.group.copy_from_slice(&start.group);
        for i in (1..cells.len()).rev() {
            cells.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let won =
            cells.iter().zip([1, 2].into_iter().cycle()).position(|(&cell, side)| position.play(cell, side));
        moves += won.map_or(cells.len(), |at| at + 1) as u64;
    }
    moves
}

fn cpu_seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let start = now();
    let done = work();
    (done, now() - start)
}

#[expect(clippy::print_stdout, reason = "a benchmark prints")]
fn main() {
    println!("random games per CPU second from the empty board, and nanoseconds a move");
    println!("{:>4} {:>12} {:>6} {:>12} {:>6} {:>7}", "size", "textbook", "ns", "ours", "ns", "ratio");
    for size in [4_u8, 5, 6, 8, 10] {
        let games = 400_000 / u64::from(size).pow(2);
        let board = BoardSize::new(size).expect("a size");
        let (mut textbook, mut ours, mut moves) = (0.0, 0.0, [0, 0]);
        // In turns, so that both meet the same moods of the machine.
        for seed in 0..8 {
            let (played, seconds) = cpu_seconds(|| textbook_moves(usize::from(size), games));
            (moves[0], textbook) = (moves[0] + played, textbook + seconds);
            let (ends, seconds) = cpu_seconds(|| random_ends(board, games, seed));
            (moves[1], ours) = (moves[1] + ends.plies.iter().sum::<u64>(), ours + seconds);
        }
        let games = (8 * games) as f64;
        println!(
            "{size:>4} {:>12.0} {:>6.1} {:>12.0} {:>6.1} {:>7.2}",
            games / textbook,
            textbook * 1e9 / moves[0] as f64,
            games / ours,
            ours * 1e9 / moves[1] as f64,
            textbook / ours
        );
    }
}
