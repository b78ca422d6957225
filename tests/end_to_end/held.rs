//! Machines that hold games back, over HTTP: what people can read meanwhile, on every page, and what it costs the others.

use crate::api::try_get;
use crate::legal_games::{self, speed};
use crate::process::{Process, says};
use engine::havannah::BoardSize;
use protocol::analysis::ExperimentAnalysis;
use protocol::cell::{CellReport, RunningCell};
use protocol::compare::{ComparedVerdict, SideBySide};
use protocol::ids::{LeaseId, SessionId, WorkerId};
use protocol::lease::{Lease, LeasedGame};
use protocol::memory::Mib;
use protocol::news::News;
use protocol::operate::Why;
use protocol::report::{ExperimentReport, StopOutcome, Verdict};
use protocol::result::FinishedGame;
use protocol::sync::{HeldLease, SyncRequest, SyncResponse};
use stats::sweep::CaseResult;
use std::path::Path;

/// A machine whose program does with its games what it wants.
struct Machine<'a> {
    url: &'a str,
    token: String,
    id: WorkerId,
    session: SessionId,
    calls: u64,
    heard: Option<u64>,
    held: Vec<LeaseId>,
}

impl<'a> Machine<'a> {
    fn new(dir: &Path, url: &'a str, name: &str) -> Self {
        let token = says(dir, &["token", "add", name, "--scope", "work"]).trim().to_owned();
        Self {
            url,
            token,
            id: WorkerId::random(),
            session: SessionId::random(),
            calls: 0,
            heard: None,
            held: Vec::new(),
        }
    }

    fn request(&mut self, finished: Vec<FinishedGame>, want: u32) -> SyncRequest {
        self.calls += 1;
        SyncRequest {
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: self.id,
            session: self.session,
            start: 1,
            sequence: self.calls,
            name: format!("machine-{}", &self.id.to_string()[..8]),
            version: "0.1.0".into(),
            self_test: protocol::selftest::digest().to_owned(),
            labels: Vec::new(),
            slots: 64,
            memory: Mib(8192),
            speeds: BoardSize::all().map(speed).collect(),
            held: self.held.iter().map(|lease| HeldLease { lease: *lease, plies: 0 }).collect(),
            finished,
            failed: Vec::new(),
            want,
            ahead: None,
            leaving: false,
            resting: None,
            heard: self.heard,
            watched: Vec::new(),
            told: None,
        }
    }

    /// Delivers games and takes leases, of which it lists those that it holds.
    async fn call(&mut self, finished: Vec<FinishedGame>, want: u32) -> SyncResponse {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
        let url = format!("{}/api/v1/sync", self.url);
        let request = self.request(finished, want);
        let sent = client.post(&url).bearer_auth(&self.token).json(&request).send();
        let answer = sent.await.expect("an answer");
        let (status, body) = (answer.status(), answer.bytes().await.expect("a body"));
        assert!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&body));
        let answer: SyncResponse = serde_json::from_slice(&body).expect("an answer to a call");
        self.heard = Some(self.calls);
        self.held.retain(|lease| !answer.revoked.contains(lease));
        self.held.extend(answer.leases.iter().map(|lease| lease.id));
        answer
    }
}

/// A game of random legal moves, as the seed has it: the players are equal.
fn play(lease: &Lease, leased: LeasedGame) -> FinishedGame {
    legal_games::play(lease, leased, lease.seed ^ leased.id.0.as_u64_pair().0)
}

/// The games of a lease that the case won, and the others.
fn by_result(lease: &Lease) -> (Vec<FinishedGame>, Vec<FinishedGame>) {
    let games = lease.games.iter().map(|leased| (leased.case_side, play(lease, *leased)));
    let (won, lost): (Vec<_>, Vec<_>) = games.partition(|(side, game)| game.outcome.half_points(*side) == 2);
    let games = |all: Vec<(_, FinishedGame)>| all.into_iter().map(|(_, game)| game).collect();
    (games(won), games(lost))
}

async fn get<T: serde::de::DeserializeOwned>(url: &str, path: &str) -> T {
    try_get(url, path).await.unwrap_or_else(|| panic!("no answer to {path}"))
}

/// Reads all that a person can read of the experiment, in which every player is as strong as the others.
async fn assert_nothing_is_claimed(dir: &Path, url: &str) {
    let report: ExperimentReport = get(url, "experiments/held").await;
    for point in report.series.iter().flat_map(|series| &series.points) {
        let claims_nothing = point.estimate.is_none_or(|found| {
            let elo = [found.elo_low, found.cs_elo_low, found.normalised_elo_low];
            found.low < 0.5 && found.cs_low < 0.5 && elo.into_iter().flatten().all(|low| low < 0.0)
        });
        assert!(point.verdict == Verdict::Open && claims_nothing, "{point:#?}");
        let cell: CellReport = get(url, &format!("cells/{}", point.cell)).await;
        assert!(point.pairs == 0 || cell.finding.contains("is open"), "{}", cell.finding);
        // Who moves first may win more, but no more than of all that was begun.
        let begun = (point.pairs + point.unfinished().pairs) as f64;
        for colour in &cell.colours {
            assert!(colour.low.is_none_or(|low| low <= colour.wins as f64 / begun), "{colour:#?} of {begun}");
        }
        let running: RunningCell = get(url, &format!("cells/{}/running", point.cell)).await;
        assert!(running.points.iter().all(|point| point.cs_low < 0.5), "{running:#?}");
    }
    let analysis: ExperimentAnalysis = get(url, "experiments/held/analysis").await;
    for field in &analysis.sweep.fields {
        // Numbers of a fixed plan wait for its games.
        let is_open =
            |case: &CaseResult| !case.differs && case.may_be_best && case.cs_low < 0.5 && case.low.is_none();
        assert!(field.cases.iter().all(is_open), "{field:#?}");
        assert!(field.cells.iter().all(|cell| !cell.differs && cell.p_value.is_none()), "{field:#?}");
        assert!(field.difference.is_none() && field.curves.is_empty(), "{field:#?}");
    }
    assert!(analysis.sweep.ratings.is_empty() && analysis.comparisons.is_empty(), "{analysis:#?}");
    let news: News = get(url, "news").await;
    assert!(news.experiments.iter().all(|one| one.decided.is_empty() && one.cells_decided == 0), "{news:#?}");
    for case in ["rave", "other"] {
        let both: SideBySide =
            get(url, &format!("compare?left=held&left_case={case}&right=fair&right_case=fair")).await;
        let points = both.series.iter().flat_map(|series| &series.points);
        for point in points {
            assert_ne!(point.verdict, ComparedVerdict::Differs, "{both:#?}");
        }
        assert!(
            both.series.iter().all(|series| series.p_value.is_none_or(|p_value| p_value > 0.05)),
            "{both:#?}"
        );
    }
    for arguments in [&["results", "held"][..], &["results", "held", "--analysis"]] {
        let said = says(dir, &[arguments, &["--coordinator", url]].concat());
        let is_claim = |line: &str| {
            ["better than", "worse than", "is stronger"].iter().any(|claim| line.contains(claim))
                || [" better", " worse"].iter().any(|verdict| line.trim_end().ends_with(verdict))
        };
        assert!(!said.lines().any(is_claim), "{said}");
    }
}

const HELD: &str = r#"
[experiment]
name = "held"
question = "Are games held back?"
[[baseline]]
id = "uct"
preset = "uct"
[[test]]
id = "rave"
set = { rave_k = 100 }
[[test]]
id = "other"
set = { rave_k = 200 }
[sizes]
3 = 1
[[budget]]
id = "b"
sims = 20
[play]
games_per_cell = 80
"#;

/// One machine delivers each half that the case `rave` wins and holds the other; of `other` it delivers whole pairs and holds those that it
/// loses. Everything that it plays is a coin's toss.
#[tokio::test]
async fn a_machine_that_holds_back_what_it_loses_makes_no_page_claim_anything() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("held.toml"), HELD).expect("written");
    let fair = HELD.replace("\"held\"", "\"fair\"").replace("\"rave\"", "\"fair\"").replace("100", "300");
    std::fs::write(dir.join("fair.toml"), fair.replace("\"other\"", "\"fair too\"").replace("200", "400"))
        .expect("written");
    says(dir, &["db", "create"]);
    says(dir, &["apply", "fair.toml"]);
    let mut serving = Process::start(dir, &["serve", "--port", "0", "--replay-share", "0"]);
    let url = serving.url();
    let mut honest = Machine::new(dir, &url, "honest");
    loop {
        let leases = honest.call(Vec::new(), 64).await.leases;
        if leases.is_empty() {
            break;
        }
        let games =
            leases.iter().flat_map(|lease| lease.games.iter().map(|leased| play(lease, *leased))).collect();
        honest.held.clear();
        honest.call(games, 0).await;
    }
    says(dir, &["apply", "held.toml"]);
    let mut hostile = Machine::new(dir, &url, "hostile");
    let mut taken = 0;
    loop {
        let leases = hostile.call(Vec::new(), 10).await.leases;
        if leases.is_empty() {
            break;
        }
        taken += leases.len();
        let mut delivered = Vec::new();
        for lease in &leases {
            let (won, lost) = by_result(lease);
            if lost.is_empty() {
                hostile.held.retain(|held| *held != lease.id);
            }
            if lease.case_label == "rave" || lost.is_empty() {
                delivered.extend(won);
            }
        }
        hostile.call(delivered, 0).await;
        assert_nothing_is_claimed(dir, &url).await;
    }
    assert_eq!(taken, 80, "all pairs were its own");
    let report: ExperimentReport = get(&url, "experiments/held").await;
    for series in &report.series {
        let point = &series.points[0];
        assert!(
            point.pairs >= 2 && point.estimate.is_some_and(|found| found.rate == 1.0),
            "complete pairs are won: {point:#?}"
        );
        let missing = point.missing.as_ref().expect("said at once");
        assert!(missing.words.contains("begun and not finished") && missing.low < 0.6, "{missing:?}");
    }
    serving.stop();
}

/// A rule waits for a pair that a machine holds. Another one plays not many more than sixteen in vain; in a full cell none.
#[tokio::test]
async fn a_held_pair_costs_the_others_a_bounded_number_of_games() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let one = HELD.replace("[[test]]\nid = \"other\"\nset = { rave_k = 200 }\n", "");
    let ruled = one.replace("games_per_cell = 80", "games_per_cell = 800")
        + "[stop]\nrule = \"e_value\"\nalpha = 0.001\n";
    std::fs::write(dir.join("held.toml"), ruled).expect("written");
    says(dir, &["db", "create"]);
    says(dir, &["apply", "held.toml"]);
    let mut serving = Process::start(dir, &["serve", "--port", "0", "--replay-share", "0"]);
    let url = serving.url();
    let (mut hostile, mut honest) = (Machine::new(dir, &url, "hostile"), Machine::new(dir, &url, "honest"));
    let held = hostile.call(Vec::new(), 1).await.leases.remove(0);
    let mut in_vain = 0;
    loop {
        let lease = honest.call(Vec::new(), 1).await.leases.remove(0);
        honest.held.clear();
        let games = lease.games.iter().map(|leased| play(&lease, *leased)).collect();
        honest.call(games, 0).await;
        if lease.pair == held.pair {
            break;
        }
        in_vain += 1;
        assert!(in_vain <= 20, "{in_vain} pairs");
        let report: ExperimentReport = get(&url, "experiments/held").await;
        let point = &report.series[0].points[0];
        assert_eq!(
            point.stopping.as_ref().map(|rule| (rule.outcome, rule.pairs)),
            Some((StopOutcome::Open, 0))
        );
        let why: Why = get(&url, &format!("why/{}", point.cell)).await;
        let why = why.reasons.join("; ");
        assert!(
            why.contains("waits for pair 0, which `machine-")
                && why.contains("the next other machine gets it"),
            "{why}"
        );
    }
    assert_eq!(hostile.call(Vec::new(), 0).await.revoked, [held.id]);
    let report: ExperimentReport = get(&url, "experiments/held").await;
    let rule = report.series[0].points[0].stopping.clone().expect("a rule");
    assert_eq!(rule.pairs, in_vain + 1, "the rule has read all pairs");
    serving.stop();
}
