//! Slots, which moves fill, numbered from 0, and sets of slots.

/// The most slots a game may have.
pub const MAX_SLOTS: usize = 288;

/// A set of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SlotSet {
    words: [u32; MAX_SLOTS / 32],
}

impl SlotSet {
    /// Adds a slot.
    #[inline(always)]
    pub fn insert(&mut self, slot: u16) {
        self.words[usize::from(slot) / 32] |= 1 << (slot % 32);
    }

    /// Removes a slot.
    #[inline(always)]
    pub fn remove(&mut self, slot: u16) {
        self.words[usize::from(slot) / 32] &= !(1 << (slot % 32));
    }

    /// Removes a slot, whose number may be out of range. Returns whether it was in the set.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: u16) -> bool {
        let Some(word) = self.words.get_mut(usize::from(slot) / 32) else { return false };
        let before = *word;
        *word = before & !(1 << (slot % 32));
        *word != before
    }

    /// Whether a slot is in the set.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, slot: u16) -> bool {
        self.words[usize::from(slot) / 32] >> (slot % 32) & 1 == 1
    }

    /// The lowest slot.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> Option<u16> {
        first_of(&self.words)
    }

    /// Whether the set is empty.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words == [0; MAX_SLOTS / 32]
    }

    /// The number of slots in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The set as words, one bit for each slot.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The set with these [`SlotSet::words`].
    pub(crate) fn of(words: [u32; MAX_SLOTS / 32]) -> Self {
        Self { words }
    }

    /// [`SlotSet::contains`] for a slot whose number may be out of range.
    pub(crate) fn contains_checked(&self, slot: u16) -> bool {
        usize::from(slot) < MAX_SLOTS && self.contains(slot)
    }

    /// The slots, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)))
                .take_while(|&w| w != 0)
                .map(move |w| (i * 32) as u16 + w.trailing_zeros() as u16)
        })
    }
}

/// The lowest slot whose bit is set in `words`.
#[inline(always)]
pub(crate) fn first_of(words: &[u32]) -> Option<u16> {
    let i = words.iter().position(|&word| word != 0)?;
    Some((i * 32) as u16 + words[i].trailing_zeros() as u16)
}

impl FromIterator<u16> for SlotSet {
    fn from_iter<I: IntoIterator<Item = u16>>(slots: I) -> Self {
        let mut set = Self::default();
        slots.into_iter().for_each(|slot| set.insert(slot));
        set
    }
}

/// One value for each slot.
pub type BySlot = [f32; MAX_SLOTS];
