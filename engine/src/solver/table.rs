//! A transposition table. It keeps the entries that took most work and never confuses two keys.

use super::key::{Key, home};

#[derive(Debug, Clone, Copy)]
struct Entry<V> {
    key: Key,
    /// The work that the value took; 0 in an unused place.
    work: u32,
    value: V,
}

/// Values of positions in bounded memory. The table starts small and grows with its content.
pub(super) struct Table<V> {
    places: Vec<Entry<V>>,
    used: usize,
    most: usize,
}

/// The number of places where a key may be: its home and the places after it.
const REACH: usize = 4;
/// The number of places at the start.
const FEW: usize = 1 << 12;
/// How many times larger the table gets when it grows.
const GROWTH: usize = 4;

impl<V: Copy + Default> Table<V> {
    /// A table of at most `bytes`, but at least a few hundred.
    pub(super) fn new(bytes: usize) -> Self {
        // While the table grows, old and new places exist at the same time.
        let most = (bytes / size_of::<Entry<V>>() / (GROWTH + 1) * GROWTH).max(REACH);
        Self { places: vec![Self::unused(); FEW.min(most)], used: 0, most }
    }

    fn unused() -> Entry<V> {
        Entry { key: 0, work: 0, value: V::default() }
    }

    fn window(&self, key: Key) -> std::ops::Range<usize> {
        let home = home(key, self.places.len() - REACH + 1);
        home..home + REACH
    }

    /// The value of a position and the work it took, if the table contains the position.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<(V, u32)> {
        let found = self.places[self.window(key)].iter().find(|entry| entry.work > 0 && entry.key == key)?;
        Some((found.value, found.work))
    }

    /// Stores a position in place of its former entry or of the entry in reach that took least work.
    pub(super) fn put(&mut self, key: Key, value: V, work: u32) {
        if self.used > self.places.len() / 2 && self.places.len() < self.most {
            self.grow();
        }
        let window = self.window(key);
        let places = &mut self.places[window];
        let same = places.iter().position(|entry| entry.work > 0 && entry.key == key);
        let at = same.unwrap_or_else(|| {
            (0..REACH).min_by_key(|&at| places[at].work).expect("there are places in reach")
        });
        self.used += usize::from(places[at].work == 0);
        places[at] = Entry { key, work: work.max(1), value };
    }

    fn grow(&mut self) {
        let len = (self.places.len() * GROWTH).min(self.most);
        let mut places = Vec::new();
        if places.try_reserve_exact(len).is_err() {
            self.most = self.places.len();
            return;
        }
        places.resize(len, Self::unused());
        self.used = 0;
        for entry in std::mem::replace(&mut self.places, places) {
            if entry.work > 0 {
                self.put(entry.key, entry.value, entry.work);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_table_remembers_everything_while_there_is_room_and_never_the_wrong_thing() {
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
            assert!(table.places.len() * size_of::<Entry<u64>>() <= bytes.max(REACH * 24));
            assert_eq!(table.used, kept);
            assert!(if all { kept > 19_000 } else { kept < 200 }, "{kept} of {bytes}");
        }
    }

    #[test]
    fn what_took_most_work_stays() {
        let mut table = Table::<u8>::new(0);
        for key in 1..=100 {
            table.put(key, key as u8, if key % 25 == 0 { 1000 } else { key as u32 });
        }
        assert!([25, 50, 75, 100].iter().all(|&key| table.get(key) == Some((key as u8, 1000))));
    }
}
