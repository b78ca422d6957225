//! Reading the cells of a sweep from a table of comma-separated values.

use anyhow::{Context, anyhow, bail, ensure};
use engine::numbers;
use protocol::experiment::nearest;
use protocol::ids::PlayerId;
use protocol::players::PlayerNames;
use protocol::table::{cell_columns, text_of};
use stats::sweep::Row;
use stats::{PairCounts, Unfinished, Value};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// The six counts, in the order of [`PairCounts`].
const COUNTS: [&str; 6] = ["ll", "ld", "wl", "dd", "wd", "ww"];

/// Columns with a meaning besides the counts; the second name of a column is as good as the first.
const NAMED: [&[&str]; 8] = [
    &["case", "label"],
    &["size"],
    &["baseline", "against"],
    &["budget"],
    &["weight"],
    &["agreement"],
    &["player"],
    &["baseline_player"],
];

/// The largest size of a file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Reads a file; `-` is standard input.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Row>> {
    let (name, mut text) = (path.display(), String::new());
    let read = if path == Path::new("-") {
        std::io::stdin().take(LARGEST + 1).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
    };
    let bytes = read.with_context(|| format!("cannot read {name}"))?;
    ensure!(bytes as u64 <= LARGEST, "{name} is larger than {}", indicatif::HumanBytes(LARGEST));
    rows(&text).with_context(|| format!("{name} is no table of a sweep"))
}

/// The place of every column.
struct Columns {
    /// In the order of [`COUNTS`].
    counts: [usize; 6],
    /// In the order of [`NAMED`].
    named: [Option<usize>; 8],
    /// The other columns with their names. They are parameters.
    parameters: Vec<(usize, String)>,
}

impl Columns {
    fn of(header: &csv::StringRecord) -> anyhow::Result<Self> {
        let names: Vec<String> = header.iter().map(|name| name.trim().to_lowercase()).collect();
        for (place, name) in names.iter().enumerate() {
            let twice = names[..place].contains(name);
            ensure!(!twice, "line 1: the column `{name}` appears twice");
        }
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        let needed = |wanted: &str| {
            let found = names.iter().map(String::as_str).collect::<Vec<_>>();
            place(wanted).ok_or_else(|| {
                anyhow!(
                    "line 1: the column `{wanted}` is missing; needed are case, size, {}; {}",
                    COUNTS.join(", "),
                    nearest(wanted, &found)
                )
            })
        };
        let mut counts = [0; 6];
        for (count, name) in counts.iter_mut().zip(COUNTS) {
            *count = needed(name)?;
        }
        let named = NAMED.map(|aliases| aliases.iter().find_map(|alias| place(alias)));
        needed("size")?;
        if named[0].is_none() {
            needed("case")?;
        }
        // The exports of experiments have columns for results, and for the parameters of baselines.
        let is_result = |name: &str| {
            name.starts_with("baseline_") || cell_columns().iter().any(|(column, ..)| *column == name)
        };
        let used = |place: &usize| counts.contains(place) || named.contains(&Some(*place));
        let parameters = names.iter().enumerate().filter(|(place, name)| !used(place) && !is_result(name));
        Ok(Self {
            parameters: parameters.map(|(place, _)| (place, header[place].trim().to_owned())).collect(),
            counts,
            named,
        })
    }
}

impl Columns {
    /// The ids of the case and of the baseline, if the table has both.
    fn players(&self, record: &csv::StringRecord) -> anyhow::Result<Option<[PlayerId; 2]>> {
        let [.., Some(case), Some(baseline)] = self.named else { return Ok(None) };
        let id = |place: usize, column: &str| {
            let text = record.get(place).unwrap_or_default().trim();
            text.parse::<PlayerId>().map_err(|_| anyhow!("column `{column}`: `{text}` is no id of a player"))
        };
        Ok(Some([id(case, "player")?, id(baseline, "baseline_player")?]))
    }
}

fn rows(text: &str) -> anyhow::Result<Vec<Row>> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let columns = Columns::of(reader.headers()?)?;
    let (mut rows, mut players) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record?;
        let line = || format!("line {}", record.position().map_or(0, csv::Position::line));
        rows.push(row(&columns, &record).with_context(line)?);
        players.push(columns.players(&record).with_context(line)?);
    }
    ensure!(!rows.is_empty(), "there are no rows below the line of column names");
    name_players(&mut rows, &players);
    Ok(rows)
}

/// Gives each player one name, where the table has their ids: as in the analysis of an experiment.
fn name_players(rows: &mut [Row], players: &[Option<[PlayerId; 2]>]) {
    let Some(players) = players.iter().copied().collect::<Option<Vec<_>>>() else { return };
    let cases = rows.iter().zip(&players).map(|(row, [case, _])| (*case, row.case.as_str()));
    let baselines = rows.iter().zip(&players).map(|(row, [_, baseline])| (*baseline, row.against.as_str()));
    let names = PlayerNames::of(baselines, cases);
    for (row, [case, baseline]) in rows.iter_mut().zip(players) {
        (row.case, row.against) = (names.name(case).to_owned(), names.name(baseline).to_owned());
    }
}

fn row(columns: &Columns, record: &csv::StringRecord) -> anyhow::Result<Row> {
    let field = |place: usize| record.get(place).unwrap_or_default().trim();
    let named = |column: usize| columns.named[column].map(field).map(text_of).filter(|text| !text.is_empty());
    let mut counts = [0; 6];
    for ((count, place), name) in counts.iter_mut().zip(columns.counts).zip(COUNTS) {
        let text = field(place);
        *count = numbers::whole::<u64>(text).filter(|n| *n < 1 << 50).ok_or_else(|| {
            anyhow!("column `{name}`: `{text}` is no number of pairs; a whole number from 0 on is expected")
        })?;
    }
    let number = |column: usize, wanted: &str, is_valid: fn(f64) -> bool| -> anyhow::Result<Option<f64>> {
        let Some(text) = named(column) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(number) if is_valid(number) => Ok(Some(number)),
            _ => bail!("column `{}`: `{text}` is not {wanted}", NAMED[column][0]),
        }
    };
    let size = named(1).unwrap_or_default();
    let parameter = |(place, name): &(usize, String)| {
        let text = text_of(field(*place));
        let value = text.parse::<f64>().ok().filter(|x| x.is_finite()).map(Value::Number);
        (!text.is_empty()).then(|| (name.clone(), value.unwrap_or_else(|| Value::Word(text.to_owned()))))
    };
    Ok(Row {
        case: named(0).context("column `case` is empty")?.to_owned(),
        against: named(2).unwrap_or("baseline").to_owned(),
        budget: named(3).unwrap_or_default().to_owned(),
        size: numbers::whole(size).filter(|size| (1..=100).contains(size)).ok_or_else(|| {
            anyhow!("column `size`: `{size}` is no board size; a whole number from 1 to 100 is expected")
        })?,
        weight: number(4, "0 or a number from 1e-9 to 1e9", |x| x == 0.0 || (1e-9..=1e9).contains(&x))?
            .unwrap_or(1.0),
        counts: PairCounts::from(counts),
        unfinished: Unfinished::default(),
        agreement: number(5, "a number from 0 to below 1", |x| (0.0..1.0).contains(&x))?.unwrap_or(0.0),
        parameters: columns.parameters.iter().filter_map(parameter).collect::<BTreeMap<_, _>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_the_harness_neutralised_is_read_as_it_was_and_a_whole_float_is_whole() {
        let text = "case,size,ll,ld,wl,dd,wd,ww,mode\n'=cmd,5.0,1.0,0,2,0,0,3,'-x\n";
        let row = rows(text).expect("rows").remove(0);
        assert_eq!(
            (row.case.as_str(), row.size, row.counts),
            ("=cmd", 5, PairCounts::from([1, 0, 2, 0, 0, 3]))
        );
        assert_eq!(row.parameters["mode"], Value::Word("-x".to_owned()));
    }

    fn error(text: &str) -> String {
        format!("{:#}", rows(text).expect_err("an error"))
    }

    #[test]
    fn columns_have_any_order_and_the_unknown_ones_are_parameters() {
        let rows = rows(
            "\u{feff}# a comment\nsize,label,ww,wd,dd,wl,ld,ll,K,mode\n4,\"a, b\",6,5,4,3,2,1,0.5,fast\n5, c ,0,0,0,1,0,0,,slow\n",
        )
        .expect("rows");
        assert_eq!((rows[0].case.as_str(), rows[0].size, rows[0].weight), ("a, b", 4, 1.0));
        assert_eq!(<[u64; 6]>::from(rows[0].counts), [1, 2, 3, 4, 5, 6]);
        assert_eq!(rows[0].parameters["K"], Value::Number(0.5));
        assert_eq!(rows[0].parameters["mode"], Value::Word("fast".into()));
        assert_eq!((rows[1].case.as_str(), rows[1].against.as_str()), ("c", "baseline"));
        assert!(!rows[1].parameters.contains_key("K"), "an empty field is an unset parameter");
    }

    #[test]
    fn the_export_of_an_experiment_is_a_sweep_with_the_parameters_of_its_cases() {
        let results = cell_columns();
        let names: Vec<&str> =
            results.iter().map(|(name, ..)| *name).chain(["rave_k", "baseline_rave_k"]).collect();
        let fields: Vec<&str> = names
            .iter()
            .map(|column| match *column {
                "case" => "rave",
                "baseline" => "uct",
                "size" => "7",
                "rave_k" => "50",
                "player" | "baseline_player" => "00000000-0000-0000-0000-000000000000",
                _ => "0",
            })
            .collect();
        let rows = rows(&format!("{}\n{}\n", names.join(","), fields.join(","))).expect("rows");
        assert_eq!((rows[0].against.as_str(), rows[0].agreement), ("uct", 0.0));
        assert_eq!((rows[0].case.as_str(), rows[0].weight), ("uct", 0.0), "the case is the baseline itself");
        assert_eq!(rows[0].parameters, [("rave_k".to_owned(), Value::Number(50.0))].into());
    }

    #[test]
    fn the_ids_of_players_tell_equal_names_apart() {
        let id = |n: u8| format!("0000000{n}-0000-0000-0000-000000000000");
        let table = |second: &str| {
            rows(&format!(
                "case,size,ll,ld,wl,dd,wd,ww,player,baseline_player\n50,4,0,0,1,0,0,0,{},{}\n50,4,0,0,1,0,0,0,{second},{1}\n",
                id(1),
                id(2)
            ))
        };
        let found = table(&id(3)).expect("rows");
        assert_eq!((found[0].case.as_str(), found[1].case.as_str()), ("50", "50 (00000003)"));
        let wrong = format!("{:#}", table("x").expect_err("no id"));
        assert_eq!(wrong, "line 3: column `player`: `x` is no id of a player");
    }

    #[test]
    fn errors_name_the_line_the_column_and_what_is_expected() {
        assert!(
            error("case,size,ll,ld,wl,dd,wd,w\n").contains("the column `ww` is missing"),
            "{}",
            error("case,size,ll,ld,wl,dd,wd,w\n")
        );
        assert!(error("case,size,ll,ld,wl,dd,wd,ww\n").contains("no rows"));
        assert!(error("").contains("missing"));
        assert!(error("case,size,ll,ld,wl,dd,wd,ww,ww\n").contains("`ww` appears twice"));
        let table = |row: &str| error(&format!("case,size,ll,ld,wl,dd,wd,ww,weight\n{row}\n"));
        assert_eq!(
            table("a,4,0,1,2,-1,4,5,1"),
            "line 2: column `dd`: `-1` is no number of pairs; a whole number from 0 on is expected"
        );
        assert!(table("a,four,0,1,2,3,4,5,1").contains("line 2: column `size`: `four`"));
        assert!(table(",4,0,1,2,3,4,5,1").contains("line 2: column `case` is empty"));
        // A weight of 1e-300 beside one of 1 would leave nothing to compare.
        for weight in ["inf", "1e-300"] {
            let said = table(&format!("a,4,0,1,2,3,4,5,{weight}"));
            assert!(said.contains(&format!("`{weight}` is not 0 or a number from 1e-9 to 1e9")), "{said}");
        }
        assert!(
            table("a,4,0,1").contains("line 2") || table("a,4,0,1").contains("fields"),
            "{}",
            table("a,4,0,1")
        );
    }
}
