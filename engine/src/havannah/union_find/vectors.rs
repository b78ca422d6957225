//! Union-find in AVX-512 vectors, with one byte for each group number.

use super::super::geometry::numbers;
use super::{NUMBERS, Parents, PlayoutTask, Task, UnionFind};
use crate::cpu::has_features;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_cmpeq_epi8_mask, _mm_cmpneq_epi8_mask, _mm_cvtsi128_si32, _mm_loadu_si128,
    _mm_mask_blend_epi8, _mm_permutexvar_epi8, _mm_set1_epi8, _mm_storeu_si128, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8_mask, _mm256_cmpneq_epi8_mask, _mm256_loadu_si256, _mm256_mask_blend_epi8,
    _mm256_permutexvar_epi8, _mm256_set1_epi8, _mm256_storeu_si256, _mm512_castsi512_si128,
    _mm512_cmpeq_epi8_mask, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_blend_epi8,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_storeu_si512,
};

/// Whether this machine has the instructions: AVX-512 VBMI, which picks bytes of a vector by other bytes, and the rest
/// of what [`run_in`] is compiled for.
#[inline(always)]
pub(super) fn exist() -> bool {
    has_features!("avx512f" "avx512bw" "avx512vl" "avx512vbmi" "bmi1" "bmi2" "lzcnt" "popcnt")
}

/// Runs a playout in the smallest vectors that hold the group numbers of the board.
///
/// # Safety
/// [`exist`] is true.
#[inline]
pub(in super::super) unsafe fn run<const W: usize, T: PlayoutTask<W>>(task: T) -> T::Output {
    // SAFETY: `run_in` needs what `exist` detects, which is the contract of this function too.
    unsafe {
        if const { W <= 8 } {
            run_in::<W, Sixteen, T>(task)
        } else if const { W <= 12 } {
            run_in::<W, ThirtyTwo, T>(task)
        } else if const { W <= 16 } {
            run_in::<W, SixtyFour, T>(task)
        } else {
            run_in::<W, All, T>(task)
        }
    }
}

/// Runs a playout in the structure `R`, in a function compiled for the instructions.
///
/// # Safety
/// [`exist`] is true.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_in<const W: usize, R: UnionFind, T: PlayoutTask<W>>(task: T) -> T::Output {
    assert!(numbers::<W>() <= R::CAPACITY);
    // SAFETY: `PlayoutTask::run` needs the contract of `UnionFind`. This function is compiled for the instructions,
    // `exist` is true by its contract, and the assertion above checks the capacity.
    unsafe { task.run::<R>() }
}

/// [`UnionFind::run_apart`], the same for all vector structures.
macro_rules! run_apart {
    () => {
        #[cold]
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn run_apart<T: Task>(
            mut self,
            board: &mut T::Board,
            side: usize,
            place: usize,
            detail: &'static T::Detail,
        ) -> (bool, Self) {
            // SAFETY: `Task::run` has the contract of `UnionFind`, which the caller of `run_apart` keeps.
            let output = unsafe { T::run(board, side, place, detail, &mut self) };
            (output, self)
        }
    };
}

/// One vector with the root of every number. [`UnionFind::find`] returns a root in all bytes of a vector.
macro_rules! forest_in_one_vector {
    ($name:ident, $numbers:literal, $vector:ty, $load:ident, $store:ident, $all:ident, $pick:ident, $equal:ident, $differ:ident, $blend:ident,
     $lowest:expr) => {
        #[derive(Clone, Copy)]
        struct $name($vector);

        impl UnionFind for $name {
            const CAPACITY: usize = $numbers;
            type Root = $vector;

            #[inline(always)]
            unsafe fn load(parents: &Parents) -> Self {
                // SAFETY: the instructions exist by the contract of `UnionFind`, and `Parents` is as long as the vector
                // or longer.
                unsafe {
                    let mut up = $load(parents.as_ptr().cast());
                    // Each line doubles the steps towards the roots: two, then four. More are seldom needed.
                    up = $pick(up, up);
                    up = $pick(up, up);
                    loop {
                        let further = $pick(up, up);
                        if $differ(further, up) == 0 {
                            return Self(up);
                        }
                        up = further;
                    }
                }
            }

            #[inline(always)]
            unsafe fn store(self, parents: &mut Parents) {
                // SAFETY: the instructions exist by the contract of `UnionFind`, and `Parents` is as long as the vector
                // or longer.
                unsafe { $store(parents.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn find(self, _: &Parents, number: *const u8) -> $vector {
                // SAFETY: by the contract of `UnionFind`, the instructions exist and `number` can be read.
                unsafe { $pick($all((*number).cast_signed()), self.0) }
            }

            #[inline(always)]
            unsafe fn number(root: $vector) -> u8 {
                // SAFETY: the instructions exist by the contract of `UnionFind`.
                unsafe { _mm_cvtsi128_si32($lowest(root)) as u8 }
            }

            #[inline(always)]
            unsafe fn union(&mut self, _: &mut Parents, first: $vector, second: $vector) {
                // SAFETY: the instructions exist by the contract of `UnionFind`.
                unsafe { self.0 = $blend($equal(self.0, second), self.0, first) }
            }

            run_apart!();
        }
    };
}

forest_in_one_vector!(
    Sixteen,
    16,
    __m128i,
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_set1_epi8,
    _mm_permutexvar_epi8,
    _mm_cmpeq_epi8_mask,
    _mm_cmpneq_epi8_mask,
    _mm_mask_blend_epi8,
    std::convert::identity
);
forest_in_one_vector!(
    ThirtyTwo,
    32,
    __m256i,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_set1_epi8,
    _mm256_permutexvar_epi8,
    _mm256_cmpeq_epi8_mask,
    _mm256_cmpneq_epi8_mask,
    _mm256_mask_blend_epi8,
    _mm256_castsi256_si128
);
forest_in_one_vector!(
    SixtyFour,
    64,
    __m512i,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_set1_epi8,
    _mm512_permutexvar_epi8,
    _mm512_cmpeq_epi8_mask,
    _mm512_cmpneq_epi8_mask,
    _mm512_mask_blend_epi8,
    _mm512_castsi512_si128
);

/// Two vectors with the root of every number, for the largest boards.
#[derive(Clone, Copy)]
struct All([__m512i; 2]);

impl UnionFind for All {
    const CAPACITY: usize = NUMBERS;
    type Root = __m512i;

    #[inline(always)]
    unsafe fn load(parents: &Parents) -> Self {
        // SAFETY: the instructions exist by the contract of `UnionFind`, and `Parents` has 128 bytes, as many as both
        // vectors.
        unsafe {
            let further = |[low, high]: [__m512i; 2]| {
                [_mm512_permutex2var_epi8(low, low, high), _mm512_permutex2var_epi8(low, high, high)]
            };
            let up = [
                _mm512_loadu_si512(parents.as_ptr().cast()),
                _mm512_loadu_si512(parents.as_ptr().add(64).cast()),
            ];
            let mut up = further(further(up));
            loop {
                let next = further(up);
                if _mm512_cmpneq_epi8_mask(next[0], up[0]) | _mm512_cmpneq_epi8_mask(next[1], up[1]) == 0 {
                    return Self(up);
                }
                up = next;
            }
        }
    }

    #[inline(always)]
    unsafe fn store(self, parents: &mut Parents) {
        // SAFETY: the instructions exist by the contract of `UnionFind`, and `Parents` has 128 bytes, as many as both
        // vectors.
        unsafe {
            _mm512_storeu_si512(parents.as_mut_ptr().cast(), self.0[0]);
            _mm512_storeu_si512(parents.as_mut_ptr().add(64).cast(), self.0[1]);
        }
    }

    #[inline(always)]
    unsafe fn find(self, _: &Parents, number: *const u8) -> __m512i {
        // SAFETY: by the contract of `UnionFind`, the instructions exist and `number` can be read.
        unsafe { _mm512_permutex2var_epi8(self.0[0], _mm512_set1_epi8((*number).cast_signed()), self.0[1]) }
    }

    #[inline(always)]
    unsafe fn number(root: __m512i) -> u8 {
        // SAFETY: the instructions exist by the contract of `UnionFind`.
        unsafe { _mm_cvtsi128_si32(_mm512_castsi512_si128(root)) as u8 }
    }

    #[inline(always)]
    unsafe fn union(&mut self, _: &mut Parents, first: __m512i, second: __m512i) {
        // SAFETY: the instructions exist by the contract of `UnionFind`.
        unsafe {
            self.0[0] = _mm512_mask_blend_epi8(_mm512_cmpeq_epi8_mask(self.0[0], second), self.0[0], first);
            self.0[1] = _mm512_mask_blend_epi8(_mm512_cmpeq_epi8_mask(self.0[1], second), self.0[1], first);
        }
    }

    run_apart!();
}

#[cfg(test)]
mod tests {
    use super::super::Forest;
    use super::*;
    use crate::cpu::can_test;
    use crate::havannah::geometry::Geometry;
    use crate::havannah::stones::Stones;
    use crate::havannah::{Board, BoardSize, Cell};
    use crate::rng::Rng;
    use crate::search::{Game, Winner};

    /// Fills a board in random order, with groups in memory and, after the first `before` stones, in vectors. Both must
    /// have the same wins, groups and marks after every stone.
    ///
    /// # Safety
    /// [`exist`] is true, `W` is the stride of `geometry`, and the capacity of `R` is enough for its board.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn compare<const W: usize, R: UnionFind>(
        geometry: &'static Geometry,
        before: usize,
        rng: &mut Rng,
    ) {
        let mut places = geometry.place.clone();
        for i in (1..places.len()).rev() {
            places.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let mut expected = Stones::new(geometry);
        for (i, &place) in places[..before].iter().enumerate() {
            // SAFETY: `Stones::place` needs an empty place: all places differ, on a board whose stride is W.
            unsafe { expected.place::<W>(i % 2, place.into()) };
        }
        let mut stones = expected.clone();
        // SAFETY: the contract of `compare` gives what `UnionFind` needs: the instructions and the capacity.
        let mut forests = unsafe { [R::load(stones.parents(0)), R::load(stones.parents(1))] };
        for (i, &place) in places.iter().enumerate().skip(before) {
            let side = i % 2;
            // SAFETY: `Stones::place_among` needs an empty place (all places differ, on a board whose stride is W) and
            // the contract of `UnionFind`, which that of `compare` gives.
            let won = unsafe {
                let won = stones.place_among::<W, R>(side, place.into(), &mut forests[side]);
                forests[side].store(stones.parents(side));
                assert_eq!(won, expected.place_among::<W, Forest>(side, place.into(), &mut Forest));
                won
            };
            if won {
                assert_eq!(stones.shape(place), expected.shape(place));
            }
            for &other in &places[..=i] {
                let root = stones.root(other);
                assert_eq!(root, expected.root(other), "after {i} stones on {}", geometry.size);
                assert_eq!(stones.marks(root), expected.marks(root));
            }
        }
    }

    #[test]
    fn vectors_say_the_same_as_memory_after_every_stone() {
        if !can_test("AVX-512 VBMI", exist()) {
            return;
        }
        let mut rng = Rng::new(1);
        for size in BoardSize::all() {
            let geometry = Geometry::of(size);
            for game in 0..60 {
                let before = game % 3 * size.cells() / 5;
                // SAFETY: `compare` needs what `can_test(exist())` has checked, the stride of the board, which the
                // match gives, and vectors as long as `run` chooses for it.
                unsafe {
                    match geometry.stride {
                        6 => compare::<6, Sixteen>(geometry, before, &mut rng),
                        8 => compare::<8, Sixteen>(geometry, before, &mut rng),
                        10 => compare::<10, ThirtyTwo>(geometry, before, &mut rng),
                        12 => compare::<12, ThirtyTwo>(geometry, before, &mut rng),
                        14 => compare::<14, SixtyFour>(geometry, before, &mut rng),
                        16 => compare::<16, SixtyFour>(geometry, before, &mut rng),
                        18 => compare::<18, All>(geometry, before, &mut rng),
                        _ => compare::<20, All>(geometry, before, &mut rng),
                    }
                }
            }
        }
    }

    #[test]
    fn playouts_in_vectors_are_those_in_memory() {
        if !can_test("AVX-512 VBMI", exist()) {
            return;
        }
        let mut rng = Rng::new(2);
        for size in BoardSize::all() {
            for game in 0..300 {
                let mut start = Board::new(size);
                while start.plies() < game % size.cells() && start.outcome().is_none() {
                    let open: Vec<Cell> = start.legal_moves().collect();
                    start.play(open[rng.below(open.len() as u32) as usize]).expect("legal");
                }
                if start.outcome().is_some() {
                    continue;
                }
                let play = |rollout: fn(&mut Board, &mut Rng) -> Winner| {
                    let (mut board, mut rng) = (start.clone(), Rng::new(game as u64));
                    let winner = rollout(&mut board, &mut rng);
                    let mut line = Vec::new();
                    board.rollout_line(|side, slot| line.push((side, slot)));
                    (winner, board.rollout_outcome(), line, rng)
                };
                assert_eq!(play(Board::play_at_random), play(Board::play_in_memory));
            }
        }
    }
}
