//! How many games the cells of each figure have.

use engine::havannah::BoardSize;
use indicatif::HumanCount;
use protocol::report::Series;
use protocol::words::quoted;
use std::collections::BTreeMap;

/// The name of the page.
pub(crate) const NAME: &str = "played";

/// The least games of a cell in each column of the table, but for the first, which has none.
const FROM: [u64; 3] = [1, 20, 40];

/// The cells of a figure, or of an effect at several budgets.
pub(crate) struct Cells {
    title: String,
    page: String,
    /// The games of each cell, with its case and its size.
    games: BTreeMap<String, Vec<(BoardSize, u64)>>,
}

impl Cells {
    pub(crate) fn of<'s>(title: &str, page: &str, series: impl Iterator<Item = &'s Series>) -> Self {
        let mut games: BTreeMap<String, Vec<(BoardSize, u64)>> = BTreeMap::new();
        for series in series {
            let Series { group, label, baseline_label, budget, .. } = series;
            let case = format!("{group} {label} against {baseline_label}, {budget} a move");
            let cells = series.points.iter().map(|point| (point.size, point.games));
            games.entry(case).or_default().extend(cells);
        }
        Self { title: title.to_owned(), page: page.to_owned(), games }
    }

    fn all(&self) -> impl Iterator<Item = u64> {
        self.games.values().flatten().map(|(_, games)| *games)
    }

    /// The number of cells without games, and with the games of each column.
    fn columns(&self) -> [usize; FROM.len() + 1] {
        let mut columns = [0; FROM.len() + 1];
        self.all().for_each(|games| columns[FROM.iter().filter(|from| games >= **from).count()] += 1);
        columns
    }
}

/// The page.
pub(crate) fn page(all: &[Cells]) -> String {
    let mut out = String::from(
        "# How many games each figure has\n\nA cell is a case on a board size at a budget. A figure has the cells of both programs. Cells that a conclusion names \
         were played first, until the conclusion was decided. The others got what was left.\n\n\
         | figure | games | cells | no game | 1 to 19 games | 20 to 39 | 40 or more |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let row = |name: &str, games: u64, columns: &[usize]| {
        let cells = columns.iter().map(|cells| format!(" {cells} |"));
        let sum: usize = columns.iter().sum();
        format!("| {name} | {} | {sum} |{}\n", HumanCount(games), cells.collect::<String>())
    };
    let mut sum = [0; FROM.len() + 1];
    for one in all {
        let columns = one.columns();
        sum.iter_mut().zip(columns).for_each(|(sum, cells)| *sum += cells);
        out += &row(&format!("[{}]({}.md)", one.title, one.page), one.all().sum(), &columns);
    }
    out += &row("all, where shared cells count twice", all.iter().flat_map(Cells::all).sum(), &sum);
    out += "\n## Cells without a game\n\n";
    let missing = all.iter().flat_map(|one| {
        one.games.iter().filter_map(|(case, cells)| {
            let sizes = cells.iter().filter(|(_, games)| *games == 0).map(|(size, _)| size.to_string());
            let sizes = Vec::from_iter(sizes).join(", ");
            (!sizes.is_empty()).then(|| format!("* {}: {} on size {sizes}\n", one.title, quoted(case)))
        })
    });
    let missing: String = missing.collect();
    out + if missing.is_empty() { "None.\n" } else { &missing }
}
