//! Fills a database with games, by large calls of one simulated worker.

use crate::connection::Address;
use crate::test::Test;
use crate::worker::Worker;
use coordinator::Token;
use protocol::sync::MOST_SLOTS;
use tokio::time::Instant;

/// Leases per call.
const LEASES: usize = 400;

/// Delivers `games` games. `progress` gets the number of games stored so far.
pub(crate) async fn fill(
    test: &Test,
    address: Address,
    code: &str,
    games: u64,
    mut progress: impl FnMut(u64),
) -> anyhow::Result<()> {
    let token = Token::random();
    let mut worker = Worker::new(address, 0, &token, MOST_SLOTS)?;
    worker.join(code, &token).await?;
    let mut stored = 0;
    while stored < games {
        let left = usize::try_from(games - stored).unwrap_or(usize::MAX);
        let finish = left.min(worker.games_in_hand());
        stored += worker.call(test, Instant::now(), finish, LEASES).await?;
        progress(stored);
    }
    worker.leave(test).await
}
