//! A transposition table. It keeps the entries that took most work and never confuses two keys.

use super::coarse::Coarse;
use super::key::{Key, home};
use crate::huge_pages::prefer_huge_pages;

/// With a value of six bytes, an entry has sixteen.
#[derive(Debug, Clone, Copy, Default)]
struct Entry<V> {
    key: Key,
    value: V,
    /// The work that the value took, as a [`Work`] number; 0 in an unused place.
    work: u16,
}

type Work = Coarse<12>;

const _: () = assert!(size_of::<Entry<[u16; 3]>>() == 16);

/// The places where a key may be: one line of the processor's cache, with entries of sixteen bytes.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket<V>([Entry<V>; 4]);

/// Values of positions in bounded memory. The table starts small and grows with its content.
pub(super) struct Table<V> {
    buckets: Vec<Bucket<V>>,
    /// Entries in use.
    used: usize,
    /// The number of buckets that fit into the memory.
    most: usize,
}

/// The most buckets at the start.
const FEW: usize = 1 << 10;
/// How many times larger the table gets when it grows.
const GROWTH: usize = 16;

impl<V: Copy + Default> Table<V> {
    /// A table of at most `bytes`, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        // While the table grows, old and new buckets exist at the same time.
        let most = (bytes / size_of::<Bucket<V>>() / (GROWTH + 1) * GROWTH).max(1);
        // The last growth, as every other one, is from a GROWTH-th.
        let few = std::iter::successors(Some(most), |len| Some(len.div_ceil(GROWTH))).find(|len| *len <= FEW);
        let buckets = empty(few.unwrap_or(most)).expect("a small table fits into memory");
        Self { buckets, used: 0, most }
    }

    /// The value of a position and the work it took, if the table contains the position. Large amounts of work are
    /// rounded.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<(V, u64)> {
        let bucket = &self.buckets[home(key, self.buckets.len())];
        let found = bucket.0.iter().find(|entry| entry.work > 0 && entry.key == key)?;
        Some((found.value, Work::decode(found.work.into())))
    }

    /// Begins to load the place of a key, for a [`Table::get`] soon.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        let bucket = &self.buckets[home(key, self.buckets.len())];
        #[cfg(target_arch = "x86_64")]
        // SAFETY: x86-64 has the instruction, and a prefetch changes nothing that a program can see.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }

    /// Stores a position in place of its former entry or of the entry of its bucket that took least work.
    pub(super) fn put(&mut self, key: Key, value: V, work: u64) {
        self.put_entry(Entry { key, value, work: Work::encode(work.max(1)) as u16 });
    }

    fn put_entry(&mut self, entry: Entry<V>) {
        if self.used > 2 * self.buckets.len() && self.buckets.len() < self.most {
            self.grow();
        }
        let home = home(entry.key, self.buckets.len());
        let places = &mut self.buckets[home].0;
        let same = places.iter().position(|place| place.work > 0 && place.key == entry.key);
        let at = same.unwrap_or_else(|| {
            (0..places.len()).min_by_key(|&at| places[at].work).expect("a bucket has places")
        });
        self.used += usize::from(places[at].work == 0);
        places[at] = entry;
    }

    /// Forgets the values that do not satisfy a condition.
    pub(super) fn retain(&mut self, keep: impl Fn(V) -> bool) {
        self.used = 0;
        for place in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            if place.work > 0 && keep(place.value) {
                self.used += 1;
            } else {
                *place = Entry::default();
            }
        }
    }

    fn grow(&mut self) {
        let len = (self.buckets.len() * GROWTH).min(self.most);
        let Some(buckets) = empty(len) else {
            self.most = self.buckets.len();
            return;
        };
        self.used = 0;
        for entry in std::mem::replace(&mut self.buckets, buckets).into_iter().flat_map(|bucket| bucket.0) {
            if entry.work > 0 {
                self.put_entry(entry);
            }
        }
    }
}

/// So many empty buckets; none without memory for them.
fn empty<V: Copy + Default>(len: usize) -> Option<Vec<Bucket<V>>> {
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(len).ok()?;
    prefer_huge_pages(&mut buckets, 0);
    buckets.resize(len, Bucket::default());
    Some(buckets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_table_with_room_remembers_everything() {
        for (bytes, all) in [(16 << 20, true), (4 << 10, false), (0, false)] {
            let mut table = Table::<u64>::new(bytes);
            let keys: Vec<u64> = (0..20_000_u64).map(|seed| Rng::new(seed).next_u64()).collect();
            let mut kept = 0;
            for &key in &keys {
                table.put(key, !key, 1);
                assert_eq!(table.get(key), Some((!key, 1)));
            }
            for &key in &keys {
                let found = table.get(key);
                assert!(found.is_none_or(|found| found == (!key, 1)));
                kept += usize::from(found.is_some());
            }
            assert!(table.buckets.len() * size_of::<Bucket<u64>>() <= bytes.max(size_of::<Bucket<u64>>()));
            assert_eq!(table.used, kept);
            // The old table and the new one fitted too, when the table grew last.
            let both = table.buckets.len() + table.buckets.len().div_ceil(GROWTH);
            assert!(!all || both * size_of::<Bucket<u64>>() <= bytes + size_of::<Bucket<u64>>());
            assert!(if all { kept > 19_000 } else { kept < 200 }, "{kept} of {bytes}");
        }
    }

    #[test]
    fn what_is_not_retained_is_forgotten_and_the_rest_stays() {
        let mut table = Table::<u64>::new(1 << 20);
        (1..=300).for_each(|key| table.put(key, key, 1));
        table.retain(|value| value % 3 == 0);
        assert_eq!(table.used, 100);
        for key in 1..=300 {
            assert_eq!(table.get(key), (key % 3 == 0).then_some((key, 1)));
        }
    }

    #[test]
    fn what_took_most_work_stays() {
        let mut table = Table::<u8>::new(0);
        for key in 1..=100 {
            table.put(key, key as u8, if key % 25 == 0 { 1000 } else { key });
        }
        assert!([25, 50, 75, 100].iter().all(|&key| table.get(key) == Some((key as u8, 1000))));
    }
}
