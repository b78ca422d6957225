//! Whether the database answers, and why not.

use super::database::OpenPools;
use super::{Store, StoreError};
use sqlx::{ConnectOptions, Connection};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How long a server may take to answer. A server that is only busy takes less.
const ANSWER: Duration = Duration::from_millis(1_400);

/// The time after which a new connection is tried beside the pool, which gives no reason when it has none.
const NEW_CONNECTION_AFTER: Duration = Duration::from_millis(400);

/// The timeout for a file.
const FILE: Duration = Duration::from_secs(5);

impl Store {
    /// Whether the database is on a server, which may become unreachable while the coordinator runs.
    pub(crate) fn is_on_a_server(&self) -> bool {
        matches!(self.database, OpenPools::Postgres(..))
    }

    /// Whether the database answers soon and has this program's schema.
    ///
    /// # Errors
    /// When it does not, with the reason.
    pub(crate) async fn answers(&self) -> Result<(), StoreError> {
        let asked = async { self.auth_conn().await?.revision().await.map(drop) };
        let OpenPools::Postgres(pools, _) = &self.database else {
            let late = |_| StoreError::Unanswered("its disk gives no answer".to_owned());
            return timeout(FILE, asked).await.map_err(late)?;
        };
        let options = pools.auth.connect_options();
        let connected = async {
            sleep(NEW_CONNECTION_AFTER).await;
            options.connect().await?.ping().await
        };
        let either = async {
            tokio::select! {
                answer = asked => answer,
                connected = connected => connected.map_err(|error| StoreError::Unanswered(error.to_string())),
            }
        };
        let late = |_| StoreError::Unanswered(format!("the server {} is silent", options.get_host()));
        timeout(ANSWER, either).await.map_err(late)?
    }
}
