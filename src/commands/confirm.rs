//! `gauntlet confirm`: begins a test of a case against its baseline, on fresh openings.

use super::columns::aligned;
use super::number::{real, whole};
use super::sizes::{self, Sizes};
use super::stats::{Scale, two_numbers};
use super::target::{Target, TargetArgs};
use super::unknown::or_names;
use super::{asked, print};
use anyhow::bail;
use protocol::confirm::{ConfirmAnswer, ConfirmRequest, Confirmation, ConfirmationPlan};
use protocol::endpoints::ConfirmCase;
use protocol::experiment::Hypotheses;
use protocol::words::{counted, operands};
use std::fmt::Write;
use std::io::IsTerminal;

/// Begins a test of a case against its baseline, on fresh openings and seeds.
///
/// The best case of a sweep is partly the luckiest one. A confirmation is an experiment of its own: the case on every board
/// size and budget of its experiment, with fresh seeds, so that no game is shared with any other experiment. A sequential
/// test decides each cell, by default of H1 = 20 against H0 = 0 Elo with errors of 5 %. The case is confirmed when every
/// test accepts H1. The command shows what is played and how long that takes on average, and asks. Confirming a case
/// again says what there is.
///
/// The command plays no game. `gauntlet run` of the experiment's file plays the confirmation, or the workers of a coordinator
/// that `gauntlet serve` started.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet confirm my-sweep rave_k=100 --preview           what would be played
  gauntlet confirm my-sweep rave_k=100 --yes
  gauntlet confirm my-sweep 4f3c2a91 --size 6-8            by the id of its player or a cell
  gauntlet confirm my-sweep rave_k=100 --sprt 0.5,0.53 --scale score --weight 3

`gauntlet promote` makes a confirmed case a baseline.")]
pub(crate) struct ConfirmArgs {
    /// The experiment's name, its id, or the first digits of its id.
    experiment: String,
    /// The case: its name in `gauntlet results`, its group if that has one case, or the first digits of the id of its player
    /// or of one of its cells.
    case: String,
    /// The baseline, if the case meets several.
    #[arg(long, value_name = "BASELINE")]
    against: Option<String>,
    /// Board sizes, such as 6, or 5-7, or 4,6-8; may be repeated [default: all sizes on which the case is played].
    #[arg(long = "size", value_name = "SIZES", value_parser = sizes::sizes)]
    sizes: Vec<Sizes>,
    /// The hypotheses of the tests, in Elo or in the unit of --scale [default: 0,20].
    #[arg(long, value_name = "H0,H1", value_parser = two_numbers, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// The unit of --sprt.
    #[arg(long, value_enum, default_value_t, requires = "sprt")]
    scale: Scale,
    /// The chance that a test accepts H1 where H0 is true, from 0.0001 to 0.4 [default: 0.05].
    #[arg(long, value_name = "RATE", value_parser = real(0.0001..=0.4))]
    alpha: Option<f64>,
    /// The chance that a test accepts H0 where H1 is true, from 0.0001 to 0.4 [default: 0.05].
    #[arg(long, value_name = "RATE", value_parser = real(0.0001..=0.4))]
    beta: Option<f64>,
    /// Games at which a test ends without a decision [default: four times its mean length between H0 and H1; under 1 % of
    /// tests get there].
    #[arg(long, value_name = "N", value_parser = whole(2..=1_000_000_000_u32))]
    most_games: Option<u32>,
    /// The share of the workers, relative to other experiments.
    #[arg(long, default_value_t = 1.0, value_parser = real(1e-9..=1e9))]
    weight: f64,
    /// Begin another confirmation of a case that has one. It is counted, and has fresh seeds too.
    #[arg(long)]
    again: bool,
    /// Show what would be played, and begin nothing.
    #[arg(long)]
    preview: bool,
    /// Do not ask.
    #[arg(long, conflicts_with = "preview")]
    yes: bool,
    /// Print JSON, as in the API.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

impl ConfirmArgs {
    fn request(&self) -> ConfirmRequest {
        let hypotheses = self.sprt.map(|(low, high)| match self.scale {
            Scale::Elo => Hypotheses::Elo([low, high]),
            Scale::Score => Hypotheses::Score([low, high]),
            Scale::NormalisedElo => Hypotheses::NormalisedElo([low, high]),
        });
        ConfirmRequest {
            against: self.against.clone(),
            sizes: sizes::all(&self.sizes),
            hypotheses,
            alpha: self.alpha,
            beta: self.beta,
            most_games: self.most_games,
            weight: Some(self.weight),
            again: self.again,
            preview: true,
            ..ConfirmRequest::of(&self.case)
        }
    }
}

/// Shows the plan, asks, and begins the confirmation.
pub(crate) async fn run(args: ConfirmArgs) -> anyhow::Result<()> {
    let target = args.target.open().await?;
    let mut request = args.request();
    let shown = send(&target, &args.experiment, &request).await?;
    let Some(plan) = shown.plan.as_ref().filter(|_| !args.preview) else {
        target.close().await;
        return print(&answer(&shown, args.json)?);
    };
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            target.close().await;
            bail!("{}\n--yes begins it, --preview only shows it", plan_text(plan)?.trim_end());
        }
        if !asked(&plan_text(plan)?, "begin it?")? {
            target.close().await;
            return print("nothing is begun\n");
        }
    } else if !args.json {
        print(&plan_text(plan)?)?;
    }
    request.preview = false;
    let begun = send(&target, &args.experiment, &request).await?;
    target.close().await;
    print(&answer(&begun, args.json)?)
}

async fn send(target: &Target, key: &str, request: &ConfirmRequest) -> anyhow::Result<ConfirmAnswer> {
    let answer = target.change(ConfirmCase, key, request).await;
    or_names(target, key, answer).await
}

fn answer(answer: &ConfirmAnswer, json: bool) -> anyhow::Result<String> {
    if json {
        return Ok(serde_json::to_string_pretty(answer)? + "\n");
    }
    Ok(match (&answer.confirmation, &answer.plan) {
        (Some(confirmation), _) if answer.began => {
            let name = &confirmation.name;
            format!(
                "begun: experiment {name}, {}; `gauntlet results {}` shows it\n",
                confirmation.experiment,
                operands(&[name])
            )
        }
        (Some(confirmation), _) => {
            format!("{}--again begins another one\n", confirmation_text(confirmation)?)
        }
        (None, Some(plan)) => plan_text(plan)?,
        (None, None) => String::new(),
    })
}

/// What a confirmation plays, as text.
fn plan_text(plan: &ConfirmationPlan) -> Result<String, std::fmt::Error> {
    let mut out = format!("{} against {}, in the experiment `{}`\n\n", plan.case, plan.baseline, plan.name);
    writeln!(out, "in each cell    {}", plan.rule)?;
    writeln!(out, "openings        {}", plan.openings)?;
    writeln!(out, "weight          {}\n", plan.weight)?;
    let headings = ["size", "budget", "mean pairs if H0", "between", "if H1", "at most"];
    let mut rows = vec![headings.map(str::to_owned)];
    let pairs = |number: f64| format!("{number:.0}");
    for cell in &plan.cells {
        rows.push([
            cell.size.to_string(),
            cell.budget.words(),
            pairs(cell.pairs_if_lower),
            pairs(cell.pairs_if_between),
            pairs(cell.pairs_if_upper),
            cell.most_pairs.to_string(),
        ]);
    }
    let most: u64 = plan.cells.iter().map(|cell| cell.most_pairs).sum();
    let totals = [plan.pairs_if_lower, plan.pairs_if_between, plan.pairs_if_upper].map(pairs);
    let [lower, between, upper] = totals;
    rows.push(["all".to_owned(), String::new(), lower, between, upper, most.to_string()]);
    out.push_str(&aligned(&rows, 2));
    Ok(out)
}

pub(super) fn confirmation_text(confirmation: &Confirmation) -> Result<String, std::fmt::Error> {
    let Confirmation { name, case, baseline, number, state, words, pairs, .. } = confirmation;
    let mut out = format!("{case} against {baseline}: {words}\n\n");
    let number = if *number > 1 { format!(", the confirmation number {number}") } else { String::new() };
    writeln!(out, "experiment {name} ({state}){number}, {}", counted(*pairs, "pair"))?;
    for cell in &confirmation.cells {
        writeln!(out, "  size {}, {} per move: {}", cell.size, cell.budget.words(), cell.words)?;
    }
    Ok(out)
}
