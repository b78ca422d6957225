//! Memory for request bodies that are received or being read, with a limit for all and one for each caller.

use super::limits::Asker;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The limit for all bodies together, in bytes.
const MOST: usize = 256 << 20;

/// The part of that limit that bodies larger than [`SMALL`] may take. So small bodies, which nearly all results are, are admitted
/// regardless of the number of large ones.
const FOR_LARGE: usize = 128 << 20;

/// A body of up to this many bytes is small.
const SMALL: usize = 1 << 20;

/// The limit for the bodies of one caller, in bytes: two of the largest.
const OF_ONE: usize = 64 << 20;

/// The number of bodies that one caller may send at once.
const BODIES_OF_ONE: usize = 1_000;

/// The bodies that are held in memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bodies {
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    /// Numbers of bodies and bytes by caller.
    by_asker: HashMap<Asker, (usize, usize)>,
}

/// The limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// The limit for all callers.
    All,
    /// The limit of this caller.
    One,
}

/// The reserved memory of one body, which is released when this value is dropped.
#[derive(Debug)]
pub(crate) struct Room {
    bodies: Bodies,
    asker: Asker,
    bytes: usize,
}

impl Bodies {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reservation for a body that has not begun to arrive.
    pub(crate) fn room(&self, asker: Asker) -> Result<Room, Full> {
        let mut held = self.held();
        let (bodies, _) = held.by_asker.entry(asker).or_default();
        if *bodies >= BODIES_OF_ONE {
            return Err(Full::One);
        }
        *bodies += 1;
        Ok(Room { bodies: self.clone(), asker, bytes: 0 })
    }

    /// Bytes held now.
    pub(crate) fn bytes(&self) -> usize {
        self.held().bytes
    }
}

impl Room {
    /// Reserves memory for more of the body.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), Full> {
        let mut held = self.bodies.held();
        let most = if self.bytes + more > SMALL { FOR_LARGE } else { MOST };
        if held.bytes + more > most {
            return Err(Full::All);
        }
        let (_, bytes) = held.by_asker.entry(self.asker).or_default();
        if *bytes + more > OF_ONE {
            return Err(Full::One);
        }
        *bytes += more;
        held.bytes += more;
        drop(held);
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut held = self.bodies.held();
        held.bytes -= self.bytes;
        if let Some((bodies, bytes)) = held.by_asker.get_mut(&self.asker) {
            *bodies -= 1;
            *bytes -= self.bytes;
            if *bodies == 0 {
                held.by_asker.remove(&self.asker);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for a body's room in parts of 64 KiB, as they come from a connection.
    fn body(bodies: &Bodies, of: u64, bytes: usize) -> Result<Room, Full> {
        let mut room = bodies.room(Asker::Token(of))?;
        for _ in 0..bytes >> 16 {
            room.grow(1 << 16)?;
        }
        Ok(room)
    }

    #[test]
    fn large_bodies_leave_room_for_small_ones_and_nobody_takes_all() {
        let bodies = Bodies::default();
        let large: Vec<Room> = (0..4).map(|of| body(&bodies, of, 31 << 20).expect("room")).collect();
        assert_eq!(body(&bodies, 5, 31 << 20).err(), Some(Full::All));
        assert!(bodies.bytes() <= FOR_LARGE);
        let small: Vec<Room> = (0..63).map(|_| body(&bodies, 6, SMALL).expect("room")).collect();
        assert_eq!(body(&bodies, 6, SMALL + (1 << 16)).err(), Some(Full::All), "a large one");
        let own = body(&bodies, 6, SMALL).expect("room");
        assert_eq!(body(&bodies, 6, SMALL).err(), Some(Full::One));
        body(&bodies, 7, SMALL).expect("room for others");
        drop((large, small, own));
        assert_eq!(bodies.bytes(), 0);
        assert!(bodies.held().by_asker.is_empty());
        let two: Vec<Room> = (0..2).map(|_| body(&bodies, 1, 32 << 20).expect("room")).collect();
        assert_eq!(body(&bodies, 1, 1 << 16).err(), Some(Full::One));
        drop(two);
        let many: Vec<Room> = (0..BODIES_OF_ONE).map(|_| body(&bodies, 1, 0).expect("room")).collect();
        assert_eq!(body(&bodies, 1, 0).err(), Some(Full::One));
        drop(many);
        assert!(bodies.held().by_asker.is_empty());
    }
}
