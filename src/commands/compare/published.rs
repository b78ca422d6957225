//! Published points from a CSV file.

use anyhow::{Context, anyhow, bail, ensure};
use engine::havannah::BoardSize;
use engine::spelling::closest;
use protocol::table::text_of;
use std::path::Path;

/// The columns that a file needs.
const COLUMNS: [&str; 4] = ["figure", "series", "size", "winrate"];

/// A figure of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The name, such as `fig:ravegraph`.
    pub name: String,
    /// The series, in the order of the file.
    pub series: Vec<Series>,
}

/// A series of published points.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name.
    pub name: String,
    /// The points, by size.
    pub points: Vec<Point>,
}

/// A published point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The board.
    pub size: BoardSize,
    /// The win rate, from 0 to 1.
    pub rate: f64,
    /// The number of games, if the file has it.
    pub games: Option<u32>,
}

/// Reads a file.
pub fn read(path: &Path) -> anyhow::Result<Vec<Figure>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    parse(&text).with_context(|| format!("{name} has no published points as they are expected"))
}

/// Reads the text of a file.
fn parse(text: &str) -> anyhow::Result<Vec<Figure>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let heading = reader.headers()?.clone();
    let column = |wanted: &str| heading.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    let needed = |wanted: &str| {
        column(wanted).ok_or_else(|| {
            let found: Vec<&str> = heading.iter().collect();
            let hint = closest(wanted, found.iter().copied())
                .map_or(String::new(), |near| format!("; is it `{near}`?"));
            anyhow!("line 1: there is no column `{wanted}` among `{}`{hint}", found.join("`, `"))
        })
    };
    let [figure, series, size, rate] = COLUMNS.map(needed);
    let (figure, series, size, rate, games) = (figure?, series?, size?, rate?, column("games"));
    let mut figures: Vec<Figure> = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let field = |column: usize| record.get(column).unwrap_or_default();
        let point = Point {
            size: board(field(size)).with_context(|| format!("line {line}"))?,
            rate: percent(field(rate)).with_context(|| format!("line {line}"))?,
            games: games
                .map(field)
                .filter(|text| !text.is_empty())
                .map(|text| number_of_games(text).with_context(|| format!("line {line}")))
                .transpose()?,
        };
        for (column, text) in [("figure", text_of(field(figure))), ("series", text_of(field(series)))] {
            ensure!(!text.is_empty(), "line {line}: `{column}` is empty");
        }
        let found = entry(
            &mut figures,
            |known| known.name == field(figure),
            || Figure { name: field(figure).to_owned(), series: Vec::new() },
        );
        let found = entry(
            &mut found.series,
            |known| known.name == field(series),
            || Series { name: field(series).to_owned(), points: Vec::new() },
        );
        if found.points.iter().any(|known| known.size == point.size) {
            bail!(
                "line {line}: size {} of `{}` of `{}` is there already",
                point.size,
                field(series),
                field(figure)
            );
        }
        found.points.push(point);
        found.points.sort_by_key(|point| point.size);
    }
    let rates: Vec<f64> = figures
        .iter()
        .flat_map(|figure| &figure.series)
        .flat_map(|series| series.points.iter().map(|point| 100.0 * point.rate))
        .collect();
    ensure!(!rates.is_empty(), "there are no points below the heading");
    ensure!(
        rates.iter().any(|rate| *rate > 1.0) || rates.iter().all(|rate| rate.fract() == 0.0),
        "`winrate` is in percent, from 0 to 100, and no value is above 1: multiply the values by 100"
    );
    Ok(figures)
}

/// The element that `is` finds, or a new one at the end.
fn entry<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let index = list.iter().position(is).unwrap_or(list.len());
    if index == list.len() {
        list.push(new());
    }
    &mut list[index]
}

fn board(text: &str) -> anyhow::Result<BoardSize> {
    let size = text.parse().ok().and_then(|size| BoardSize::new(size).ok());
    let (min, max) = (BoardSize::MIN, BoardSize::MAX);
    size.ok_or_else(|| anyhow!("`size` is a board size from {min} to {max}, not `{text}`"))
}

fn percent(text: &str) -> anyhow::Result<f64> {
    let number = text.trim_end_matches('%').trim_end().parse().ok();
    let percent = number.filter(|percent: &f64| (0.0..=100.0).contains(percent));
    percent
        .map(|percent| percent / 100.0)
        .ok_or_else(|| anyhow!("`winrate` is a percentage from 0 to 100, not `{text}`"))
}

fn number_of_games(text: &str) -> anyhow::Result<u32> {
    let games = text.parse().ok().filter(|games| *games > 0);
    games.ok_or_else(|| anyhow!("`games` is a number of games above 0, not `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_their_names() {
        let text = "\u{feff}Winrate,note,games,series,figure,size\r\n36.54,x,200,\"a, b\",f,5\n70 %,,,\"a, b\",f,4\n1,,,c,g,10\n";
        let figures = parse(text).expect("correct");
        let points = |series: &Series| -> Vec<_> {
            series.points.iter().map(|point| (point.size.get(), point.rate, point.games)).collect()
        };
        assert_eq!(figures.iter().map(|figure| figure.name.as_str()).collect::<Vec<_>>(), ["f", "g"]);
        assert_eq!(figures[0].series[0].name, "a, b");
        assert_eq!(points(&figures[0].series[0]), [(4, 0.7, None), (5, 0.3654, Some(200))]);
    }

    #[test]
    fn the_thesis_points_are_all_read() {
        let figures = parse(include_str!("../../../docs/results/thesis-figures.csv")).expect("correct");
        let series: usize = figures.iter().map(|figure| figure.series.len()).sum();
        assert_eq!((figures.len(), series), (23, 144));
        assert!(figures.iter().flat_map(|figure| &figure.series).all(|series| series.points.len() == 7));
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let heading = "figure,series,size,winrate,games\n";
        let mut wrong = String::new();
        for (text, expected) in [
            (
                "figure,series,boardsize,winrate\n",
                "line 1: there is no column `size` among `figure`, `series`, `boardsize`",
            ),
            ("figure,serie,size,winrate\n", "is it `serie`?"),
            (heading, "there are no points"),
            ("", "there is no column `figure`"),
            (
                &format!("{heading}f,s,4,50,\nf,s,2,50,\n"),
                "line 3: `size` is a board size from 3 to 10, not `2`",
            ),
            (&format!("{heading}f,s,4,101,\n"), "line 2: `winrate` is a percentage from 0 to 100, not `101`"),
            (&format!("{heading}f,s,4,nan,\n"), "not `nan`"),
            (&format!("{heading}f,s,4,50,0\n"), "line 2: `games` is a number of games above 0, not `0`"),
            (&format!("{heading}f,,4,50,\n"), "line 2: `series` is empty"),
            (&format!("{heading}f,s,4,50,\nf,s,4,60,\n"), "line 3: size 4 of `s` of `f` is there already"),
            (&format!("{heading}f,s,4,0.5,\nf,s,5,0.75,\n"), "multiply the values by 100"),
            (&format!("{heading}f,s,4\n"), "2"),
        ] {
            let error = format!("{:#}", parse(text).expect_err(text));
            if !error.contains(expected) {
                wrong += &format!("{text:?} should be told `{expected}` and was told `{error}`\n");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}
