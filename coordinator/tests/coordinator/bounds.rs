//! Machines that give one side more simulations than the other.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    Random, Worker, assert_verified, cell, experiment, open, params, play, play_all, size, speed,
};
use coordinator::Coordinator;
use engine::havannah::Params;
use engine::search::ProvenOutcome;
use engine::selfplay;
use engine::side::Side;
use protocol::experiment::PlannedCell;
use protocol::games::{GameLine, GameStatus};
use protocol::ids::WorkerId;
use protocol::lease::{Budget, Lease, LeasedGame, ParamSet, reference_speed};
use protocol::matchup::Matchup;
use protocol::operate::{ExcludeGamesRequest, Machines, QuarantineRequest, RestoreGamesRequest};
use protocol::result::{FinishedGame, MoveColumns, Speed};
use protocol::sync::AckStatus;
use std::ops::ControlFlow;
use std::time::Duration;

const SECONDS: f64 = 0.5;

/// A cell with a budget in time. A simulation of the case takes 1.5 times as long as one of the baseline.
fn timed(board: u8, pairs: u32) -> PlannedCell {
    let mut planned = cell(500, board, pairs, 1.0);
    planned.spec.budget = Budget::ReferenceSeconds(SECONDS);
    planned
}

async fn start(database: &Database, pairs: u32) -> Coordinator {
    let (coordinator, _) = open(database).await;
    coordinator.apply(&experiment("one", vec![timed(3, pairs)])).await.expect("apply");
    coordinator
}

/// A machine that plays random moves and reports made-up numbers of simulations.
struct Machine {
    worker: Worker,
    /// Its speed relative to the reference machine.
    times: f64,
    /// Simulations of the case and of the baseline, relative to the honest numbers.
    gives: [f64; 2],
    /// Whether the machine plays each game again until the case wins.
    cheats: bool,
    random: Random,
}

impl Machine {
    fn new(seed: u64, times: f64, gives: [f64; 2]) -> Self {
        let mut worker = Worker::new();
        for speed in &mut worker.speeds {
            speed.sims_per_s *= times;
            speed.factor /= times;
        }
        Self { worker, times, gives, cheats: false, random: Random(seed) }
    }

    fn liar(seed: u64, gives: [f64; 2]) -> Self {
        Self { cheats: true, ..Self::new(seed, 3.0, gives) }
    }

    fn id(&self) -> WorkerId {
        self.worker.id
    }

    /// An approximately normal number with mean 0 and this standard deviation.
    fn noise(&mut self, deviation: f64) -> f64 {
        let sum: f64 = (0..12).map(|_| self.random.next() as f64 / 2f64.powi(64)).sum();
        (sum - 6.0) * deviation
    }

    fn play(&mut self, lease: &Lease, game: LeasedGame) -> FinishedGame {
        let mut finished = loop {
            let finished = play(lease, game, self.random.next());
            if !self.cheats || finished.outcome.winner() == Some(game.case_side) {
                break finished;
            }
        };
        let own = speed(lease.size);
        finished.speed = Speed { sims_per_s: own.sims_per_s * self.times, factor: 1.0 / self.times, ..own };
        let us = (SECONDS * finished.speed.factor * 1e6) as u64;
        finished.move_cpu_us = Some(us);
        finished.record.cpu_us.fill(us + us / 300);
        let expected = SECONDS * reference_speed(lease.size);
        // Measured deviations: the level of a game varies with its length; the ratio and the single moves vary less.
        let (level, ratio) = (self.noise(0.2), self.noise(0.1));
        let opening = lease.opening.split_whitespace().count();
        for index in 0..finished.record.sims.len() {
            let case = Side::to_move_after(opening + index) == game.case_side;
            let gives = if case { self.gives[0] / 1.5 * ratio.exp() } else { self.gives[1] };
            let growth = 1.0 + index as f64 / 40.0;
            finished.record.sims[index] =
                (expected * gives * growth * (level + self.noise(0.1)).exp()) as u64;
        }
        finished
    }

    /// Takes pairs and plays them. Returns the number of games played.
    async fn turn(&mut self, coordinator: &Coordinator, pairs: u32) -> usize {
        let leases = self.worker.take(coordinator, pairs).await;
        self.deliver(coordinator, &leases).await
    }

    async fn deliver(&mut self, coordinator: &Coordinator, leases: &[Lease]) -> usize {
        let mut games = Vec::new();
        for lease in leases {
            for game in &lease.games {
                games.push(self.play(lease, *game));
            }
        }
        let sent = games.len();
        leases.iter().for_each(|lease| self.worker.drop_lease(lease));
        let acks = self.worker.sync(coordinator, games, 0).await.acks;
        assert!(acks.iter().all(|ack| ack.status != AckStatus::Rejected), "{acks:?}");
        sent
    }
}

async fn games(coordinator: &Coordinator) -> Vec<GameLine> {
    coordinator.games("one", None, 1000).await.expect("games").games
}

async fn counted(coordinator: &Coordinator, worker: WorkerId) -> usize {
    let games = games(coordinator).await.into_iter();
    games.filter(|game| game.worker == worker && game.status == GameStatus::Counted).count()
}

async fn reasons(coordinator: &Coordinator, key: &str) -> String {
    coordinator.why(key).await.expect("why").reasons.join("\n")
}

async fn audit(coordinator: &Coordinator, action: &str) -> usize {
    let entries = coordinator.audit(None, 100).await.expect("audit").entries;
    entries.iter().filter(|entry| entry.action == action && entry.who == "coordinator: bounds").count()
}

/// Plays a lease with the engine, on a machine that was calibrated like a worker's.
fn really(lease: &Lease) -> Vec<FinishedGame> {
    let standard = Params::preset("uct").expect("a preset");
    let sims_per_s = engine::bench::from_empty(lease.size, &standard, 20_000, 1).sims_per_s();
    let factor = reference_speed(lease.size) / sims_per_s;
    let budget = match lease.budget {
        Budget::Sims(sims) => engine::search::Budget::Sims(sims),
        Budget::ReferenceSeconds(seconds) => {
            engine::search::Budget::CpuTime(Duration::from_secs_f64(seconds * factor))
        }
    };
    let played = lease.games.iter().map(|game| {
        let spec = Matchup::of_lease(lease, game.case_side).spec(budget).expect("a game");
        let record =
            selfplay::play(&spec, &mut |_| ControlFlow::Continue(())).expect("legal").expect("to its end");
        FinishedGame {
            game: game.id,
            lease: lease.id,
            outcome: record.outcome,
            record: MoveColumns::from_record(lease.size, &record),
            speed: Speed { size: lease.size, sims_per_s, factor, drift: 1.0 },
            move_cpu_us: match budget {
                engine::search::Budget::Sims(_) => None,
                engine::search::Budget::CpuTime(time) => Some(time.as_micros() as u64),
            },
            wall_ms: 1,
        }
    });
    played.collect()
}

#[tokio::test]
async fn what_the_engine_plays_is_believed() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let budgets = [Budget::Sims(1), Budget::Sims(30), Budget::Sims(300), Budget::ReferenceSeconds(0.02)];
    let spoils = ["", "keep_tree=false", "draw_detection=true", "rollouts=20", "memory_mib=1", "lookahead=0"];
    let mut cells = Vec::new();
    for (preset, _) in Params::PRESETS {
        for (budget, spoil) in budgets.iter().flat_map(|budget| spoils.map(|spoil| (*budget, spoil))) {
            let mut planned = cell(500, if spoil.is_empty() { 5 } else { 3 }, 1, 1.0);
            planned.spec.budget = budget;
            planned.spec.case = ParamSet::from(&Params::preset(preset).expect("a preset"));
            planned.spec.case.0.extend(params(spoil).0);
            // Presets can become equal when `spoil` overrides the parameters in which they differ.
            if cells.iter().all(|other: &PlannedCell| other.spec.id() != planned.spec.id()) {
                cells.push(planned);
            }
        }
    }
    let planned = cells.len();
    coordinator.apply(&experiment("one", cells)).await.expect("apply");
    let mut worker = Worker::new();
    let mut played = 0;
    loop {
        let leases = worker.take(&coordinator, 64).await;
        if leases.is_empty() {
            break;
        }
        played += leases.len();
        for lease in &leases {
            worker.drop_lease(lease);
            let acks = worker.sync(&coordinator, really(lease), 0).await.acks;
            let good = acks.iter().all(|ack| ack.status == AckStatus::Accepted);
            assert!(good, "{} at {} on size {}: {acks:?}", lease.case_label, lease.budget, lease.size);
        }
    }
    assert_eq!(played, planned);
    assert_verified(&coordinator).await;
}

on_both_databases! {
    async fn a_starved_baseline_is_found_by_two_honest_machines_though_the_liar_plays_nearly_all(database: Database) {
        let coordinator = start(&database, 300).await;
        let mut liar = Machine::liar(1, [3.0, 0.45]);
        let mut honest = [Machine::new(2, 1.0, [1.0, 1.0]), Machine::new(3, 20.0, [1.0, 1.0])];
        for _ in 0..10 {
            liar.turn(&coordinator, 10).await;
        }
        assert_eq!(counted(&coordinator, liar.id()).await, 200, "nobody can contradict it yet");
        honest[0].turn(&coordinator, 2).await;
        assert_eq!(counted(&coordinator, liar.id()).await, 200, "one word against another");
        let said = reasons(&coordinator, "one").await;
        assert!(said.contains("machines disagree"), "{said}");
        honest[1].turn(&coordinator, 2).await;
        assert_eq!(counted(&coordinator, liar.id()).await, 0, "all that came before is taken out, too");
        assert_verified(&coordinator).await;
        for machine in &honest {
            assert_eq!(counted(&coordinator, machine.id()).await, 4);
            let said = reasons(&coordinator, &machine.id().to_string()).await;
            assert!(!said.contains("quarantine") && !said.contains("differ"), "nothing is held against it: {said}");
        }
        let said = reasons(&coordinator, &liar.id().to_string()).await;
        for words in ["it is in quarantine", "200 of its games are kept apart", "times as many simulations"] {
            assert!(said.contains(words), "{words} is not in {said}");
        }
        assert_eq!(audit(&coordinator, "quarantine").await, 1);
        assert_eq!(liar.turn(&coordinator, 10).await, 0, "it gets no more");
        let said = reasons(&coordinator, &liar.id().to_string()).await;
        assert_eq!(said.matches("in quarantine").count(), 1, "the reason is given once: {said}");
        // The honest machines play the liar's games again.
        for machine in &mut honest {
            assert!(machine.turn(&coordinator, 40).await >= 80);
        }
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!(summary.games_done, 168);
        assert_verified(&coordinator).await;
    }

    async fn honest_machines_of_any_speed_and_build_are_left_alone(database: Database) {
        let coordinator = start(&database, 500).await;
        // Speeds that differ by factors of up to 20, and builds on which one player or the other is up to 1.3 times as
        // fast.
        let mut fleet: Vec<Machine> = [
            (1.0, [1.0, 1.0]), (20.0, [1.3, 1.0]), (2.0, [1.0, 1.3]), (4.5, [0.8, 0.85]), (9.0, [1.1, 1.2]),
        ].into_iter().zip(10..).map(|((times, gives), seed)| Machine::new(seed, times, gives)).collect();
        let mut played = 0;
        for _ in 0..10 {
            for machine in &mut fleet {
                played += machine.turn(&coordinator, 10).await;
            }
        }
        assert_eq!(played, 1000);
        assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 1000, "every game counts");
        for machine in &fleet {
            let said = reasons(&coordinator, &machine.id().to_string()).await;
            assert!(!said.contains("quarantine") && !said.contains("differ"), "{said}");
        }
        assert_eq!((audit(&coordinator, "flag").await, audit(&coordinator, "quarantine").await), (0, 0));
        assert_verified(&coordinator).await;
    }

    async fn a_machine_that_favours_one_side_by_less_is_shown_to_people(database: Database) {
        let coordinator = start(&database, 200).await;
        let mut fleet = [Machine::new(1, 1.0, [1.0, 1.0]), Machine::new(2, 5.0, [1.0, 1.0]), Machine::new(3, 2.0, [1.5, 0.75])];
        for _ in 0..5 {
            for machine in &mut fleet {
                machine.turn(&coordinator, 4).await;
            }
        }
        let [first, second, biased] = &fleet;
        assert_eq!(counted(&coordinator, biased.id()).await, 40, "its games count");
        let said = reasons(&coordinator, &biased.id().to_string()).await;
        assert!(said.contains("its games differ from those of other machines: over") && said.contains("the case had"), "{said}");
        assert_eq!(audit(&coordinator, "flag").await, 1);
        let overview = coordinator.overview().await.expect("overview");
        for worker in overview.workers {
            assert_eq!(worker.biased.is_some(), worker.id == biased.id(), "{worker:?}");
        }
        for honest in [first, second] {
            assert!(!reasons(&coordinator, &honest.id().to_string()).await.contains("differ"));
        }
        assert_verified(&coordinator).await;
    }

    async fn a_machine_that_favours_both_sides_in_turns_is_shown_to_people(database: Database) {
        let coordinator = start(&database, 200).await;
        let mut fleet = [Machine::new(1, 1.0, [1.0, 1.0]), Machine::new(2, 5.0, [1.0, 1.0]), Machine::new(3, 2.0, [1.5, 0.75])];
        for _ in 0..6 {
            for machine in &mut fleet {
                machine.turn(&coordinator, 4).await;
            }
            fleet[2].gives.reverse();
        }
        let said = reasons(&coordinator, &fleet[2].id().to_string()).await;
        assert!(said.contains("in favour of the case in some games and of the baseline in others"), "{said}");
        assert_eq!(audit(&coordinator, "flag").await, 1);
        for honest in &fleet[..2] {
            assert!(!reasons(&coordinator, &honest.id().to_string()).await.contains("differ"));
        }
        assert_verified(&coordinator).await;
    }

    async fn a_game_that_counts_late_counts_with_its_simulations(database: Database) {
        let coordinator = start(&database, 2).await;
        let (mut early, mut holder) = (Machine::new(1, 1.0, [1.0, 1.0]), Machine::new(2, 1.0, [1.0, 1.0]));
        let abandoned = early.worker.take(&coordinator, 2).await;
        abandoned.iter().for_each(|lease| early.worker.drop_lease(lease));
        early.worker.sync(&coordinator, Vec::new(), 0).await;
        let held = holder.worker.take(&coordinator, 2).await;
        assert_eq!((abandoned.len(), held.len()), (2, 2));
        assert_eq!(early.deliver(&coordinator, &abandoned).await, 4);
        assert_eq!(counted(&coordinator, early.id()).await, 0, "they give way to the present holder");
        held.iter().for_each(|lease| holder.worker.drop_lease(lease));
        holder.worker.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(counted(&coordinator, early.id()).await, 4);
        assert_verified(&coordinator).await;
        let machines = Machines::Named(early.id().to_string());
        let all = ExcludeGamesRequest { machines, since_ms: None, why: "late".into() };
        assert_eq!(coordinator.exclude_games(all, "ada").await.expect("exclude").games, 4);
        assert_verified(&coordinator).await;
    }

    async fn the_player_of_another_cell_says_as_much_of_a_baseline(database: Database) {
        // Only the liar plays its cell. The bias still shows in the baseline, which all cells share.
        let (coordinator, _) = open(&database).await;
        let others = timed(3, 4);
        coordinator.apply(&experiment("one", vec![others.clone()])).await.expect("apply");
        for machine in [&mut Machine::new(1, 1.0, [1.0, 1.0]), &mut Machine::new(2, 2.0, [1.0, 1.0])] {
            machine.turn(&coordinator, 2).await;
        }
        let mut own = cell(100, 3, 50, 1.0);
        own.spec.budget = Budget::ReferenceSeconds(SECONDS);
        coordinator.apply(&experiment("one", vec![others, own])).await.expect("apply");
        let mut liar = Machine::liar(3, [1.0, 0.1]);
        liar.turn(&coordinator, 5).await;
        assert_eq!(counted(&coordinator, liar.id()).await, 0);
        assert_verified(&coordinator).await;
    }

    async fn a_game_taken_out_or_put_back_leaves_the_sums_right(database: Database) {
        let coordinator = start(&database, 50).await;
        let mut fleet = [Machine::new(1, 1.0, [1.0, 1.0]), Machine::new(2, 5.0, [1.0, 1.0]), Machine::liar(3, [3.0, 0.3])];
        for machine in &mut fleet {
            machine.turn(&coordinator, 2).await;
        }
        let all = games(&coordinator).await;
        assert!(all.iter().any(|game| game.status == GameStatus::Excluded), "{all:?}");
        for game in &all {
            let place = (game.id, Some(game.lease));
            match game.status {
                GameStatus::Excluded => drop(coordinator.restore(place.0, place.1, "ada").await.expect("restore")),
                _ => coordinator.exclude(place.0, place.1, "by hand", "ada").await.expect("exclude"),
            }
            assert_verified(&coordinator).await;
        }
        let release = QuarantineRequest { machines: Machines::All, why: None };
        coordinator.quarantine(release, "ada").await.expect("release");
        assert_verified(&coordinator).await;
        fleet[0].turn(&coordinator, 2).await;
        assert_verified(&coordinator).await;
        let machines = Machines::All;
        let all = ExcludeGamesRequest { machines: machines.clone(), since_ms: None, why: "hot".into() };
        assert!(coordinator.exclude_games(all, "ada").await.expect("exclude").games > 0);
        assert_verified(&coordinator).await;
        assert!(coordinator.restore_games(RestoreGamesRequest { machines }, "ada").await.expect("restore").counted > 0);
        assert_verified(&coordinator).await;
    }

    async fn a_game_of_which_some_moves_are_starved_is_kept_apart_whoever_else_plays(database: Database) {
        let coordinator = start(&database, 50).await;
        let mut machine = Machine::new(1, 3.0, [1.0, 1.0]);
        let leases = machine.worker.take(&coordinator, 4).await;
        let spoil: [fn(&mut Vec<u64>); 4] = [
            |sims| sims[2] /= 20,
            |sims| sims[3] *= 20,
            |sims| sims.iter_mut().step_by(2).for_each(|sims| *sims /= 20),
            |sims| sims.iter_mut().for_each(|sims| *sims *= 40),
        ];
        for (lease, spoil) in leases.iter().zip(spoil) {
            let mut played: Vec<_> = lease.games.iter().map(|game| machine.play(lease, *game)).collect();
            spoil(&mut played[0].record.sims);
            machine.worker.drop_lease(lease);
            let acks = machine.worker.sync(&coordinator, played, 0).await.acks;
            assert_eq!((acks[0].status, acks[1].status), (AckStatus::Superseded, AckStatus::Accepted));
            assert!(acks[0].message.as_ref().is_some_and(|why| why.contains("kept apart")), "{acks:?}");
            assert_verified(&coordinator).await;
        }
        let apart: Vec<_> = games(&coordinator).await.into_iter().filter(|game| game.status == GameStatus::Excluded).collect();
        assert_eq!(apart.len(), 4);
        assert!(apart.iter().all(|game| game.reason.as_ref().is_some_and(|why| why.contains("simulations"))), "{apart:?}");
        // The games of the excluded plays are open again.
        assert_eq!(machine.turn(&coordinator, 4).await, 4);
        assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 8);
        assert_verified(&coordinator).await;
    }

    async fn a_winner_without_lookahead_may_be_many_times_as_fast_at_the_end(database: Database) {
        let (coordinator, _) = open(&database).await;
        let plain = timed(3, 4);
        let mut blind = plain.clone();
        blind.baseline.params = params("lookahead=0 rave_k=0");
        blind.spec.baseline = blind.baseline.params.clone();
        coordinator.apply(&experiment("one", vec![plain, blind.clone()])).await.expect("apply");
        let mut machine = Machine::new(1, 3.0, [1.0, 1.0]);
        for lease in machine.worker.take(&coordinator, 8).await {
            let mut played: Vec<_> = lease.games.iter().map(|game| machine.play(&lease, *game)).collect();
            let opening = lease.opening.split_whitespace().count();
            let baseline = (opening..).position(|ply| Side::to_move_after(ply) != lease.games[0].case_side);
            played[0].record.sims[baseline.expect("one of two moves")] *= 14;
            machine.worker.drop_lease(&lease);
            let acks = machine.worker.sync(&coordinator, played, 0).await.acks;
            let counts = acks[0].status == AckStatus::Accepted;
            assert_eq!(counts, lease.baseline == blind.spec.baseline, "{acks:?}");
        }
    }

    async fn what_no_machine_can_have_done_is_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        let cells = vec![timed(3, 60), cell(500, 4, 60, 1.0)];
        coordinator.apply(&experiment("one", cells)).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 40).await;
        let of = |wanted: u8| leases.iter().filter(move |lease| lease.size == size(wanted));
        type Break = (fn(&mut FinishedGame), &'static str);
        let anywhere: [Break; 12] = [
            (|game| game.speed.sims_per_s = 0.0, "speed.sims_per_s is 0e0"),
            (|game| game.speed.sims_per_s = 1e308, "speed.sims_per_s is 1e308"),
            (|game| game.speed.sims_per_s = f64::NAN, "speed.sims_per_s is NaN"),
            (|game| game.speed.sims_per_s = -45_454.5, "speed.sims_per_s is -4.54545e4"),
            (|game| game.speed.sims_per_s = f64::INFINITY, "speed.sims_per_s is inf"),
            (|game| game.speed.factor = 0.0, "speed.factor is 0e0"),
            (|game| game.speed.factor = 1e308, "speed.factor is 1e308"),
            (|game| game.speed.factor = f64::NAN, "speed.factor is NaN"),
            (|game| game.speed.factor *= 1.01, "from the other numbers follows"),
            (|game| game.speed.drift = 0.0, "speed.drift is 0e0"),
            (|game| game.speed.drift = 1e308, "speed.drift is 1e308"),
            (|game| game.wall_ms = u64::MAX, "wall_ms is 18446744073709551615"),
        ];
        let in_sims: [Break; 4] = [
            (|game| game.record.sims[0] = 0, "0 simulations of 100, and nothing is proved"),
            (|game| game.record.sims.fill(0), "0 simulations of 100, and nothing is proved"),
            (|game| game.record.sims[1] = 99, "move 2: 99 simulations of 100, and nothing is proved"),
            (|game| (game.record.sims[2], game.record.claim[2]) = (7, ProvenOutcome::AtMostDraw), "7 simulations of 100"),
        ];
        let in_time: [Break; 6] = [
            (|game| game.record.sims[0] = 0, "no simulation, and nothing is proved"),
            (|game| game.move_cpu_us = None, "the time of a move is missing"),
            (|game| game.move_cpu_us = Some(5), "move_cpu_us is 5: 0.5 reference seconds are 500000"),
            (|game| game.move_cpu_us = Some(u64::MAX), "move_cpu_us is 18446744073709551615"),
            (|game| game.record.cpu_us[0] = 50_000, "50000 CPU microseconds of 500000, and nothing is proved"),
            (|game| game.record.cpu_us[0] = 60_000_000, "60000000 CPU microseconds, where 500000 were given"),
        ];
        assert!(of(4).count() >= in_sims.len() + anywhere.len() && of(3).count() >= in_time.len() + anywhere.len());
        let (in_sims, in_time) = (in_sims.iter().chain(&anywhere), in_time.iter().chain(&anywhere));
        for (lease, (spoil, why)) in of(4).zip(in_sims).chain(of(3).zip(in_time)) {
            let mut game = play_all(lease, 5).remove(0);
            spoil(&mut game);
            let ack = worker.sync(&coordinator, vec![game], 0).await.acks.remove(0);
            assert_eq!(ack.status, AckStatus::Rejected, "{why}");
            assert!(ack.message.as_ref().is_some_and(|said| said.contains(why)), "{why}: {ack:?}");
        }
        assert_verified(&coordinator).await;
        // A proof may end a search at once, or before the budget is used.
        let mut worker = Worker::new();
        for lease in worker.take(&coordinator, 4).await {
            let mut game = play_all(&lease, 5).remove(0);
            let last = game.record.sims.len() - 1;
            for (index, sims) in [(last, 0), (last - 1, 3)] {
                (game.record.sims[index], game.record.claim[index]) = (sims, ProvenOutcome::Win);
                game.record.cpu_us[index] = 0;
            }
            assert_eq!(worker.report(&coordinator, vec![game]).await, [AckStatus::Accepted]);
        }
        assert_verified(&coordinator).await;
    }

    async fn speeds_that_no_machine_has_get_no_games_and_lose_none(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![timed(3, 9)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        for (sims_per_s, factor, drift) in [(0.0, 1.0, 1.0), (1e308, 1.0, 1.0), (f64::NAN, 1.0, 1.0), (80_500.0, 3.0, 1.0), (80_500.0, 1.0, 0.0)] {
            worker.speeds = vec![Speed { size: size(3), sims_per_s, factor, drift }];
            let answer = worker.sync(&coordinator, Vec::new(), 2).await;
            assert_eq!(answer.leases.len(), 0, "{:?}", worker.speeds);
            assert!(coordinator.overview().await.expect("overview").workers[0].speeds.is_empty());
        }
        worker.speeds = vec![speed(size(3))];
        let answer = worker.sync(&coordinator, play_all(&lease, 3), 1).await;
        assert_eq!((answer.acks.len(), answer.leases.len()), (2, 1));
        assert!(answer.acks.iter().all(|ack| ack.status == AckStatus::Accepted), "{:?}", answer.acks);
        assert_eq!(coordinator.overview().await.expect("overview").workers[0].speeds.len(), 1);
        assert_verified(&coordinator).await;
    }
}
