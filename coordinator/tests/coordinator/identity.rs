//! The binding of machines to tokens, checks between machines of different tokens, and the games of a liar.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, assert_verified, cell, experiment, open, open_with, token};
use crate::rechecks::{SIMS, honest, lies, quick};
use coordinator::{Clock, Coordinator, CoordinatorError};
use protocol::access::{JoinCodeRequest, JoinRequest, Scope, TokenRequest};
use protocol::experiment::PlannedCell;
use protocol::games::GameStatus;
use protocol::ids::WorkerId;
use protocol::lease::Lease;
use protocol::operate::{ExcludeGamesRequest, Machines, QuarantineRequest, RestoreGamesRequest};
use protocol::result::FinishedGame;
use protocol::sync::{AckStatus, FailedLease, MOST_STARTS, NoWorkCode, SyncRequest, SyncResponse};
use sha2::{Digest, Sha256};

/// A call with a token, as made over HTTP.
async fn call(
    coordinator: &Coordinator,
    token: &str,
    request: SyncRequest,
) -> Result<SyncResponse, CoordinatorError> {
    let caller = coordinator.caller(token).await.expect("the database answers").expect("a token");
    coordinator.sync_with(request, Some(caller)).await
}

struct Machine {
    worker: Worker,
    token: String,
}

impl Machine {
    fn new(token: &str) -> Self {
        Self { worker: Worker::new(), token: token.to_owned() }
    }

    /// A machine that joins with a code.
    async fn joined(coordinator: &Coordinator, code: &str) -> Self {
        let worker = Worker::new();
        let token = join(coordinator, code, worker.id).await.expect("joined");
        Self { worker, token }
    }

    async fn call(&self, coordinator: &Coordinator, want: u32) -> Result<SyncResponse, CoordinatorError> {
        call(coordinator, &self.token, self.worker.request(Vec::new(), want)).await
    }

    /// Takes leases and lists them as held from now on.
    async fn take(&mut self, coordinator: &Coordinator, want: u32) -> Vec<Lease> {
        let leases = self.call(coordinator, want).await.expect("heard").leases;
        self.worker.hold(&leases);
        leases
    }

    async fn report(&self, coordinator: &Coordinator, games: Vec<FinishedGame>) -> Vec<AckStatus> {
        let answer = call(coordinator, &self.token, self.worker.request(games, 0)).await.expect("heard");
        answer.acks.iter().map(|ack| ack.status).collect()
    }

    /// Takes all leases that it can get, plays them, and delivers the games. Returns the number of leases.
    async fn turn(&mut self, coordinator: &Coordinator, play: impl Fn(&Lease) -> Vec<FinishedGame>) -> usize {
        let leases = self.take(coordinator, 64).await;
        self.worker.held.clear();
        self.report(coordinator, leases.iter().flat_map(play).collect()).await;
        leases.len()
    }

    /// Takes all leases that it can get, and reports them as failed. Returns the number of leases.
    async fn fail_all(&mut self, coordinator: &Coordinator) -> usize {
        let leases = self.take(coordinator, 64).await;
        self.worker.held.clear();
        let mut request = self.worker.request(Vec::new(), 0);
        request.failed =
            leases.iter().map(|lease| FailedLease { lease: lease.id, why: "no engine".into() }).collect();
        call(coordinator, &self.token, request).await.expect("heard");
        leases.len()
    }

    async fn quarantine(&self, coordinator: &Coordinator) -> Option<String> {
        let overview = coordinator.overview().await.expect("overview");
        overview.workers.into_iter().find(|row| row.id == self.worker.id).and_then(|row| row.quarantine)
    }
}

async fn code(coordinator: &Coordinator, machines: u32) -> String {
    let request = JoinCodeRequest { machines, expires_in_ms: 60_000 };
    coordinator.create_join_code(request, "ada").await.expect("a code").code
}

/// Joins with a new token, and returns the token.
async fn join(coordinator: &Coordinator, code: &str, worker: WorkerId) -> Result<String, CoordinatorError> {
    let token = WorkerId::random().to_string();
    let token_sha256 = Sha256::digest(&token).iter().map(|byte| format!("{byte:02x}")).collect();
    let request = JoinRequest { code: code.into(), worker, name: "node".into(), token_sha256 };
    coordinator.join(request).await.map(|_| token)
}

async fn work_token(coordinator: &Coordinator) -> String {
    token(coordinator, "work").await.expect("a token")
}

/// A coordinator that rechecks every pair.
async fn all_checked(database: &Database, pairs: u32) -> (Coordinator, Clock) {
    let (coordinator, clock) = open_with(database, |config| config.replay_share = 1.0).await;
    let planned = PlannedCell { pairs, ..quick(SIMS) };
    coordinator.apply(&experiment("one", vec![planned])).await.expect("apply");
    (coordinator, clock)
}

fn forbidden(refused: Result<SyncResponse, CoordinatorError>) -> String {
    match refused {
        Err(CoordinatorError::Forbidden(why)) => why,
        other => panic!("{other:?}"),
    }
}

async fn release(coordinator: &Coordinator, machine: &Machine) {
    let machines = Machines::Named(machine.worker.id.to_string());
    let request = QuarantineRequest { machines, why: None };
    coordinator.quarantine(request, "ada").await.expect("released");
}

async fn statuses(coordinator: &Coordinator, worker: WorkerId) -> Vec<GameStatus> {
    let games = coordinator.games("one", None, 1_000).await.expect("games").games;
    games.into_iter().filter(|game| game.worker == worker).map(|game| game.status).collect()
}

async fn counted(coordinator: &Coordinator, worker: WorkerId) -> usize {
    statuses(coordinator, worker).await.iter().filter(|status| **status == GameStatus::Counted).count()
}

async fn actions(coordinator: &Coordinator, action: &str) -> usize {
    let entries = coordinator.audit(None, 1_000).await.expect("audit").entries;
    entries.iter().filter(|entry| entry.action == action).count()
}

on_both_databases! {
    async fn three_invented_ids_of_one_token_outvote_nobody(database: Database) {
        let (coordinator, _) = all_checked(&database, 2).await;
        let mut honest_one = Machine::new(&work_token(&coordinator).await);
        let mut honest_two = Machine::new(&work_token(&coordinator).await);
        let shared = work_token(&coordinator).await;
        let mut ids = [(); 3].map(|()| Machine::new(&shared));
        honest_one.turn(&coordinator, |lease| honest(lease, 3)).await;
        assert_eq!(ids[0].turn(&coordinator, |lease| lies(lease, 9)).await, 2, "its word is heard once");
        for id in &mut ids[1..] {
            assert_eq!(id.turn(&coordinator, |lease| lies(lease, 9)).await, 0, "its other ids are not asked");
        }
        assert_eq!(honest_one.quarantine(&coordinator).await, None);
        assert_eq!(honest_two.turn(&coordinator, |lease| honest(lease, 3)).await, 2);
        for id in &ids {
            let why = id.quarantine(&coordinator).await.expect("two tokens against one");
            assert!(why.contains("had other moves on two other machines"), "{why}");
        }
        assert_eq!(honest_one.quarantine(&coordinator).await, None);
        assert_eq!(honest_two.quarantine(&coordinator).await, None);
        assert_eq!(counted(&coordinator, honest_one.worker.id).await, 4);
        assert_verified(&coordinator).await;
    }

    async fn ids_of_one_token_do_not_agree_with_themselves(database: Database) {
        let (coordinator, clock) = all_checked(&database, 1).await;
        let shared = work_token(&coordinator).await;
        let (mut liar, mut accomplice) = (Machine::new(&shared), Machine::new(&shared));
        liar.turn(&coordinator, |lease| lies(lease, 9)).await;
        assert_eq!(accomplice.turn(&coordinator, |lease| lies(lease, 9)).await, 0);
        // The accomplice gets no recheck, however long no other machine is present.
        clock.advance(86_400_000);
        assert_eq!(accomplice.turn(&coordinator, |lease| lies(lease, 9)).await, 0);
        let mut other = Machine::new(&work_token(&coordinator).await);
        assert_eq!(other.turn(&coordinator, |lease| honest(lease, 3)).await, 1);
        let mut third = Machine::new(&work_token(&coordinator).await);
        assert_eq!(third.turn(&coordinator, |lease| honest(lease, 3)).await, 1);
        assert!(liar.quarantine(&coordinator).await.is_some());
        assert_verified(&coordinator).await;
    }

    async fn nobody_calls_in_the_name_of_another_machine(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut victim = Machine::new(&work_token(&coordinator).await);
        let own = work_token(&coordinator).await;
        let leases = victim.take(&coordinator, 1).await;
        for start in [0, victim.worker.start, victim.worker.start + 1, MOST_STARTS] {
            let games = crate::play::play_all(&leases[0], 1);
            let forged = SyncRequest { start, want: 1, ..victim.worker.request(games, 0) };
            let why = forbidden(call(&coordinator, &own, forged).await);
            assert!(why.contains("belongs to another token") && why.contains("gauntlet token revoke"), "{why}");
        }
        assert_eq!(statuses(&coordinator, victim.worker.id).await, [], "nothing of it was taken");
        let answer = victim.call(&coordinator, 0).await.expect("it goes on");
        assert_eq!(answer.revoked, [], "and holds what it held");
        victim.worker.start_anew();
        victim.call(&coordinator, 0).await.expect("it starts anew");
        assert_verified(&coordinator).await;
    }

    async fn a_start_that_no_clock_gives_locks_nobody_out(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let mut machine = Machine::new(&work_token(&coordinator).await);
        machine.worker.start = clock.now_ms().unsigned_abs() / 1000;
        machine.call(&coordinator, 0).await.expect("heard");
        for start in [machine.worker.start + 86_401, 1 << 40, MOST_STARTS] {
            let wild = SyncRequest { start, ..machine.worker.request(Vec::new(), 0) };
            let wild = SyncRequest { session: Worker::new().session, ..wild };
            let refused = call(&coordinator, &machine.token, wild).await.expect_err("no such clock");
            assert!(refused.to_string().contains("beyond this coordinator's clock"), "{refused}");
        }
        machine.call(&coordinator, 0).await.expect("it goes on");
        // Such a number is in no database, unless another program wrote it.
        database.run("UPDATE worker SET start_number = 9223372036854775807").await;
        machine.worker.start_anew();
        machine.call(&coordinator, 0).await.expect("it starts anew");
        machine.call(&coordinator, 0).await.expect("and goes on");
    }

    async fn a_process_that_is_known_goes_on_when_the_coordinators_clock_is_set_back(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let mut machine = Machine::new(&work_token(&coordinator).await);
        machine.worker.start = clock.now_ms().unsigned_abs() / 1000;
        machine.call(&coordinator, 0).await.expect("heard");
        clock.advance(-3 * 86_400_000);
        machine.call(&coordinator, 0).await.expect("it is the same process");
    }

    async fn a_token_is_for_as_many_machines_as_it_says(database: Database) {
        let (coordinator, _) = open(&database).await;
        let request = TokenRequest {
            name: "lab".into(),
            scopes: Scope::Work.into(),
            expires_in_ms: None,
            machines: Some(2),
        };
        let made = coordinator.create_token(request, "ada").await.expect("a token");
        let known = [(); 2].map(|()| Machine::new(&made.token));
        for machine in &known {
            machine.call(&coordinator, 0).await.expect("heard");
        }
        for _ in 0..3 {
            let why = forbidden(Machine::new(&made.token).call(&coordinator, 1).await);
            assert!(why.contains("`lab`") && why.contains("is for 2 machines") && why.contains("--machines"), "{why}");
        }
        for machine in &known {
            machine.call(&coordinator, 0).await.expect("those stay");
        }
        let line = coordinator.tokens().await.expect("tokens").remove(0);
        assert_eq!((line.machines, line.bound), (Some(2), 2));
        assert_eq!(coordinator.overview().await.expect("overview").workers.len(), 2, "nothing of the others");
    }

    async fn a_code_for_one_machine_lets_in_one_id(database: Database) {
        let (coordinator, _) = open(&database).await;
        let one = code(&coordinator, 1).await;
        let machine = Machine::joined(&coordinator, &one).await;
        for _ in 0..20 {
            let invented = Machine::new(&machine.token);
            let why = forbidden(invented.call(&coordinator, 1).await);
            assert!(why.contains("joined with it") && why.contains("gauntlet token join"), "{why}");
        }
        machine.call(&coordinator, 0).await.expect("it is the one");
        join(&coordinator, &one, WorkerId::random()).await.expect_err("it is used");
        let two = code(&coordinator, 2).await;
        for _ in 0..2 {
            let machine = Machine::joined(&coordinator, &two).await;
            machine.call(&coordinator, 0).await.expect("heard");
            forbidden(Machine::new(&machine.token).call(&coordinator, 1).await);
        }
        join(&coordinator, &two, WorkerId::random()).await.expect_err("two and no more");
        assert_eq!(coordinator.overview().await.expect("overview").workers.len(), 3);
    }

    async fn a_machine_whose_token_was_revoked_joins_again_and_keeps_its_id(database: Database) {
        let (coordinator, _) = open(&database).await;
        let mut machine = Machine::joined(&coordinator, &code(&coordinator, 1).await).await;
        machine.call(&coordinator, 0).await.expect("heard");
        let other = code(&coordinator, 1).await;
        let early = join(&coordinator, &other, machine.worker.id).await.expect_err("its token is worth something");
        assert!(matches!(&early, CoordinatorError::Forbidden(why) if why.contains("gauntlet token revoke")), "{early}");
        let line = coordinator.tokens().await.expect("tokens").remove(0);
        coordinator.revoke_token(&line.id, "ada").await.expect("revoked");
        machine.token = join(&coordinator, &other, machine.worker.id).await.expect("that cost no code");
        machine.worker.start_anew();
        machine.call(&coordinator, 0).await.expect("it is the same machine");
        assert_eq!(coordinator.overview().await.expect("overview").workers.len(), 1);
    }

    async fn quarantine_follows_the_token_and_the_id(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let shared = work_token(&coordinator).await;
        let (mut one, mut two) = (Machine::new(&shared), Machine::new(&shared));
        let held = two.take(&coordinator, 1).await;
        one.call(&coordinator, 0).await.expect("heard");
        let machines = Machines::Named(one.worker.id.to_string());
        let request = QuarantineRequest { machines, why: Some("it lies".into()) };
        coordinator.quarantine(request, "ada").await.expect("told");
        let code_of = |answer: SyncResponse| answer.no_work.map(|no| no.code);
        let answer = two.call(&coordinator, 1).await.expect("heard");
        assert_eq!(answer.revoked, [held[0].id]);
        assert_eq!(code_of(answer), Some(NoWorkCode::Quarantined));
        let fresh = Machine::new(&shared);
        for _ in 0..2 {
            let answer = fresh.call(&coordinator, 1).await.expect("heard");
            assert_eq!((answer.leases.len(), code_of(answer)), (0, Some(NoWorkCode::Quarantined)));
        }
        // A new token does not end the quarantine of the id, which then also applies to the new token's other machines.
        let line = coordinator.tokens().await.expect("tokens").remove(0);
        coordinator.revoke_token(&line.id, "ada").await.expect("revoked");
        one.token = work_token(&coordinator).await;
        let beside = Machine::new(&one.token);
        assert_eq!(beside.call(&coordinator, 1).await.expect("heard").leases.len(), 1);
        let answer = one.call(&coordinator, 1).await.expect("heard");
        assert_eq!(code_of(answer), Some(NoWorkCode::Quarantined));
        assert_eq!(code_of(beside.call(&coordinator, 1).await.expect("heard")), Some(NoWorkCode::Quarantined));
        release(&coordinator, &beside).await;
        assert_eq!(one.take(&coordinator, 1).await.len(), 1, "it is released with the others");
        assert_verified(&coordinator).await;
    }

    async fn two_machines_of_a_code_in_quarantine_close_it(database: Database) {
        let (coordinator, _) = open(&database).await;
        let lab = code(&coordinator, 9).await;
        for quarantined in 0..2 {
            let machine = Machine::joined(&coordinator, &lab).await;
            machine.call(&coordinator, 0).await.expect("heard");
            let machines = Machines::Named(machine.worker.id.to_string());
            let request = QuarantineRequest { machines, why: Some("it lies".into()) };
            coordinator.quarantine(request, "ada").await.expect("told");
            if quarantined == 0 {
                Machine::joined(&coordinator, &lab).await;
            }
        }
        let closed = join(&coordinator, &lab, WorkerId::random()).await.expect_err("closed");
        assert!(closed.to_string().contains("in quarantine"), "{closed}");
    }

    async fn the_machine_of_a_run_is_taken_over_by_no_stored_token(database: Database) {
        let (coordinator, _) = open(&database).await;
        let own = |coordinator: &Coordinator| {
            coordinator.token_of_this_process("gauntlet run", Scope::Work).reveal().to_owned()
        };
        let mut machine = Machine::new(&own(&coordinator));
        machine.call(&coordinator, 0).await.expect("heard");
        let stored = work_token(&coordinator).await;
        let forged = || SyncRequest { start: 2, ..machine.worker.request(Vec::new(), 0) };
        let why = forbidden(call(&coordinator, &stored, forged()).await);
        assert!(why.contains("gauntlet run") && why.contains("--dir"), "{why}");
        coordinator.close().await;
        // The token of the last process is no longer valid, but another token still cannot take over the machine.
        let (coordinator, _) = open(&database).await;
        forbidden(call(&coordinator, &stored, forged()).await);
        machine.token = own(&coordinator);
        machine.worker.start_anew();
        machine.call(&coordinator, 0).await.expect("the next run");
    }

    async fn machines_of_one_code_check_each_other(database: Database) {
        let (coordinator, _) = all_checked(&database, 1).await;
        let lab = code(&coordinator, 3).await;
        let mut broken = Machine::joined(&coordinator, &lab).await;
        let (mut two, mut three) =
            (Machine::joined(&coordinator, &lab).await, Machine::joined(&coordinator, &lab).await);
        broken.turn(&coordinator, |lease| lies(lease, 9)).await;
        assert_eq!(two.turn(&coordinator, |lease| honest(lease, 3)).await, 1, "no other machine is present");
        assert_eq!(three.turn(&coordinator, |lease| honest(lease, 3)).await, 1);
        assert!(broken.quarantine(&coordinator).await.is_some());
        assert_eq!(two.quarantine(&coordinator).await, None);
        assert_eq!(three.quarantine(&coordinator).await, None);
        assert_verified(&coordinator).await;
    }

    async fn machines_of_one_code_are_one_witness_against_another(database: Database) {
        let (coordinator, _) = all_checked(&database, 1).await;
        let mut honest_one = Machine::new(&work_token(&coordinator).await);
        let gang = code(&coordinator, 3).await;
        let mut liars = Vec::new();
        for _ in 0..3 {
            liars.push(Machine::joined(&coordinator, &gang).await);
        }
        honest_one.turn(&coordinator, |lease| honest(lease, 3)).await;
        for liar in &mut liars {
            liar.turn(&coordinator, |lease| lies(lease, 9)).await;
        }
        assert_eq!(honest_one.quarantine(&coordinator).await, None);
        assert_eq!(counted(&coordinator, honest_one.worker.id).await, 2, "disputed, and counted");
        let mut honest_two = Machine::new(&work_token(&coordinator).await);
        assert_eq!(honest_two.turn(&coordinator, |lease| honest(lease, 3)).await, 1);
        for liar in &liars {
            assert!(liar.quarantine(&coordinator).await.is_some(), "all three");
        }
        assert_eq!(honest_one.quarantine(&coordinator).await, None);
        assert_verified(&coordinator).await;
    }

    async fn a_machine_of_another_principal_is_asked_before_one_of_the_same_code(database: Database) {
        let (coordinator, _) = all_checked(&database, 1).await;
        let gang = code(&coordinator, 2).await;
        let mut liar = Machine::joined(&coordinator, &gang).await;
        let mut accomplice = Machine::joined(&coordinator, &gang).await;
        let mut other = Machine::new(&work_token(&coordinator).await);
        other.call(&coordinator, 0).await.expect("it is there");
        liar.turn(&coordinator, |lease| lies(lease, 9)).await;
        assert_eq!(accomplice.turn(&coordinator, |lease| lies(lease, 9)).await, 0, "it would agree");
        assert_eq!(other.turn(&coordinator, |lease| honest(lease, 3)).await, 1);
        assert_verified(&coordinator).await;
    }

    async fn an_accomplice_that_fails_every_check_saves_no_liar(database: Database) {
        let (coordinator, _) = all_checked(&database, 12).await;
        let mut liar = Machine::new(&work_token(&coordinator).await);
        let mut accomplice = Machine::new(&work_token(&coordinator).await);
        let (mut one, mut two) =
            (Machine::new(&work_token(&coordinator).await), Machine::new(&work_token(&coordinator).await));
        assert_eq!(liar.turn(&coordinator, |lease| lies(lease, 9)).await, 12);
        for machine in [&one, &two] {
            machine.call(&coordinator, 0).await.expect("it is there");
        }
        assert_eq!(accomplice.fail_all(&coordinator).await, 12);
        for _ in 0..5 {
            assert_eq!(accomplice.fail_all(&coordinator).await, 0, "others are asked");
        }
        assert!(one.turn(&coordinator, |lease| honest(lease, 3)).await >= 12);
        two.turn(&coordinator, |lease| honest(lease, 3)).await;
        assert!(liar.quarantine(&coordinator).await.is_some());
        assert_eq!(counted(&coordinator, liar.worker.id).await, 0, "none of its games is left");
        let why = coordinator.why(&accomplice.worker.id.to_string()).await.expect("why").reasons.join("\n");
        assert!(why.contains("failed 12 of its 12 rechecks"), "{why}");
        assert_eq!(actions(&coordinator, "conspicuous").await, 1);
        assert_verified(&coordinator).await;
    }

    async fn ids_of_one_token_give_no_check_up(database: Database) {
        let (coordinator, _) = all_checked(&database, 1).await;
        let mut liar = Machine::new(&work_token(&coordinator).await);
        liar.turn(&coordinator, |lease| lies(lease, 9)).await;
        let shared = work_token(&coordinator).await;
        for _ in 0..12 {
            Machine::new(&shared).fail_all(&coordinator).await;
        }
        let (mut one, mut two) =
            (Machine::new(&work_token(&coordinator).await), Machine::new(&work_token(&coordinator).await));
        assert_eq!(one.turn(&coordinator, |lease| honest(lease, 3)).await, 1, "it is not given up");
        assert!(two.turn(&coordinator, |lease| honest(lease, 3)).await >= 1);
        assert!(liar.quarantine(&coordinator).await.is_some());
        assert_verified(&coordinator).await;
    }

    async fn letting_go_of_checks_without_a_word_holds_none_up(database: Database) {
        let (coordinator, _) = all_checked(&database, 4).await;
        let mut liar = Machine::new(&work_token(&coordinator).await);
        let mut accomplice = Machine::new(&work_token(&coordinator).await);
        let other = Machine::new(&work_token(&coordinator).await);
        other.call(&coordinator, 0).await.expect("it is there");
        liar.turn(&coordinator, |lease| lies(lease, 9)).await;
        assert_eq!(accomplice.take(&coordinator, 64).await.len(), 4);
        accomplice.worker.held.clear();
        assert_eq!(accomplice.take(&coordinator, 64).await.len(), 0, "it let go of them: others are asked");
        let mut other = other;
        assert_eq!(other.take(&coordinator, 64).await.len(), 4);
        assert_verified(&coordinator).await;
    }

    async fn a_lease_for_playing_again_looks_like_any_other(database: Database) {
        let (coordinator, _) = all_checked(&database, 1).await;
        let (mut one, mut two) =
            (Machine::new(&work_token(&coordinator).await), Machine::new(&work_token(&coordinator).await));
        let first = one.take(&coordinator, 1).await.remove(0);
        one.report(&coordinator, honest(&first, 3)).await;
        let again = two.take(&coordinator, 1).await.remove(0);
        assert_ne!(again.id, first.id);
        assert_eq!(Lease { id: first.id, ..again }, first);
        let other = two.report(&coordinator, honest(&Lease { id: two.worker.held[0].lease, ..first }, 3)).await;
        assert_eq!(other, [AckStatus::Superseded; 2]);
        let checked = coordinator.why(&one.worker.id.to_string()).await.expect("why");
        assert!(!checked.reasons.is_empty());
        assert_eq!(two.take(&coordinator, 4).await, [], "both games of the pair are decided");
        assert_verified(&coordinator).await;
    }

    async fn all_games_of_a_liar_are_taken_out_and_put_back(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let planned = PlannedCell { pairs: 130, ..quick(SIMS) };
        coordinator.apply(&experiment("one", vec![planned])).await.expect("apply");
        let mut liar = Machine::new(&work_token(&coordinator).await);
        let mut other = Machine::new(&work_token(&coordinator).await);
        liar.turn(&coordinator, |lease| lies(lease, 9)).await;
        clock.advance(60_000);
        let middle = clock.now_ms();
        clock.advance(60_000);
        liar.turn(&coordinator, |lease| lies(lease, 8)).await;
        assert_eq!(other.turn(&coordinator, |lease| honest(lease, 3)).await, 2);
        assert_eq!(counted(&coordinator, liar.worker.id).await, 256);
        let machines = || Machines::Named(liar.worker.id.to_string());
        let exclude = async |since_ms| {
            let request = ExcludeGamesRequest { machines: machines(), since_ms, why: "it plays at random".into() };
            coordinator.exclude_games(request, "ada").await.expect("excluded").games
        };
        let restore = async || {
            let request = RestoreGamesRequest { machines: machines() };
            let done = coordinator.restore_games(request, "ada").await.expect("restored");
            (done.games, done.counted)
        };
        let done = async || coordinator.report("one").await.expect("report").summary.games_done;

        assert_eq!(exclude(Some(middle)).await, 128, "from a time on");
        assert_eq!((counted(&coordinator, liar.worker.id).await, done().await), (128, 132));
        assert_verified(&coordinator).await;
        assert_eq!(restore().await, (128, 128));
        assert_eq!(restore().await, (0, 0), "once");
        assert_eq!(done().await, 260);
        assert_verified(&coordinator).await;

        assert_eq!(exclude(None).await, 256);
        assert_eq!(exclude(None).await, 0, "once");
        assert_eq!((counted(&coordinator, liar.worker.id).await, done().await), (0, 4));
        let games = coordinator.games("one", None, 1_000).await.expect("games").games;
        let reasons = games.iter().filter(|game| game.worker == liar.worker.id).map(|game| game.reason.as_deref());
        assert!(reasons.clone().all(|reason| reason == Some("it plays at random")) && reasons.count() == 256);
        assert_verified(&coordinator).await;
        // Another machine plays some of the games in the meantime.
        let leases = other.take(&coordinator, 10).await;
        other.report(&coordinator, leases.iter().flat_map(|lease| honest(lease, 3)).collect()).await;
        assert_eq!(restore().await, (256, 236), "what nobody played meanwhile counts again");
        assert_eq!(done().await, 260);
        assert_verified(&coordinator).await;
        assert_eq!([actions(&coordinator, "exclude").await, actions(&coordinator, "restore").await], [2, 2]);
        // A game that was excluded individually stays excluded.
        let hand = games[0].id;
        let play = coordinator.games("one", None, 1_000).await.expect("games").games;
        let counted_play = play.iter().find(|game| game.id == hand && game.status == GameStatus::Counted);
        coordinator.exclude(hand, counted_play.map(|game| game.lease), "by hand", "ada").await.expect("excluded");
        assert_eq!(restore().await, (0, 0));
        let nobody = ExcludeGamesRequest {
            machines: Machines::Token("0123456789ab".into()),
            since_ms: None,
            why: "it lies".into(),
        };
        let none = coordinator.exclude_games(nobody, "ada").await.expect_err("no such token");
        assert!(none.to_string().contains("0123456789ab"), "{none}");
        assert_verified(&coordinator).await;
    }
}
