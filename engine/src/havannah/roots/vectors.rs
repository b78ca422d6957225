//! Roots in vectors of AVX-512, of as many bytes as a board has numbers.

use super::super::board::Board;
use super::super::geometry::Around;
use super::super::playout::Playout;
use super::super::stones::Stones;
use super::{NUMBERS, Roots, Up};
use crate::cpu::has_features;
use crate::game::Winner;
use crate::rng::Rng;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_cmpeq_epi8_mask, _mm_cmpneq_epi8_mask, _mm_cvtsi128_si32, _mm_loadu_si128,
    _mm_mask_blend_epi8, _mm_permutexvar_epi8, _mm_set1_epi8, _mm_storeu_si128, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8_mask, _mm256_cmpneq_epi8_mask, _mm256_loadu_si256, _mm256_mask_blend_epi8,
    _mm256_permutexvar_epi8, _mm256_set1_epi8, _mm256_storeu_si256, _mm512_castsi512_si128,
    _mm512_cmpeq_epi8_mask, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_blend_epi8,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_storeu_si512,
};

/// Whether this machine has the instructions: bytes of a vector picked by other bytes, and what it takes to use them.
#[inline(always)]
fn exist() -> bool {
    has_features!("avx512f" "avx512bw" "avx512vl" "avx512vbmi" "bmi1" "bmi2" "lzcnt" "popcnt")
}

/// [`Board::rollout_among`] in vectors, if this machine has the instructions.
#[inline]
pub(in super::super) fn rollout(board: &mut Board, rng: &mut Rng) -> Option<Winner> {
    // SAFETY: they exist; what the boards with these strides need is checked where it is used.
    exist().then(|| unsafe {
        match board.stride() {
            6 => rollout_strided::<6, Sixteen>(board, rng),
            8 => rollout_strided::<8, Sixteen>(board, rng),
            10 => rollout_strided::<10, ThirtyTwo>(board, rng),
            12 => rollout_strided::<12, ThirtyTwo>(board, rng),
            14 => rollout_strided::<14, SixtyFour>(board, rng),
            16 => rollout_strided::<16, SixtyFour>(board, rng),
            18 => rollout_strided::<18, All>(board, rng),
            _ => rollout_strided::<20, All>(board, rng),
        }
    })
}

/// # Safety
/// [`exist`] says so, and `W` is the board's stride.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn rollout_strided<const W: usize, R: Roots>(board: &mut Board, rng: &mut Rng) -> Winner {
    // SAFETY: by contract.
    unsafe { board.rollout_among::<W, R>(rng) }
}

/// [`Playout::play_out_among`] in vectors, if this machine has the instructions.
#[inline]
pub(in super::super) fn play_out<const W: usize>(playout: &mut Playout<'_, W>, rng: &mut Rng) -> bool {
    // SAFETY: they exist, and the numbers of these strides fit.
    exist()
        .then(|| unsafe {
            if const { W <= 8 } {
                play_out_strided::<W, Sixteen>(playout, rng);
            } else if const { W <= 12 } {
                play_out_strided::<W, ThirtyTwo>(playout, rng);
            } else if const { W <= 16 } {
                play_out_strided::<W, SixtyFour>(playout, rng);
            } else {
                play_out_strided::<W, All>(playout, rng);
            }
        })
        .is_some()
}

/// # Safety
/// [`exist`] says so.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn play_out_strided<const W: usize, R: Roots>(playout: &mut Playout<'_, W>, rng: &mut Rng) {
    // SAFETY: by contract.
    unsafe { playout.play_out_among::<R>(rng) }
}

/// The function of [`Roots`], which all implement alike.
macro_rules! join_rare {
    () => {
        #[cold]
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn join_rare<const W: usize>(
            self,
            stones: &mut Stones,
            side: usize,
            place: usize,
            around: &Around,
        ) -> (bool, Self) {
            // SAFETY: by contract.
            unsafe { stones.join_rare::<W, Self>(side, place, around, self) }
        }
    };
}

/// A vector with a root for every number. A root found is in all bytes of one.
macro_rules! roots_in_one_vector {
    ($name:ident, $numbers:literal, $vector:ty, $load:ident, $store:ident, $all:ident, $pick:ident, $equal:ident, $differ:ident, $blend:ident,
     $lowest:expr) => {
        #[derive(Clone, Copy)]
        pub(in super::super) struct $name($vector);

        impl Roots for $name {
            const CAPACITY: usize = $numbers;
            type Root = $vector;

            #[inline(always)]
            unsafe fn load(up: &Up) -> Self {
                // SAFETY: the instructions exist by contract, and there are as many bytes.
                unsafe {
                    let mut up = $load(up.as_ptr().cast());
                    // Two steps for all, four with what they have become, and seldom more.
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
            unsafe fn store(self, up: &mut Up) {
                // SAFETY: as above.
                unsafe { $store(up.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn find(self, _: &Up, number: *const u8) -> $vector {
                // SAFETY: the instructions exist by contract.
                unsafe { $pick($all((*number).cast_signed()), self.0) }
            }

            #[inline(always)]
            unsafe fn number(root: $vector) -> u8 {
                // SAFETY: as above.
                unsafe { _mm_cvtsi128_si32($lowest(root)) as u8 }
            }

            #[inline(always)]
            unsafe fn unite(&mut self, _: &mut Up, first: $vector, second: $vector) {
                // SAFETY: as above.
                unsafe { self.0 = $blend($equal(self.0, second), self.0, first) }
            }

            join_rare!();
        }
    };
}

roots_in_one_vector!(
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
roots_in_one_vector!(
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
roots_in_one_vector!(
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

/// The same in two vectors.
#[derive(Clone, Copy)]
pub(in super::super) struct All([__m512i; 2]);

impl Roots for All {
    const CAPACITY: usize = NUMBERS;
    type Root = __m512i;

    #[inline(always)]
    unsafe fn load(up: &Up) -> Self {
        // SAFETY: the instructions exist by contract, and there are as many bytes.
        unsafe {
            let further = |[low, high]: [__m512i; 2]| {
                [_mm512_permutex2var_epi8(low, low, high), _mm512_permutex2var_epi8(low, high, high)]
            };
            let up = [_mm512_loadu_si512(up.as_ptr().cast()), _mm512_loadu_si512(up.as_ptr().add(64).cast())];
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
    unsafe fn store(self, up: &mut Up) {
        // SAFETY: as above.
        unsafe {
            _mm512_storeu_si512(up.as_mut_ptr().cast(), self.0[0]);
            _mm512_storeu_si512(up.as_mut_ptr().add(64).cast(), self.0[1]);
        }
    }

    #[inline(always)]
    unsafe fn find(self, _: &Up, number: *const u8) -> __m512i {
        // SAFETY: the instructions exist by contract.
        unsafe { _mm512_permutex2var_epi8(self.0[0], _mm512_set1_epi8((*number).cast_signed()), self.0[1]) }
    }

    #[inline(always)]
    unsafe fn number(root: __m512i) -> u8 {
        // SAFETY: as above.
        unsafe { _mm_cvtsi128_si32(_mm512_castsi512_si128(root)) as u8 }
    }

    #[inline(always)]
    unsafe fn unite(&mut self, _: &mut Up, first: __m512i, second: __m512i) {
        // SAFETY: as above.
        unsafe {
            self.0[0] = _mm512_mask_blend_epi8(_mm512_cmpeq_epi8_mask(self.0[0], second), self.0[0], first);
            self.0[1] = _mm512_mask_blend_epi8(_mm512_cmpeq_epi8_mask(self.0[1], second), self.0[1], first);
        }
    }

    join_rare!();
}

#[cfg(test)]
mod tests {
    use super::super::super::cell::BoardSize;
    use super::super::super::geometry::Geometry;
    use super::super::Forest;
    use super::*;
    use crate::cpu::can_test;
    use crate::game::Game;
    use crate::havannah::Cell;

    /// Fills a board in random order, in memory and in vectors, which take over after `before` stones. All wins, groups and
    /// marks must be the same after every stone.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn compare<const W: usize, R: Roots>(geometry: &'static Geometry, before: usize, rng: &mut Rng) {
        let mut places = geometry.place.clone();
        for i in (1..places.len()).rev() {
            places.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let mut expected = Stones::new(geometry);
        for (i, &place) in places[..before].iter().enumerate() {
            // SAFETY: distinct places of a board with this stride.
            unsafe { expected.place::<W>(i % 2, place.into()) };
        }
        let mut stones = expected.clone();
        // SAFETY: by contract.
        let mut roots = unsafe { [R::load(stones.up(0)), R::load(stones.up(1))] };
        for (i, &place) in places.iter().enumerate().skip(before) {
            let side = i % 2;
            // SAFETY: as above.
            let won = unsafe {
                let won = stones.place_among::<W, R>(side, place.into(), &mut roots[side]);
                roots[side].store(stones.up(side));
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
                // SAFETY: the instructions exist, and strides are those of the boards.
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
                let play = |rollout: fn(&mut Board, &mut Rng) -> Option<Winner>| {
                    let (mut board, mut rng) = (start.clone(), Rng::new(game as u64));
                    let winner = rollout(&mut board, &mut rng);
                    let mut line = Vec::new();
                    board.rollout_line(|side, slot| line.push((side, slot)));
                    (winner, board.rollout_outcome(), line, rng)
                };
                assert_eq!(play(rollout), play(|board, rng| Some(board.play_in_memory(rng))));
            }
        }
    }
}
