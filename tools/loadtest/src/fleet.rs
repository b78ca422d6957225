//! The simulated fleet: when each worker calls, and how many games it delivers.

use crate::connection::Address;
use crate::test::Test;
use crate::worker::Worker;
use coordinator::Token;
use protocol::sync::MOST_SLOTS;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// The fractional part of the golden ratio. The fractional parts of its multiples are evenly spread over 0 to 1.
const GOLDEN: f64 = 0.618_033_988_75;

/// The longest time within which the workers leave.
const MOST_LEAVING: Duration = Duration::from_secs(20);

/// How the fleet behaves.
#[derive(Debug, Clone)]
pub(crate) struct Behaviour {
    pub(crate) workers: u32,
    /// The time over which the workers' arrivals are spread.
    pub(crate) joining: Duration,
    /// The time between two calls of a worker.
    pub(crate) interval: Duration,
    /// The rate of all workers together.
    pub(crate) games_per_second: f64,
    /// The code with which the workers join.
    pub(crate) code: String,
}

impl Behaviour {
    /// Games that one worker finishes between two calls.
    fn games_a_call(&self) -> f64 {
        self.games_per_second / f64::from(self.workers) * self.interval.as_secs_f64()
    }

    /// Leases that a worker holds after a call, so that it has games to finish at the next call.
    fn leases(&self) -> usize {
        (self.games_a_call() / 2.0).ceil() as usize + 1
    }

    /// Slots that a worker reports, so that it may hold this many leases.
    fn slots(&self) -> u32 {
        (self.leases().div_ceil(16) as u32).clamp(1, MOST_SLOTS)
    }

    /// The time at which a worker arrives. Arrivals are spread evenly.
    fn arrival(&self, index: u32) -> Duration {
        self.joining.mul_f64(f64::from(index) / f64::from(self.workers))
    }

    /// The time of a worker's first call after it joined. Each worker has its own phase in the interval, so that the
    /// calls of the fleet are spread evenly however long the joining took.
    fn first_call_after(&self, now: Instant, began: Instant, index: u32) -> Instant {
        let place = self.interval.mul_f64(f64::from(index) * GOLDEN % 1.0);
        let passed = (now - began).saturating_sub(place).div_duration_f64(self.interval).floor() + 1.0;
        began + place + self.interval.mul_f64(passed)
    }

    /// The time from the end of the test to the worker's departure. Departures are spread, so that they do not cause a
    /// peak of load.
    fn departure(&self, index: u32) -> Duration {
        self.interval.min(MOST_LEAVING).mul_f64(f64::from(index) / f64::from(self.workers))
    }
}

/// Runs a fleet until `stop`. Each worker then returns its leases with a last call. The first error ends the test.
pub(crate) async fn run(
    test: &Arc<Test>,
    address: &Address,
    behaviour: &Behaviour,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut fleet = JoinSet::new();
    for index in 0..behaviour.workers {
        let (test, address) = (test.clone(), address.clone());
        let (behaviour, stop) = (behaviour.clone(), stop.clone());
        fleet.spawn(async move {
            let arrival = began + behaviour.arrival(index);
            sleep_until(arrival).await;
            live(&test, address, &behaviour, index, (began, arrival), &stop).await
        });
    }
    while let Some(ended) = fleet.join_next().await {
        ended??;
    }
    Ok(())
}

async fn live(
    test: &Test,
    address: Address,
    behaviour: &Behaviour,
    index: u32,
    (began, arrival): (Instant, Instant),
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let token = Token::random();
    let mut worker = Worker::new(address, u64::from(index), &token, behaviour.slots())?;
    worker.join(&behaviour.code, &token).await?;
    let joined = arrival.elapsed();
    // Workers start with different fractions of a game, so that the fleet's rate is constant from the first call on.
    let mut owed = f64::from(index) * GOLDEN % 1.0;
    worker.call(test, Instant::now(), 0, behaviour.leases()).await?;
    test.joined(joined);
    let mut due = behaviour.first_call_after(Instant::now(), began, index);
    loop {
        tokio::select! {
            () = sleep_until(due) => {}
            () = stop.cancelled() => {
                sleep(behaviour.departure(index)).await;
                return worker.leave(test).await;
            }
        }
        owed += behaviour.games_a_call();
        let finish = (owed.floor() as usize).min(worker.games_in_hand());
        owed -= finish as f64;
        worker.call(test, due, finish, behaviour.leases()).await?;
        due += behaviour.interval;
        // A worker that is whole intervals behind skips those calls instead of making them all at once.
        while due + behaviour.interval < Instant::now() {
            due += behaviour.interval;
        }
    }
}
