//! The tunables of the search, which apply to every game.

use crate::params::{Domain, params, words};

words! {
    /// Which moves of a playout a RAVE update credits.
    RaveCompat {
        /// Every move of the line, in the tree and in the rollout.
        Off = "off",
        /// A defect that the program behind the thesis had from December 2010 to April 2014: rollout moves overwrite
        /// the tree's moves in the list, and the tail of the list holds leftovers of older, longer playouts.
        Thesis2011 = "thesis2011",
    }
}

words! {
    /// How the move to play is chosen among the unproven children of the root.
    FinalMove {
        /// Most simulations.
        Visits = "visits",
        /// Most wins.
        Wins = "wins",
        /// Highest lower bound: the mean with an own RAVE equivalence, minus an exploration term.
        Value = "value",
    }
}

params! {
    /// The parameters of a player's search. See [`SearchParams::TABLE`] for ranges and groups.
    SearchParams {
        exploration: f64 = 0.0, Domain::Real(0.0, 10.0), ["0.5"], "tree",
            "UCB exploration constant c: a child's value gains c·√(ln N / (n + 1)).";
        rave_k: f64 = 500.0, Domain::Real(0.0, 1e6), ["50"], "tree",
            "RAVE equivalence k: the RAVE mean weighs k/(k + n) in a child with n playouts; up to 0.1 RAVE is off.";
        rave_k_per_empty: f64 = 0.0, Domain::Real(0.0, 1e5), ["20"], "tree",
            "Added to rave_k for every empty cell at the node, so that k falls as the board fills.";
        rave_compat: RaveCompat = RaveCompat::Off, Domain::Words(RaveCompat::WORDS), ["thesis2011"], "compatibility",
            "Which moves a RAVE update credits: `off` is correct, `thesis2011` repeats the thesis' defect.";
        rave_probability: f64 = 1.0, Domain::Real(0.0, 1.0), ["0.5"], "tree",
            "Probability that a simulation chooses its way down the tree with RAVE.";
        exploration_probability: f64 = 1.0, Domain::Real(0.0, 1.0), ["0.5 exploration=0.5"], "tree",
            "Probability that a simulation chooses its way down the tree with exploration.";
        widening: f64 = 0.0, Domain::Real(0.0, 1000.0), ["1.5"], "tree",
            "Above 1, looks only at the first 2 + ⌊ln N / ln w⌋ unproven children by knowledge; up to 1 at all of them.";
        draw_detection: bool = false, Domain::Flag, ["true"], "tree",
            "Looks at expansion whether either side could still win: if neither, a draw; if one, the other cannot.";
        fpu: f64 = 1.0, Domain::Real(0.0, 10.0), ["0.6"], "tree",
            "First-play urgency: the value of a child without playouts or RAVE playouts.";
        expand_visits: u32 = 1, Domain::Whole(0.0, 1e6), ["4"], "tree",
            "Playouts a leaf has before it is expanded; 1 expands at the second visit.";
        lookahead: u32 = 2, Domain::Whole(0.0, 2.0), ["0", "1"], "tree",
            "Plies searched for wins at expansion: 0 none, 1 own wins, 2 also forced replies and double threats.";
        keep_tree: bool = true, Domain::Flag, ["false"], "tree",
            "Keeps the subtree of the moves played for the next search.";
        rollouts: u32 = 1, Domain::Whole(1.0, 1000.0), ["3"], "tree",
            "Rollouts from the same leaf in one simulation.";
        final_move: FinalMove = FinalMove::Visits, Domain::Words(FinalMove::WORDS), ["wins"], "tree",
            "How the move to play is chosen among unproven children.";
        final_rave_k: f64 = 0.0, Domain::Real(0.0, 1e6), ["500 final_move=value final_exploration=0.2"], "tree",
            "RAVE equivalence k of the final move by `value`.";
        final_exploration: f64 = 1.0, Domain::Real(0.0, 10.0), [], "tree",
            "Constant E of the final move by `value`: a child loses E·√(ln N / (n + 1)).";
        memory_mib: u32 = 1000, Domain::Whole(1.0, 4096.0), ["1"], "tree",
            "Memory of the tree in MiB, all told: a full tree drops the children of the nodes with the fewest playouts.";
    }
}

impl AsRef<Self> for SearchParams {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsMut<Self> for SearchParams {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

impl SearchParams {
    /// Whether RAVE is on. `rave_k` up to 0.1 switches RAVE off, whatever `rave_k_per_empty` is.
    pub(crate) fn uses_rave(&self) -> bool {
        self.rave_k > 0.1
    }

    /// Whether children have exploration terms.
    pub(crate) fn explores(&self) -> bool {
        self.exploration > 0.0
    }

    /// Whether RAVE lists repeat the defect of the thesis' program.
    pub(crate) fn overwrites_tree_moves(&self) -> bool {
        self.rave_compat == RaveCompat::Thesis2011
    }

    /// The canonical form of all parameters whose searches choose the same moves: parameters without effect have fixed
    /// values, mostly their defaults. `knows` says whether heuristics give knowledge.
    ///
    /// Two searches share a canonical form only if they play the same bit for bit under every memory limit. (RAVE that
    /// no simulation chooses with differs from no RAVE: its counters take memory, so that a full tree drops other
    /// nodes.)
    pub(crate) fn canonical(&self, knows: bool) -> Self {
        let mut params = self.clone();
        params.settle_rave();
        params.settle_choice();
        params.settle_urgency(knows);
        params
    }

    fn settle_rave(&mut self) {
        if !self.uses_rave() {
            (self.rave_k, self.rave_k_per_empty, self.rave_compat) = (0.0, 0.0, RaveCompat::Off);
        }
    }

    /// The parameters of how simulations and final moves choose.
    fn settle_choice(&mut self) {
        let (rave, exploration) = (self.uses_rave(), self.explores());
        let samples_rave = rave && self.rave_probability < 1.0;
        // If one of the two terms is sampled, the other consumes random numbers too when its probability is strictly
        // between 0 and 1, even where it has no effect.
        if !rave && !self.samples_exploration() {
            self.rave_probability = 1.0;
        }
        if !exploration {
            let draws =
                samples_rave && self.exploration_probability > 0.0 && self.exploration_probability < 1.0;
            self.exploration_probability = if draws { 0.5 } else { 1.0 };
        }
        if self.widening <= 1.0 {
            self.widening = 0.0;
        }
        let by_value = self.final_move == FinalMove::Value;
        if !by_value || self.final_rave_k <= 0.1 {
            self.final_rave_k = 0.0;
        }
        if !by_value {
            self.final_exploration = 1.0;
        }
    }

    fn samples_exploration(&self) -> bool {
        self.explores() && self.exploration_probability < 1.0
    }

    /// Without knowledge no mean is above 1. So every first-play urgency above 1 puts unvisited moves first, unless
    /// there is RAVE with exploration. Without RAVE and with enough exploration (see `Terms::unvisited_first`), 1 has
    /// the same effect.
    fn settle_urgency(&mut self, knows: bool) {
        let rave = self.uses_rave();
        if knows || (rave && self.explores()) || self.samples_exploration() || self.fpu as f32 <= 1.0 {
            return;
        }
        self.fpu = if !rave && self.exploration as f32 > 0.02 { 1.0 } else { 2.0 };
    }
}
