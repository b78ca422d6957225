//! Matches published series with cases.

use super::published::{Figure, Series};
use anyhow::{bail, ensure};
use engine::havannah::BoardSize;
use engine::spelling::closest;
use protocol::report::ExperimentReport;
use std::collections::BTreeMap;

/// A figure with the cases of its series.
#[derive(Debug)]
pub struct MatchedFigure {
    /// The published figure.
    pub figure: Figure,
    /// For each of its series, the indices of the experiment's series.
    pub cases: Vec<Vec<usize>>,
}

/// The figures to compare: those asked for, or the one that the experiment is named after, or all that have series of the
/// experiment.
pub fn choose(
    figures: Vec<Figure>,
    asked: &[String],
    results: &ExperimentReport,
) -> anyhow::Result<Vec<MatchedFigure>> {
    let name = &results.summary.name;
    let own = name.rsplit('/').next().unwrap_or(name);
    let all: Vec<String> = figures.iter().map(|figure| figure.name.clone()).collect();
    for asked in asked {
        if !all.iter().any(|name| is_called(name, asked)) {
            let keys = all.iter().map(|name| key(name));
            match closest(key(asked), keys) {
                Some(near) => bail!("the file has no figure `{asked}`; did you mean `{near}`?"),
                None => bail!("the file has no figure `{asked}`; there are `{}`", all.join("`, `")),
            }
        }
    }
    let named_after = all.iter().any(|name| is_called(name, own));
    let is_chosen = |figure: &Figure| match asked {
        [] => !named_after || is_called(&figure.name, own),
        asked => asked.iter().any(|asked| is_called(&figure.name, asked)),
    };
    let labels: Vec<&str> = results.series.iter().map(|series| series.label.as_str()).collect();
    let mut chosen: Vec<MatchedFigure> = figures
        .into_iter()
        .filter(is_chosen)
        .map(|figure| MatchedFigure {
            cases: figure.series.iter().map(|series| cases(&series.name, &labels)).collect(),
            figure,
        })
        .collect();
    let any = |matched: &MatchedFigure| matched.cases.iter().any(|cases| !cases.is_empty());
    if asked.is_empty() && !named_after {
        chosen.retain(any);
        check_one_figure_each(&chosen, &labels)?;
        ensure!(
            !chosen.is_empty(),
            "no case of `{name}` has the name of a published series; its cases are {}; a case gets a name by `label` in the \
             experiment file, and --figure names a figure: {}",
            listed(&labels),
            listed(&all.iter().map(String::as_str).collect::<Vec<_>>())
        );
    }
    if let Some(matched) = chosen.iter().find(|matched| !any(matched)) {
        let series: Vec<&str> = matched.figure.series.iter().map(|series| series.name.as_str()).collect();
        bail!(
            "no case of `{name}` has the name of a series of `{}`; its cases are {}, and the series are {}",
            matched.figure.name,
            listed(&labels),
            listed(&series)
        );
    }
    Ok(chosen)
}

/// Refuses figures that share a case, because the command line does not say which of them it belongs to.
fn check_one_figure_each(chosen: &[MatchedFigure], labels: &[&str]) -> anyhow::Result<()> {
    let mut owners: BTreeMap<usize, &str> = BTreeMap::new();
    for matched in chosen {
        for index in matched.cases.iter().flatten() {
            let figure = matched.figure.name.as_str();
            let first = *owners.entry(*index).or_insert(figure);
            ensure!(
                first == figure,
                "several figures of the file have a series `{}`, such as `{first}` and `{figure}`; name the figure with \
                 --figure",
                labels[*index]
            );
        }
    }
    Ok(())
}

/// A figure's name without the prefix of LaTeX labels.
fn key(name: &str) -> &str {
    name.strip_prefix("fig:").unwrap_or(name)
}

fn is_called(figure: &str, name: &str) -> bool {
    key(figure).eq_ignore_ascii_case(key(name))
}

/// The cases with the name of a series: those of the same label, or else those whose only setting has the value.
fn cases(series: &str, labels: &[&str]) -> Vec<usize> {
    let with = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
        labels.iter().enumerate().filter(|(_, label)| is(label)).map(|(index, _)| index).collect()
    };
    let same = with(&|label| is_same(label, series));
    if !same.is_empty() {
        return same;
    }
    with(&|label| match label.split_once('=') {
        Some((_, value)) => !value.contains('=') && is_same(value, series),
        None => false,
    })
}

/// Whether two names are the same text or the same number.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|value| number(other) == Some(value))
}

/// Series and cases without a counterpart, in sentences.
pub fn notes(matched: &MatchedFigure, results: &ExperimentReport) -> Vec<String> {
    let mut notes = Vec::new();
    let mut labels: Vec<&str> = results.series.iter().map(|series| series.label.as_str()).collect();
    let used: Vec<&str> = matched.cases.iter().flatten().map(|index| labels[*index]).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.retain(|label| !used.contains(label));
    let unmatched = |(_, cases): &(&Series, &Vec<usize>)| cases.is_empty();
    let missing: Vec<&str> = matched
        .figure
        .series
        .iter()
        .zip(&matched.cases)
        .filter(unmatched)
        .map(|(series, _)| series.name.as_str())
        .collect();
    let near = |name: &str, known: &[&str]| {
        closest(name, known.iter().copied()).map_or(String::new(), |near| format!(" (nearest: `{near}`)"))
    };
    let with_nearest = |names: &[&str], known: &[&str]| -> String {
        let named: Vec<String> = names.iter().map(|name| format!("`{name}`{}", near(name, known))).collect();
        named.join(", ")
    };
    if !missing.is_empty() {
        notes.push(format!("published, and no case of the experiment: {}", with_nearest(&missing, &labels)));
    }
    if !labels.is_empty() {
        notes.push(format!("played, and not published in this figure: {}", with_nearest(&labels, &missing)));
    }
    for (series, cases) in matched.figure.series.iter().zip(&matched.cases) {
        let Some(first) = cases.first().map(|index| &results.series[*index]) else { continue };
        let ours: Vec<_> = first.points.iter().map(|point| point.size).collect();
        let theirs: Vec<_> = series.points.iter().map(|point| point.size).collect();
        let only = |of: &[BoardSize], not: &[BoardSize]| {
            BoardSize::list(of.iter().copied().filter(|size| !not.contains(size)))
        };
        let (not_played, not_published) = (only(&theirs, &ours), only(&ours, &theirs));
        for (sizes, what) in
            [(not_played, "published, and not played"), (not_published, "played, and not published")]
        {
            if !sizes.is_empty() {
                notes.push(format!("`{}`: size {sizes} {what}", series.name));
            }
        }
    }
    notes
}

/// Names in quotes, at most a dozen.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    let more = names.len().saturating_sub(MOST);
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let shown = shown.join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_found_by_its_label_or_by_the_value_of_its_only_setting() {
        let labels = [
            "rave_k=50",
            "size*2",
            "rave_k=500",
            "fpu=1 rave_k=50",
            "0.10",
            "last_good_reply=lgr",
            "5",
            "x=5",
        ];
        for (series, expected) in [
            ("50", vec![0]),
            ("500.0", vec![2]),
            ("size*2", vec![1]),
            ("0.1", vec![4]),
            ("lgr", vec![5]),
            ("5", vec![6]),
            ("size", vec![]),
            ("nan", vec![]),
        ] {
            assert_eq!(cases(series, &labels), expected, "{series}");
        }
    }

    #[test]
    fn a_figure_is_called_with_or_without_its_prefix() {
        assert!(is_called("fig:ravegraph", "RAVEgraph") && is_called("ravegraph", "fig:ravegraph"));
        assert!(!is_called("fig:ravegraph", "rave"));
    }
}
