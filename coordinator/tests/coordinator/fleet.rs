//! Commands to machines: pause, resume and drain, by name, by label, or for all machines.

use crate::databases::on_both_databases;
use crate::play::{LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open};
use coordinator::{Coordinator, CoordinatorError};
use protocol::operate::{DirectiveRequest, Machines, QuarantineRequest};
use protocol::report::Fleet;
use protocol::sync::{Directive, NoWorkCode, SyncRequest, SyncResponse};

async fn tell(coordinator: &Coordinator, machines: Machines, directive: Directive) -> u64 {
    let request = DirectiveRequest { machines, directive };
    coordinator.direct(request, "ada").await.expect("told").machines
}

async fn ask(coordinator: &Coordinator, worker: &Worker, labels: &[&str]) -> SyncResponse {
    let labels = labels.iter().map(ToString::to_string).collect();
    let request = SyncRequest { labels, ..worker.request(Vec::new(), 1) };
    coordinator.sync(request).await.expect("sync")
}

on_both_databases! {
    async fn a_name_that_two_machines_have_means_neither(database: Database) {
        let (coordinator, _) = open(&database).await;
        let [first, second] = [Worker::new(), Worker::new()];
        for worker in [&first, &second] {
            let request = SyncRequest { name: "lab-3".into(), ..worker.request(Vec::new(), 0) };
            coordinator.sync(request).await.expect("heard");
        }
        let direct = |machines| coordinator.direct(DirectiveRequest { machines, directive: Directive::Pause }, "ada");
        let error = direct(Machines::Named("lab-3".into())).await.expect_err("which of them").to_string();
        assert!(error.starts_with("2 machines are called `lab-3`"), "{error}");
        assert!(error.contains("name one by its id"), "{error}");
        assert!(error.contains(&first.id.to_string()) && error.contains(&second.id.to_string()), "{error}");
        assert_eq!(direct(Machines::Named(first.id.to_string())).await.expect("one").machines, 1);
        let why = coordinator.why("lab-3").await.expect("why").reasons.join("\n");
        assert!(why.contains("other machines have the same name"), "{why}");
        let invisible = SyncRequest { name: "lab\u{202e}3".into(), ..Worker::new().request(Vec::new(), 0) };
        coordinator.sync(invisible).await.expect_err("a name that reads otherwise than it is");
    }

    async fn a_large_fleet_is_shown_in_numbers_and_page_by_page(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let gone = Worker::new();
        gone.sync(&coordinator, Vec::new(), 0).await;
        clock.advance(LEASE_AND_A_BIT);
        for _ in 0..60 {
            Worker::new().sync(&coordinator, Vec::new(), 0).await;
        }
        let overview = coordinator.overview().await.expect("overview");
        let Fleet { workers, alive, slots, quarantined, .. } = overview.fleet;
        assert_eq!((workers, alive, slots, quarantined), (61, 60, 480, 0));
        assert_eq!(overview.workers.len(), 50);
        let rest = coordinator.workers(50, 100).await.expect("a page");
        let mut all = overview.workers;
        all.extend(rest.workers);
        let ids: std::collections::BTreeSet<_> = all.iter().map(|worker| worker.id).collect();
        assert_eq!((rest.offset, all.len(), ids.len()), (50, 61, 61));
        assert_eq!(all.last().map(|worker| (worker.id, worker.alive)), Some((gone.id, false)));
        assert!(all[..60].is_sorted_by_key(|worker| worker.name.clone()));
        let why = Some("its memory is bad".to_owned());
        let named = Machines::Named(gone.id.to_string());
        coordinator.quarantine(QuarantineRequest { machines: named, why }, "ada").await.expect("done");
        let overview = coordinator.overview().await.expect("overview");
        assert_eq!((overview.fleet.quarantined, overview.workers[0].id), (1, gone.id));
    }

    async fn machines_are_paused_and_resumed_by_name_by_label_and_all_together(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 99, 1.0)])).await.expect("apply");
        let workers = [Worker::new(), Worker::new(), Worker::new()];
        let labels: [&[&str]; 3] = [&["lab", "fast"], &["lab"], &[]];
        for (worker, labels) in workers.iter().zip(labels) {
            ask(&coordinator, worker, labels).await;
        }
        let directives = async || {
            let mut told = Vec::new();
            for (worker, labels) in workers.iter().zip(labels) {
                let answer = ask(&coordinator, worker, labels).await;
                let works = answer.directive == Directive::Work;
                assert_eq!(answer.leases.len(), usize::from(works), "who rests gets no lease");
                assert_eq!(answer.no_work.map(|no| no.code), (!works).then_some(NoWorkCode::Paused));
                told.push(answer.directive);
            }
            told
        };
        use Directive::{Drain, Pause, Work};
        let named = Machines::Named(workers[2].id.to_string());
        assert_eq!(tell(&coordinator, Machines::Label("lab".into()), Pause).await, 2);
        assert_eq!(directives().await, [Pause, Pause, Work]);
        assert_eq!(tell(&coordinator, named.clone(), Drain).await, 1);
        assert_eq!(tell(&coordinator, Machines::Label("fast".into()), Work).await, 1);
        assert_eq!(directives().await, [Work, Pause, Drain]);
        let overview = coordinator.overview().await.expect("overview");
        let second = overview.workers.iter().find(|worker| worker.id == workers[1].id).expect("known");
        assert_eq!((second.directive, second.labels.as_slice()), (Pause, &["lab".to_owned()][..]));
        assert!(second.no_work.as_deref().is_some_and(|why| why.contains("pause")), "{second:?}");
        assert_eq!(tell(&coordinator, Machines::All, Work).await, 3);
        assert_eq!(directives().await, [Work, Work, Work]);
        let nobody = DirectiveRequest { machines: Machines::Named("nobody".into()), directive: Pause };
        let error = coordinator.direct(nobody, "ada").await.expect_err("there is no such machine");
        assert!(matches!(error, CoordinatorError::NoMatch(_)), "{error}");
        assert!(error.to_string().starts_with("no worker is called `nobody`; there are: worker-"), "{error}");
        assert_verified(&coordinator).await;
    }

    async fn a_pause_outlives_the_process_and_an_order_to_leave_does_not(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 99, 1.0)])).await.expect("apply");
        for (told, after) in [(Directive::Pause, Directive::Pause), (Directive::Drain, Directive::Work)] {
            let mut worker = Worker::new();
            ask(&coordinator, &worker, &[]).await;
            tell(&coordinator, Machines::Named(worker.id.to_string()), told).await;
            assert_eq!(ask(&coordinator, &worker, &[]).await.directive, told);
            assert_eq!(ask(&coordinator, &worker, &[]).await.directive, told, "until the process ends");
            worker.start_anew();
            assert_eq!(ask(&coordinator, &worker, &[]).await.directive, after);
            assert_eq!(ask(&coordinator, &worker, &[]).await.directive, after);
        }
    }

    async fn why_a_machine_wants_nothing_is_shown_in_its_own_words(database: Database) {
        let (coordinator, _) = open(&database).await;
        let worker = Worker::new();
        let resting = Some("quiet hours until 18:00 of its clock".to_owned());
        let request = SyncRequest { resting: resting.clone(), ..worker.request(Vec::new(), 0) };
        coordinator.sync(request).await.expect("sync");
        assert_eq!(coordinator.overview().await.expect("overview").workers[0].resting, resting);
        coordinator.sync(worker.request(Vec::new(), 0)).await.expect("sync");
        assert_eq!(coordinator.overview().await.expect("overview").workers[0].resting, None);
    }
}
