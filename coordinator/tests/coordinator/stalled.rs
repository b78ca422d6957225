//! Reports of stalled play: every view has the same reason.

use crate::databases::on_both_databases;
use crate::play::{Worker, cell, experiment, open, params, play_all};
use coordinator::Coordinator;
use protocol::lease::Budget;
use protocol::memory::Mib;
use protocol::operate::{DirectiveRequest, Machines, QuarantineRequest};
use protocol::report::ExperimentSummary;
use protocol::sync::{Directive, SyncRequest};

/// The experiment's summary, which must be the same in the overview and in the report.
async fn summary(coordinator: &Coordinator, name: &str) -> ExperimentSummary {
    let overview = coordinator.overview().await.expect("overview");
    let listed = overview.experiments.into_iter().find(|line| line.name == name).expect("listed");
    assert_eq!(coordinator.report(name).await.expect("report").summary, listed);
    if let Some(why) = &listed.stalled {
        assert_eq!(listed.seconds_left, None, "there is no end in sight");
        let reasons = coordinator.why(name).await.expect("why").reasons.join("\n");
        assert!(reasons.contains(why), "{why} is not in:\n{reasons}");
    }
    listed
}

/// Fails unless the experiment is stalled and the reason contains these words.
async fn is_stalled(coordinator: &Coordinator, words: &str) {
    let stalled = summary(coordinator, "one").await.stalled;
    assert!(stalled.as_ref().is_some_and(|why| why.contains(words)), "{words}: {stalled:?}");
}

async fn direct(coordinator: &Coordinator, directive: Directive) {
    let order = DirectiveRequest { machines: Machines::All, directive };
    coordinator.direct(order, "ada").await.expect("told");
}

on_both_databases! {
    async fn whoever_looks_is_told_that_nobody_plays_and_why(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 90, 1.0)])).await.expect("apply");
        is_stalled(&coordinator, "no worker is there: `gauntlet work --join").await;
        coordinator.resume().await.expect("resumed");
        assert_eq!(summary(&coordinator, "one").await.stalled, None, "workers have a while for their first calls");
        clock.advance(46_000);
        is_stalled(&coordinator, "no worker is there").await;

        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        worker.report(&coordinator, play_all(&lease, 7)).await;
        worker.drop_lease(&lease);
        let playing = summary(&coordinator, "one").await;
        assert!(playing.stalled.is_none() && playing.seconds_left.is_some(), "{playing:?}");
        clock.advance(31_000);
        let gone = summary(&coordinator, "one").await;
        assert!(gone.games_per_minute > 0.0, "the rate is that of the last minutes, and yet");
        is_stalled(&coordinator, "called 31 s ago").await;

        worker.sync(&coordinator, Vec::new(), 0).await;
        direct(&coordinator, Directive::Pause).await;
        is_stalled(&coordinator, "the one worker that is there takes no work: 1 was told to pause").await;
        let rester = Worker::new();
        let other = || SyncRequest { resting: Some("quiet hours".into()), ..rester.request(Vec::new(), 0) };
        coordinator.sync(other()).await.expect("sync");
        is_stalled(&coordinator, "none of the 2 workers that are there takes work").await;
        is_stalled(&coordinator, "1 rests (quiet hours)").await;
        direct(&coordinator, Directive::Work).await;
        worker.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(summary(&coordinator, "one").await.stalled, None, "one is enough");
        coordinator.sync(other()).await.expect("sync");
        let machines = Machines::Named(worker.id.to_string());
        let order = QuarantineRequest { machines, why: Some("too hot".into()) };
        coordinator.quarantine(order, "ada").await.expect("quarantine");
        is_stalled(&coordinator, "1 in quarantine").await;
        // A worker that has left is not present.
        let leaving = SyncRequest { leaving: true, ..worker.request(Vec::new(), 0) };
        coordinator.sync(leaving).await.expect("sync");
        is_stalled(&coordinator, "the one worker that is there").await;
    }

    async fn an_experiment_that_nobody_is_able_to_play_is_stalled_and_one_that_is_over_is_not(database: Database) {
        let (coordinator, _) = open(&database).await;
        let mut large = cell(400, 4, 1, 1.0);
        large.spec.budget = Budget::ReferenceSeconds(1e6);
        large.spec.case = params("rave_k=400 memory_mib=3096");
        coordinator.apply(&experiment("one", vec![large])).await.expect("apply");
        coordinator.apply(&experiment("small", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker { memory: Mib(2048), ..Worker::new() };
        let lease = worker.take(&coordinator, 1).await.remove(0);
        is_stalled(&coordinator, "no worker that takes work is able: 1 open cell may need 4 GiB a slot").await;
        assert_eq!(summary(&coordinator, "small").await.stalled, None);
        worker.report(&coordinator, play_all(&lease, 7)).await;
        direct(&coordinator, Directive::Pause).await;
        assert_eq!(summary(&coordinator, "small").await.stalled, None, "nothing of it is missing");
    }
}
