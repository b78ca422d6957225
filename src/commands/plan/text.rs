//! A plan for people.

use super::cost::{hours, probe_seconds};
use super::figures::{Cost, Detectable, Plan, SweptParameter, TestGroup};
use super::measured::MACHINE;
use crate::commands::columns::aligned;
use crate::commands::test_length;
use crate::commands::time::rounded;
use protocol::words::{count, counted, number};

/// Cases of a test group that are listed, and values of a parameter.
const SHOWN: usize = 12;
/// Values of a longer list before and after the dots.
const AROUND: (usize, usize) = (4, 2);

impl Plan {
    /// The plan as text and tables.
    pub(super) fn text(&self) -> String {
        let mut out = format!("{}: {}\n\n", self.name, self.question);
        for group in &self.tests {
            out += &cases(group);
        }
        out.push('\n');
        out += &self.by_test();
        out.push('\n');
        out += &self.by_size();
        out += "\nA cell is one case against one baseline on one board size with one budget. Plies are the moves of both players in a \
                typical game of these cells. Core-hours are hours of one core of this machine.\n\n";
        for detectable in &self.detectable {
            out += &in_words(detectable);
        }
        if let Some(tune) = &self.tune {
            out += &tune.text();
        }
        if let Some(rule) = &self.stop {
            out += &format!("A cell ends earlier when its stopping rule decides: {rule}.\n");
            out += &self.sequential_test();
        }
        if self.controls > 0 {
            let play = if self.controls == 1 { "plays" } else { "play" };
            let cells = counted(self.controls, "cell");
            out += &format!("{cells} {play} a baseline against itself: a control that should show 50 %.\n");
        }
        for remark in &self.remarks {
            out += &format!("Note: {remark}.\n");
        }
        if self.tune.is_none() {
            out += &format!("Order of play, policy `{0}`: {1}.\n", self.policy, self.policy.words());
        }
        if self.weight != 1.0 {
            out += &format!(
                "Weight {0}: {0} times the core time of an experiment of weight 1 that waits for the same workers.\n",
                number(self.weight)
            );
        }
        out += &self.time();
        out
    }

    /// The time that the experiment takes, and the source of the estimate.
    fn time(&self) -> String {
        let cores = counted(self.slots as u64, "core");
        let Self { seconds, start_seconds, machine_speed, all, .. } = self;
        format!(
            "With {cores} like this machine's: about {}. Of that, `gauntlet run` takes {} to measure the machine's speed, to start and to end; \
             {:.0} % of the core-hours are the harness's.\n\
             Nothing was played. The estimate comes from games of `uct` and `rave` on another machine ({MACHINE}), the measured cost of each \
             parameter, and {:.2} s of search just now, by which this machine is {machine_speed:.2} times as fast. Games of such players usually \
             take 0.6 to 1.6 times as long as estimated. Games of unequal players are shorter, and several heuristics together may be wrong by a \
             factor of two.\n",
            rounded(*seconds),
            rounded(*start_seconds),
            100.0 * all.harness_seconds / all.core_seconds,
            probe_seconds(*machine_speed),
        )
    }

    /// How long the sequential test takes, and whether the cells have so many games.
    fn sequential_test(&self) -> String {
        let longest = self.sequential_test.iter().map(|expected| expected.games).fold(0.0, f64::max);
        if longest == 0.0 {
            return String::new();
        }
        let mut out = format!("\n{}\n", test_length::table(&self.sequential_test));
        let few =
            self.detectable.iter().map(|cell| cell.games).filter(|games| (*games as f64) < longest).max();
        if let Some(games) = few {
            out += &format!(
                "Note: a cell of {games} games often ends before its test decides, because the test takes up to {longest:.0} games \
                 on average.\n"
            );
        }
        out
    }

    fn by_test(&self) -> String {
        let mut rows = vec![["test", "against", "budget", "cells", "games", "core-hours"].map(str::to_owned)];
        rows.extend(self.played.iter().map(|row| {
            let [cells, games, hours] = columns(&row.cost);
            let budget = format!("{} a move", row.budget.words());
            [row.test.clone(), row.against.clone(), budget, cells, games, hours]
        }));
        aligned(&rows, 3)
    }

    fn by_size(&self) -> String {
        let mut rows = vec![["size", "plies", "cells", "games", "core-hours"].map(str::to_owned)];
        rows.extend(self.sizes.iter().map(|row| {
            let [cells, games, hours] = columns(&row.cost);
            [row.size.to_string(), row.plies.to_string(), cells, games, hours]
        }));
        let [cells, games, hours] = columns(&self.all);
        rows.push(["all".to_owned(), String::new(), cells, games, hours]);
        aligned(&rows, 1)
    }
}

/// The cases of a test group: one by one, or what they are made of.
fn cases(group: &TestGroup) -> String {
    let TestGroup { test, cases, swept } = group;
    if cases.len() <= SHOWN || swept.is_empty() {
        return format!("{test}: {}\n", some(cases));
    }
    let are = if group.is_complete() { "all combinations of" } else { "some combinations of" };
    let are = if swept.len() == 1 { "the values of" } else { are };
    let rows: Vec<_> = swept
        .iter()
        .map(|SweptParameter { parameter, values }| {
            let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
            [format!("  {parameter}"), counted(values.len() as u64, "value"), some(&texts)]
        })
        .collect();
    format!("{test}: {}, {are}\n{}", counted(cases.len() as u64, "case"), aligned(&rows, 3))
}

/// A list, with dots for its middle if it is long.
fn some(words: &[String]) -> String {
    if words.len() <= SHOWN {
        return words.join(", ");
    }
    let (first, last) = AROUND;
    format!("{}, …, {}", words[..first].join(", "), words[words.len() - last..].join(", "))
}

fn columns(cost: &Cost) -> [String; 3] {
    [count(cost.cells), count(cost.games), hours(cost.core_seconds)]
}

fn in_words(detectable: &Detectable) -> String {
    let games = detectable.games;
    let Some(difference) = detectable.difference else {
        return format!("A cell of {} is too small to show any difference.\n", counted(games, "game"));
    };
    let elo = detectable.elo.map_or("∞".into(), |elo| format!("{elo:.0}"));
    format!(
        "A cell of {} games can show a rate below {:.1} % or above {:.1} %, {elo} Elo to either side (5 % two-sided, \
         80 % power).\n",
        count(games),
        100.0 * (0.5 - difference),
        100.0 * (0.5 + difference)
    )
}
