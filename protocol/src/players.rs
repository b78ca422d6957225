//! Names for the players of an analysis, one for each player and each for one.

use crate::ids::PlayerId;
use std::collections::{HashMap, HashSet};

/// The names of players.
#[derive(Debug, Default)]
pub struct PlayerNames(HashMap<PlayerId, String>);

impl PlayerNames {
    /// Names players by what tables call them. A player that is a baseline has the baseline's name, and then the first name comes
    /// first. If another player has the name already, a part of the id follows it.
    pub fn of<'a>(
        baselines: impl IntoIterator<Item = (PlayerId, &'a str)>,
        cases: impl IntoIterator<Item = (PlayerId, &'a str)>,
    ) -> Self {
        let (mut names, mut taken) = (HashMap::new(), HashSet::new());
        for (id, name) in baselines.into_iter().chain(cases) {
            names.entry(id).or_insert_with(|| {
                let mut free = name.to_owned();
                if taken.contains(&free) {
                    free = format!("{name} ({})", id.short());
                }
                taken.insert(free.clone());
                free
            });
        }
        Self(names)
    }

    /// The name of one of these players.
    #[must_use]
    pub fn name(&self, player: PlayerId) -> &str {
        self.0.get(&player).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn every_player_has_one_name_and_every_name_one_player() {
        let id = |n: u128| PlayerId(Uuid::from_u128(n << 100));
        let names = PlayerNames::of(
            [(id(1), "uct"), (id(2), "rave")],
            [(id(3), "50"), (id(1), "k=0"), (id(4), "50"), (id(3), "two 50"), (id(5), "rave")],
        );
        let wanted = ["uct", "rave", "50", "50 (00000040)", "rave (00000050)"];
        assert_eq!([1, 2, 3, 4, 5].map(|n| names.name(id(n)).to_owned()), wanted);
    }
}
