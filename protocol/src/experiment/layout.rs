//! The layout of an experiment file: its sections, with their keys and examples.

/// The longest name of an experiment, id of a row and label of a case, in characters.
pub(super) const LONGEST_NAME: usize = 60;

/// A section of a file.
pub(super) struct SectionKind {
    /// The key in the file.
    pub(super) key: &'static str,
    /// The heading in the file.
    pub(super) title: &'static str,
    /// An example. The examples of all sections together are an experiment.
    pub(super) example: &'static str,
    /// Keys that only this section has.
    keys: &'static [&'static str],
}

/// The sections, in the usual order.
pub(super) const SECTIONS: [SectionKind; 10] = [
    SectionKind {
        key: "experiment",
        title: "[experiment]",
        example: "name = \"my-sweep\"\nquestion = \"Which rave_k wins?\"",
        keys: &["name", "question"],
    },
    SectionKind {
        key: "baseline",
        title: "[[baseline]]",
        example: "id = \"uct\"\npreset = \"uct\"",
        keys: &[],
    },
    SectionKind {
        key: "test",
        title: "[[test]]",
        example: "id = \"rave\"\nsweep = { rave_k = [10, 100, 1000] }",
        keys: &["against", "sweep"],
    },
    SectionKind {
        key: "player",
        title: "[[player]]",
        example: "id = \"rave\"\npreset = \"rave\"",
        keys: &[],
    },
    SectionKind { key: "sizes", title: "[sizes]", example: "4 = 1\n6 = 1", keys: &[] },
    SectionKind {
        key: "budget",
        title: "[[budget]]",
        example: "id = \"quick\"\nsims = 2000",
        keys: &["reference_seconds", "sims"],
    },
    SectionKind {
        key: "play",
        title: "[play]",
        example: "games_per_cell = 100",
        keys: &["games_per_cell", "opening_plies", "openings", "seed"],
    },
    SectionKind {
        key: "stop",
        title: "[stop]",
        example: "rule = \"sprt\"\nelo = [0, 20]",
        keys: &[
            "rule",
            "elo",
            "score",
            "normalised_elo",
            "alpha",
            "beta",
            "half_width",
            "interval",
            "confidence",
        ],
    },
    SectionKind {
        key: "tune",
        title: "[tune]",
        example: "games = 2000\nparameters = { rave_k = { range = [10, 1000], scale = \"log\" } }",
        keys: &["confirm", "games", "objective", "parameters", "strategy"],
    },
    SectionKind { key: "allocation", title: "[allocation]", example: "policy = \"best\"", keys: &["policy"] },
];

/// Whether a file needs this section. A file has baselines and tests, or players, or both, or a baseline and a tune. It needs
/// no rule for stopping and no policy.
pub(super) fn is_needed(section: &SectionKind, has: impl Fn(&str) -> bool) -> bool {
    match section.key {
        "player" | "stop" | "tune" | "allocation" => false,
        "baseline" => has("test") || !has("player"),
        "test" => !has("player") && !has("tune"),
        _ => true,
    }
}

/// Whether a file may contain several of these sections.
pub(super) fn is_list(section: &SectionKind) -> bool {
    section.title.starts_with("[[")
}

/// The only section that has this key.
pub(super) fn home(key: &str) -> Option<&'static str> {
    SECTIONS.iter().find(|section| section.keys.contains(&key)).map(|section| section.title)
}
