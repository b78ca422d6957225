//! The parameters of a Havannah player: those of its search and those of its heuristics.
//!
//! The default of a tunable must switch its feature off or keep the previous behaviour, because a player is identified
//! by its differences from the defaults ([`Params::differences`]). Then a new tunable changes no game of any player,
//! and [`crate::SEMANTICS`] stays the same.

mod presets;

use crate::params::{Domain, ParamInfo, ParamValue, SetParamError, params, words};
use crate::search::SearchParams;

words! {
    /// How locality and group size are counted.
    KnowledgeCompat {
        /// As described.
        Off = "off",
        /// As in the published program.
        Published = "published",
    }
}

words! {
    /// How far the search for distances to win goes.
    DistanceCompat {
        /// Over the whole board.
        Off = "off",
        /// As in the published program: up to n stones from each corner and side of a board of size n.
        Published = "published",
    }
}

words! {
    /// Where playouts look for a mate in one.
    MateInOneCompat {
        /// Around the group of the opponent's last stone. This is level 3 of the published program.
        Off = "off",
        /// On the whole board, for own wins only: the first winning cell is played. Wins of the opponent are not
        /// stopped.
        Level1 = "level1",
        /// As level 1. If there is no own win, the last winning cell of the opponent is taken.
        Level2 = "level2",
        /// Around the group of the opponent's last stone, but only if that stone is on a corner or side. Threats that a
        /// stone further inside makes are ignored, so nearly all threats of rings.
        Level4 = "level4",
    }
}

words! {
    /// What playouts learn from earlier ones of the same search.
    LastGoodReply {
        /// Nothing.
        Off = "off",
        /// The winner's replies, which are kept until others replace them.
        Keep = "lgr",
        /// As `lgr`, and the loser's replies are forgotten.
        Forget = "lgrf",
    }
}

words! {
    /// How playouts look for mates in one and count the depth of rings.
    PlayoutCompat {
        /// As described.
        Off = "off",
        /// As in the published program.
        Published = "published",
    }
}

words! {
    /// How playouts search for a ring that needs more than six stones, or permanent stones.
    RingCompat {
        /// Exactly.
        Off = "off",
        /// As in the published program. The search begins at the new stone and goes left, straight on or right, in this
        /// order, until a stone ahead is already on the path. It then tries no further direction there. The stone ahead
        /// need not be the new stone, so the new stone may be outside the ring, and permanent stones on the way to the
        /// ring count too.
        Published = "published",
    }
}

params! {
    /// The parameters of a player's heuristics. See [`HeuristicParams::TABLE`] for ranges and groups.
    HeuristicParams {
        maintain_vc: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["20"], "knowledge",
            "Weight of replies that keep a virtual connection just intruded on: hundredths of a win.";
        locality: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["5"], "knowledge",
            "Weight of nearness to own stones: 3 points adjacent, 2 at a two-bridge, 1 straight at distance two.";
        locality_any: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["5"], "knowledge",
            "Weight of nearness to stones of either side, with the points of `locality`.";
        local_reply: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["5"], "knowledge",
            "Weight of nearness to the opponent's last move: 3, 2 and 1 points at distance 1, 2 and 3.";
        connectivity: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["20"], "knowledge",
            "Weight of each corner and side touched by the group that the move would belong to.";
        group_size: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["2"], "knowledge",
            "Weight of each stone of the groups that the move would join.";
        distance: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["2"], "knowledge",
            "Weight of each stone fewer than 2n - 1 that the mover needs to win through the cell.";
        distance_both: f64 = 0.0, Domain::Real(-1000.0, 1000.0), ["2"], "knowledge",
            "Weight of the same for whichever side needs fewer.";
        distance_compat: DistanceCompat = DistanceCompat::Off, Domain::Words(DistanceCompat::WORDS),
            ["published distance=2", "published distance_both=2"], "compatibility",
            "How far distances to win are looked for: `off` everywhere, `published` n stones from each corner and side.";
        knowledge_compat: KnowledgeCompat = KnowledgeCompat::Off, Domain::Words(KnowledgeCompat::WORDS),
            ["published locality=5 group_size=2 mate_in_one=271 ring_depth_share=0.5 playout_compat=published"], "compatibility",
            "How locality and group size are counted: `off` as described, `published` as the published program did.";
        mate_in_one: u32 = 0, Domain::Whole(0.0, 1000.0), ["271"], "playouts",
            "Choices of a playout at which the opponent's last group is kept from winning at once; 271 or more are all.";
        mate_in_one_per_size: f64 = 0.0, Domain::Real(0.0, 100.0), ["1"], "playouts",
            "Added to mate_in_one for each cell on a side of the board.";
        mate_in_one_compat: MateInOneCompat = MateInOneCompat::Off, Domain::Words(MateInOneCompat::WORDS),
            [
                "level1 mate_in_one=271", "level2 mate_in_one=271", "level4 mate_in_one=271",
                "level2 mate_in_one=271 playout_compat=published", "level4 mate_in_one=271 playout_compat=published"
            ], "compatibility",
            "Mates in one looked for: `off` the last group's, `level1` own, `level2` both sides', `level4` those at the rim.";
        vc_replies: bool = false, Domain::Flag, ["true"], "playouts",
            "Whether playouts answer an intrusion into a virtual connection.";
        last_good_reply: LastGoodReply = LastGoodReply::Off, Domain::Words(LastGoodReply::WORDS), ["lgr", "lgrf"], "playouts",
            "Replies that won earlier playouts of the search: `lgr` plays them again, `lgrf` also forgets those that lost.";
        ring_probability: f64 = 1.0, Domain::Real(0.0, 1.0), ["0.5"], "playouts",
            "Share of the playouts in which rings count.";
        ring_depth: u32 = 1000, Domain::Whole(0.0, 1000.0), ["20"], "playouts",
            "Moves of a playout in which rings count; 271 or more are all.";
        ring_depth_share: f64 = 1.0, Domain::Real(0.0, 1000.0), ["0.5"], "playouts",
            "The same as a share of its empty cells; rings count while both limits allow it. More than 1 matters as published only.";
        ring_size: u32 = 6, Domain::Whole(6.0, 271.0), ["8"], "playouts",
            "Stones that a ring needs to count in a playout.";
        ring_growth: u32 = 0, Domain::Whole(0.0, 1000.0), ["30"], "playouts",
            "Moves of a playout after each of which a ring needs a stone more; 0 for never.";
        ring_growth_share: f64 = 0.0, Domain::Real(0.0, 1.0), ["0.3"], "playouts",
            "The same as a share of its empty cells; rings grow by both.";
        ring_permanent: u32 = 0, Domain::Whole(0.0, 271.0), ["2"], "playouts",
            "Stones from before the playout that a ring needs to count in it.";
        ring_compat: RingCompat = RingCompat::Off, Domain::Words(RingCompat::WORDS),
            [
                "published ring_permanent=2", "published ring_growth=30", "published ring_permanent=2 mate_in_one=271",
                "published ring_permanent=2 mate_in_one=271 mate_in_one_compat=level2"
            ], "compatibility",
            "How playouts search for rings with enough stones: `off` exactly, `published` takes lassos for rings.";
        playout_compat: PlayoutCompat = PlayoutCompat::Off, Domain::Words(PlayoutCompat::WORDS), [], "compatibility",
            "How playouts look for mates in one and count the depth of rings: `off` as described, or as `published`.";
    }
}

/// A player's complete parameter set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    /// The parameters of the search.
    pub search: SearchParams,
    /// The parameters of knowledge and playouts.
    pub heuristics: HeuristicParams,
}

impl AsRef<SearchParams> for Params {
    fn as_ref(&self) -> &SearchParams {
        &self.search
    }
}

impl From<Params> for SearchParams {
    fn from(params: Params) -> Self {
        params.search
    }
}

impl AsMut<SearchParams> for Params {
    fn as_mut(&mut self) -> &mut SearchParams {
        &mut self.search
    }
}

impl Params {
    /// Every tunable: first those of the search, then those of the heuristics.
    pub const TABLE: &'static [ParamInfo] = {
        const FIRST: &[ParamInfo] = SearchParams::TABLE;
        const SECOND: &[ParamInfo] = HeuristicParams::TABLE;
        const ALL: [ParamInfo; FIRST.len() + SECOND.len()] = {
            let mut all = [FIRST[0]; FIRST.len() + SECOND.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = if i < FIRST.len() { FIRST[i] } else { SECOND[i - FIRST.len()] };
                i += 1;
            }
            all
        };
        &ALL
    };

    /// The value of a tunable; `None` if there is no tunable of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<ParamValue> {
        self.search.get(name).or_else(|| self.heuristics.get(name))
    }

    /// Sets a tunable.
    ///
    /// # Errors
    /// If there is no tunable of this name, the error names the nearest one. If the value is outside the domain, the
    /// error names the domain.
    pub fn set(&mut self, name: &str, value: &ParamValue) -> Result<(), SetParamError> {
        let set = self.search.set_own(name, value).or_else(|| self.heuristics.set_own(name, value));
        set.unwrap_or_else(|| {
            Err(SetParamError::UnknownName { name: name.to_owned(), nearest: Self::nearest(name) })
        })
    }

    /// The table's row of a tunable.
    #[must_use]
    pub fn info(name: &str) -> Option<&'static ParamInfo> {
        Self::TABLE.iter().find(|info| info.name == name)
    }

    /// The most similar name of the table, if any is similar enough.
    #[must_use]
    pub fn nearest(name: &str) -> Option<&'static str> {
        crate::spelling::closest(name, Self::TABLE.iter().map(|info| info.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_inside_their_domains_and_survive_a_round_trip() {
        let default = Params::default();
        for info in Params::TABLE {
            let value = default.get(info.name).expect("listed");
            let mut other = Params::default();
            other.set(info.name, &value).expect(info.name);
            assert_eq!(other, default, "{}", info.name);
            let text: ParamValue = value.to_string().parse().expect("infallible");
            assert_eq!(text, value, "{}", info.name);
        }
    }

    #[test]
    fn a_misspelt_name_names_the_nearest_one() {
        let error = Params::default().set("rave_kk", &ParamValue::Number(1.0)).expect_err("unknown");
        assert!(error.to_string().contains("did you mean `rave_k`"), "{error}");
    }

    #[test]
    fn values_outside_the_domain_are_refused_with_the_domain() {
        let mut params = Params::default();
        for (name, value) in [
            ("lookahead", ParamValue::Number(3.0)),
            ("lookahead", ParamValue::Number(1.5)),
            ("exploration", ParamValue::Number(f64::NAN)),
            ("exploration", ParamValue::Number(-0.1)),
            ("keep_tree", ParamValue::Number(1.0)),
            ("rave_compat", ParamValue::Word("on".into())),
        ] {
            let error = params.set(name, &value).expect_err(name);
            assert!(error.to_string().contains("takes"), "{error}");
        }
        assert_eq!(params, Params::default());
    }
}
