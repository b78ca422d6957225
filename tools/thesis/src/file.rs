//! The file of conclusions.

use anyhow::{Context, bail, ensure};
use engine::havannah::BoardSize;
use gauntlet::commands::compare::published;
use gauntlet::commands::compare::report::{Assumptions, Comparison, Variant};
use protocol::experiment::nearest;
use protocol::report::Series;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The two programs that play each figure.
pub(crate) const CORRECT: &str = "correct RAVE";
pub(crate) const DEFECT: &str = "with the defect";

/// The conclusions of a publication.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    /// The publication.
    pub(crate) publication: String,
    /// The experiment of a figure is called by this word, a slash and the figure's name.
    experiments: String,
    /// Its points, from the folder of the file.
    pub(crate) published: PathBuf,
    /// The budget of a move, such as `5 s` or `300 sims`. Games at other budgets do not count.
    budget: String,
    /// The baselines or groups of the correct program.
    pub(crate) correct: Vec<String>,
    /// The baselines or groups of the program as it was published.
    pub(crate) defect: Vec<String>,
    /// The number of games that is assumed for a published point; by default that of `gauntlet compare --games`.
    published_games: Option<u32>,
    /// Where a reader finds what, before the table of the front page.
    #[serde(default)]
    pub(crate) guide: String,
    /// What a person read from the table of which program each figure resembles.
    #[serde(default)]
    pub(crate) programs: String,
    /// Paragraphs of the front page: method, machine, and what differs from the publication.
    pub(crate) method: String,
    /// Its figures.
    #[serde(rename = "figure")]
    pub(crate) figures: Vec<Figure>,
    /// What a person read from all effects at several budgets.
    #[serde(default)]
    pub(crate) budgets: String,
    /// Effects at several budgets.
    #[serde(rename = "by_time", default)]
    pub(crate) effects: Vec<ByTime>,
}

impl File {
    /// The assumptions of all comparisons.
    pub(crate) fn assumptions(&self) -> Assumptions {
        let published_games = self.published_games.unwrap_or(300);
        Assumptions { published_games, margin: 0.1, confidence: 0.95 }
    }

    /// The budget of a figure's moves.
    pub(crate) fn budget<'f>(&'f self, figure: &'f Figure) -> &'f str {
        figure.budget.as_deref().unwrap_or(&self.budget)
    }

    /// A name for the database of its games.
    pub(crate) fn database(&self) -> String {
        format!("{}.db", self.experiments)
    }

    /// The name of a figure's experiment.
    pub(crate) fn experiment(&self, figure: &Figure) -> String {
        format!("{}/{}", self.experiments, figure.name)
    }

    /// The program that a series of a figure is played with: the name of its group or its baseline tells.
    pub(crate) fn program(&self, series: &Series) -> Option<&'static str> {
        let is_of =
            |names: &[String]| names.contains(&series.group) || names.contains(&series.baseline_label);
        let programs = [(CORRECT, &self.correct), (DEFECT, &self.defect)];
        programs.into_iter().find(|(_, names)| is_of(names)).map(|(program, _)| program)
    }

    /// The names of the experiments, each with the name of its export.
    pub(crate) fn exports(&self) -> impl Iterator<Item = (String, String)> {
        let figures = self.figures.iter().map(|figure| (self.experiment(figure), figure.name.clone()));
        let effects = self.effects.iter().map(|effect| (effect.experiment(), effect.export()));
        figures.chain(effects)
    }
}

/// An effect at several budgets. No verdict is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByTime {
    /// The name, such as `rave`. The experiment is `by-time/NAME`, and the results are `results/by-time-NAME.json`.
    pub(crate) name: String,
    /// What the effect is.
    pub(crate) title: String,
    /// What a person read from the results.
    #[serde(default)]
    pub(crate) finding: String,
}

impl ByTime {
    /// The name of its experiment.
    pub(crate) fn experiment(&self) -> String {
        format!("by-time/{}", self.name)
    }

    /// The name of its export and its pages.
    pub(crate) fn export(&self) -> String {
        format!("by-time-{}", self.name)
    }
}

/// A figure, and what it is said to show.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    /// The name, such as `ravegraph`. The results are `results/NAME.json`.
    pub(crate) name: String,
    /// What the figure is about.
    pub(crate) title: String,
    /// Where the publication has the figure, such as `figure 4.3, page 42`; empty if only its source has it.
    #[serde(default)]
    place: String,
    /// When the publication's program got the feature, such as `April 2010`.
    #[serde(default)]
    pub(crate) since: String,
    /// What the publication says of the figure, in short.
    pub(crate) statement: String,
    /// What is judged, in a sentence.
    pub(crate) conclusion: String,
    /// What the claims are about, if that is less than the publication says: the verdict is "holds for PART".
    pub(crate) part: Option<String>,
    /// The budget of a move, if it is another one than that of the file.
    budget: Option<String>,
    /// Whether its page also tells the costs of the first move of a game, because the publication has these.
    #[serde(default)]
    pub(crate) first_move: bool,
    /// What the sentence says in numbers. The conclusion holds if all claims hold.
    #[serde(rename = "claim")]
    pub(crate) claims: Vec<Claim>,
    /// Other statements of the publication about the figure. Each has its own finding, and none decides the verdict.
    #[serde(rename = "also", default)]
    pub(crate) also: Vec<Claim>,
}

impl Figure {
    /// Where the publication has the figure, in a table.
    pub(crate) fn place(&self) -> &str {
        if self.is_printed() { &self.place } else { "in the source only" }
    }

    pub(crate) fn is_printed(&self) -> bool {
        !self.place.is_empty()
    }

    /// What decides the verdict, and what does not.
    pub(crate) fn all_claims(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().chain(&self.also)
    }
}

impl Figure {
    /// Refuses a claim about a case or sizes that the publication has no points of.
    pub(crate) fn check(&self, published: &published::Figure) -> anyhow::Result<()> {
        for claim in self.all_claims() {
            let mut sizes = Vec::new();
            for case in claim.cases() {
                let known = published_sizes(published, case)?;
                if let Some(missing) = claim.sizes.difference(&known).next() {
                    bail!("`{case}` was not published on size {missing} of this claim: {}", claim.words());
                }
                sizes.push((case, known));
            }
            if let [(case, some), (other, others)] = &sizes[..]
                && claim.sizes.is_empty()
                && some != others
            {
                bail!(
                    "`{case}` was published on {}, and `{other}` on {}: give the claim the `sizes` that both have",
                    on(some),
                    on(others)
                );
            }
        }
        Ok(())
    }
}

impl Figure {
    /// Refuses a claim about a case that one program plays several times: one of them would be judged, and it is unknown which.
    pub(crate) fn check_played(&self, comparison: &Comparison) -> anyhow::Result<()> {
        for case in self.all_claims().flat_map(Claim::cases) {
            let has_case = |variant: &&Variant| variant.points.iter().any(|point| point.series == *case);
            let names: Vec<&str> =
                comparison.variants().filter(has_case).map(|variant| variant.name.as_str()).collect();
            ensure!(
                names.len() <= 1,
                "a claim is about `{case}`, which one program plays several times ({}): leave one of these in `correct` or `defect`",
                names.join("; ")
            );
        }
        Ok(())
    }
}

/// The sizes on which a case was published.
fn published_sizes(published: &published::Figure, case: &str) -> anyhow::Result<BTreeSet<u8>> {
    let names: Vec<&str> = published.series.iter().map(|series| series.name.as_str()).collect();
    let series = published.series.iter().find(|series| series.name == case).with_context(|| {
        format!("a claim is about `{case}`, which was not published; {}", nearest(case, &names))
    })?;
    Ok(series.points.iter().map(|point| point.size.get()).collect())
}

/// A statement about the mean win rate of a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// The series of the figure.
    pub(crate) case: String,
    /// The case in words, for people who do not know the names of series.
    #[serde(default)]
    label: Option<String>,
    /// What the publication says, of a claim that does not decide the verdict.
    #[serde(default)]
    pub(crate) statement: String,
    /// What its rate is, against the figure's baseline.
    pub(crate) says: ClaimKind,
    /// With another case, the claim is about the difference of both rates, and 50 % stands for no difference.
    #[serde(default)]
    pub(crate) than: Option<String>,
    /// The sizes; empty for all that were published.
    #[serde(default)]
    sizes: BTreeSet<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClaimKind {
    /// Above 50 %.
    Better,
    /// Below 50 %.
    Worse,
    /// Within five points of 50 %.
    Alike,
    /// Below 55 %.
    NotBetter,
    /// Above 45 %.
    NotWorse,
}

/// Rates within so much of 50 % are alike. The figures of the thesis have errors of up to five points.
const ALIKE: f64 = 0.05;

impl ClaimKind {
    /// The rates of which the claim is true lie between these ends, without the ends.
    pub(crate) fn rates(self) -> (f64, f64) {
        match self {
            Self::Better => (0.5, f64::INFINITY),
            Self::Worse => (f64::NEG_INFINITY, 0.5),
            Self::Alike => (0.5 - ALIKE, 0.5 + ALIKE),
            Self::NotBetter => (f64::NEG_INFINITY, 0.5 + ALIKE),
            Self::NotWorse => (0.5 - ALIKE, f64::INFINITY),
        }
    }
}

impl Claim {
    pub(crate) fn is_on(&self, size: BoardSize) -> bool {
        self.sizes.is_empty() || self.sizes.contains(&size.get())
    }

    /// The case, and the other one that it is compared with.
    fn cases(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.case).chain(&self.than)
    }

    /// The claim in words.
    pub(crate) fn words(&self) -> String {
        let says = match (self.says, &self.than) {
            (ClaimKind::Better, None) => "scores above 50 %".to_owned(),
            (ClaimKind::Worse, None) => "scores below 50 %".to_owned(),
            (ClaimKind::Alike, None) => "scores within five points of 50 %".to_owned(),
            (ClaimKind::NotBetter, None) => "scores below 55 %".to_owned(),
            (ClaimKind::NotWorse, None) => "scores above 45 %".to_owned(),
            (ClaimKind::Better, Some(other)) => format!("scores more than `{other}`"),
            (ClaimKind::Worse, Some(other)) => format!("scores less than `{other}`"),
            (ClaimKind::Alike, Some(other)) => format!("scores within five points of `{other}`"),
            (ClaimKind::NotBetter, Some(other)) => format!("scores at most five points more than `{other}`"),
            (ClaimKind::NotWorse, Some(other)) => format!("scores at most five points less than `{other}`"),
        };
        let on = match self.sizes.len() {
            0 => "all sizes together".to_owned(),
            1 => on(&self.sizes),
            _ => format!("{} together", on(&self.sizes)),
        };
        format!("`{}` {says}, {on}", self.case)
    }

    /// The case in words.
    fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.case)
    }

    /// The case in words, with the sizes if they are not all.
    pub(crate) fn of(&self) -> String {
        if self.sizes.is_empty() {
            self.label().to_owned()
        } else {
            format!("{}, {}", self.label(), on(&self.sizes))
        }
    }
}

/// Sizes in words, of which there is one at least.
fn on(sizes: &BTreeSet<u8>) -> String {
    let sizes: Vec<u8> = sizes.iter().copied().collect();
    match sizes.as_slice() {
        [one] => format!("size {one}"),
        [first, .., last] if usize::from(last - first) == sizes.len() - 1 => {
            format!("sizes {first} to {last}")
        }
        sizes => {
            format!("sizes {}", sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<File> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let file: File = toml::from_str(&text).with_context(|| format!("{name} is no file of conclusions"))?;
    ensure!(file.published_games != Some(0), "{name}: published_games is 1 or more");
    let mut names = BTreeSet::new();
    for figure in &file.figures {
        if let Some(claim) = figure.all_claims().find(|claim| claim.than.as_ref() == Some(&claim.case)) {
            bail!("{name}: figure `{}`: `{}` is compared with itself", figure.name, claim.case);
        }
        ensure!(names.insert(&figure.name), "{name}: two figures are called `{}`", figure.name);
        ensure!(!figure.claims.is_empty(), "{name}: figure `{}` has no [[figure.claim]]", figure.name);
        ensure!(
            figure.also.iter().all(|claim| !claim.statement.is_empty()),
            "{name}: figure `{}`: a [[figure.also]] has no `statement`",
            figure.name
        );
        for size in figure.all_claims().flat_map(|claim| &claim.sizes) {
            if BoardSize::new(*size).is_err() {
                bail!("{name}: figure `{}`: {size} is no board size from 3 to 10", figure.name);
            }
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_the_thesis_has_claims_on_series_that_were_published() {
        let folder = Path::new(crate::ROOT).join("docs/thesis");
        let file = read(&folder.join("conclusions.toml")).expect("conclusions");
        let published = published::read(&folder.join(&file.published)).expect("points");
        assert_eq!(file.figures.len(), published.len());
        for figure in &file.figures {
            let name = format!("fig:{}", figure.name);
            let points = published.iter().find(|known| known.name == name).expect(&name);
            figure.check(points).expect("points of all claims");
        }
    }

    #[test]
    fn a_claim_about_what_was_not_published_is_refused() {
        let point =
            |size| published::Point { size: BoardSize::new(size).expect("a size"), rate: 0.5, games: None };
        let series = |name: &str, sizes: &[u8]| published::Series {
            name: name.to_owned(),
            points: sizes.iter().copied().map(point).collect(),
        };
        let series = vec![series("rave_k", &[4]), series("uct", &[4, 5])];
        let published = published::Figure { name: "fig:f".to_owned(), series };
        let refused = |claim: &str| {
            let head = "name = \"f\"\ntitle = \"F\"\nstatement = \"S.\"\nconclusion = \"C.\"\n";
            let figure: Figure =
                toml::from_str(&format!("{head}[[claim]]\nsays = \"better\"\n{claim}")).expect("a figure");
            format!("{:#}", figure.check(&published).expect_err(claim))
        };
        let case = refused("case = \"rave-k\"");
        assert!(case.contains("`rave-k`") && case.contains("`rave_k`"), "{case}");
        let size = refused("case = \"rave_k\"\nsizes = [4, 5]");
        assert!(size.contains("`rave_k` was not published on size 5 of this claim"), "{size}");
        let sizes = refused("case = \"rave_k\"\nthan = \"uct\"");
        assert!(sizes.contains("`rave_k` was published on size 4, and `uct` on sizes 4 to 5"), "{sizes}");
    }

    #[test]
    fn a_mistake_is_told_with_its_place() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("conclusions.toml");
        let head = "publication = \"P\"\nexperiments = \"e\"\npublished = \"p.csv\"\nbudget = \"5 s\"\ncorrect = []\ndefect = []\nmethod = \"\"\n";
        let figure = "[[figure]]\nname = \"f\"\ntitle = \"F\"\nstatement = \"S.\"\nconclusion = \"C.\"\n";
        let claim = "[[figure.claim]]\ncase = \"1\"\nsays = \"better\"\n";
        for (text, expected) in [
            (format!("{head}{figure}{claim}{figure}{claim}"), "two figures are called `f`"),
            (format!("{head}{figure}"), "claim"),
            (format!("{head}{figure}{claim}sizes = [2]\n"), "figure `f`: 2 is no board size from 3 to 10"),
            (
                format!("{head}{figure}{}", claim.replace("better", "best")),
                "unknown variant `best`, expected one of `better`",
            ),
            (format!("{head}{figure}{claim}size = 4\n"), "unknown field `size`"),
            (format!("{head}{figure}{claim}than = \"1\"\n"), "figure `f`: `1` is compared with itself"),
            (format!("published_games = 0\n{head}{figure}{claim}"), "published_games is 1 or more"),
        ] {
            std::fs::write(&path, &text).expect("written");
            let error = format!("{:#}", read(&path).expect_err(&text));
            assert!(error.contains(expected) && error.contains("conclusions.toml"), "{error}");
        }
    }
}
