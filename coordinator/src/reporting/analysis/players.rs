//! Names for the players of an experiment, one for each player and each for one.

use crate::store::PlannedCellRow;
use protocol::ids::PlayerId;
use protocol::lease::ParamSet;
use std::collections::{HashMap, HashSet};

/// Characters of an id that tells players apart.
const ID_SHOWN: usize = 8;

/// The names of the players.
pub(super) struct Players(HashMap<PlayerId, String>);

impl Players {
    /// Names the players of these cells by their labels. A player that is a baseline has the baseline's label. Of players with
    /// equal labels, the later ones have the name of their group too, or else a part of their id.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a PlannedCellRow> + Clone) -> Self {
        let (mut names, mut taken) = (HashMap::new(), HashSet::new());
        let mut name = |params: &ParamSet, label: &str, group: Option<&str>| {
            let id = params.player_id();
            names.entry(id).or_insert_with(|| {
                let short = id.to_string().chars().take(ID_SHOWN).collect::<String>();
                let in_group = group.map(|group| format!("{group}: {label}"));
                let with_id = format!("{label} ({short})");
                let free = |name: &String| !taken.contains(name);
                let name = Some(label.to_owned()).filter(free).or(in_group.filter(free)).unwrap_or(with_id);
                taken.insert(name.clone());
                name
            });
        };
        for cell in cells.clone() {
            name(&cell.spec.baseline, &cell.baseline_label, None);
        }
        for cell in cells {
            name(&cell.spec.case, &cell.case_label, Some(&cell.case_group));
        }
        Self(names)
    }

    /// The name of a player of these cells.
    pub(super) fn name(&self, params: &ParamSet) -> String {
        self.0.get(&params.player_id()).cloned().unwrap_or_default()
    }
}
