//! Queries of cells and games for pages.

use super::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::GameRow;
use protocol::browse::{ByMoveNumber, FoundGames, GameInPlay, GameSearch, GameView, PairsInPlay};
use protocol::cell::{CellReport, RunningCell};
use protocol::ids::LeaseId;
use protocol::report::ControlPage;

impl Coordinator {
    /// A cell in full. `cell` is an id or its first digits.
    ///
    /// # Errors
    /// When there is none or several, or the database fails.
    pub fn cell(&self, cell: &str) -> BoxFuture<'static, Result<CellReport, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), cell.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let cell = reporting::cell_id(&mut tx, &key).await?;
            let now = inner.circumstances(&mut tx).await?;
            reporting::cell(&mut tx, cell, &now).await
        })
    }

    /// The estimate of a cell after its pairs, in their order, and what its stopping rules watch.
    ///
    /// # Errors
    /// As [`Coordinator::cell`].
    pub fn running_cell(&self, cell: &str) -> BoxFuture<'static, Result<RunningCell, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), cell.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let cell = reporting::cell_id(&mut tx, &key).await?;
            reporting::running(&mut tx, cell).await
        })
    }

    /// Every control cell with its result.
    ///
    /// # Errors
    /// When the database fails.
    pub fn control_page(&self) -> BoxFuture<'static, Result<ControlPage, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move { Ok(reporting::control_page(&mut inner.store.read().await?).await?) })
    }

    /// A page of the games that a search finds.
    ///
    /// # Errors
    /// When the query names nothing that exists or cannot be understood, or the database fails.
    pub fn found_games(&self, query: GameSearch) -> BoxFuture<'static, Result<FoundGames, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move { reporting::search(&mut inner.store.read().await?, &inner.plans, query).await })
    }

    /// Sums over the games that a search finds, by move number.
    ///
    /// # Errors
    /// As [`Coordinator::found_games`].
    pub fn games_by_move(
        &self,
        query: GameSearch,
    ) -> BoxFuture<'static, Result<ByMoveNumber, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move { reporting::by_move(&mut inner.store.read().await?, &inner.plans, query).await })
    }

    /// A stored game in full: the counted play, or that of `lease`. `game` is an id or its first digits.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn game_view(
        &self,
        game: &str,
        lease: Option<LeaseId>,
    ) -> BoxFuture<'static, Result<GameView, CoordinatorError>> {
        let (coordinator, game) = (self.clone(), game.to_owned());
        Box::pin(async move {
            let (plays, place) = coordinator.plays_of(&game, lease).await?;
            reporting::view(&mut coordinator.inner.store.read().await?, &plays[place], &plays).await
        })
    }

    /// A stored game as the text of a game file.
    ///
    /// # Errors
    /// As [`Coordinator::game_view`], and when its moves were dropped.
    pub fn game_file(
        &self,
        game: &str,
        lease: Option<LeaseId>,
    ) -> BoxFuture<'static, Result<String, CoordinatorError>> {
        let (coordinator, game) = (self.clone(), game.to_owned());
        Box::pin(async move {
            let (plays, place) = coordinator.plays_of(&game, lease).await?;
            reporting::file(&mut coordinator.inner.store.read().await?, &plays[place]).await
        })
    }

    /// Some of the pairs that machines play at the moment.
    ///
    /// # Errors
    /// When the database fails.
    pub fn pairs_in_play(&self) -> BoxFuture<'static, Result<PairsInPlay, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let now_ms = inner.clock.now_ms();
            Ok(reporting::in_play(&mut inner.store.read().await?, now_ms).await?)
        })
    }

    /// The game of a lease that is played at the moment. Its worker reports the moves as long as a client requests them.
    ///
    /// # Errors
    /// When no game is in play under this lease, or the database fails.
    pub fn game_in_play(&self, lease: &str) -> BoxFuture<'static, Result<GameInPlay, CoordinatorError>> {
        let (inner, lease) = (self.inner.clone(), lease.to_owned());
        Box::pin(async move {
            let missing = || CoordinatorError::unknown("pair in play", lease.clone());
            let id: LeaseId = lease.parse().map_err(|_| missing())?;
            let mut tx = inner.store.read().await?;
            let row = tx.pair_in_play(id).await?.ok_or_else(missing)?;
            let told = inner.watching.watch(id, inner.clock.passed_ms());
            reporting::game_in_play(&mut tx, row, told, inner.clock.now_ms()).await?.ok_or_else(missing)
        })
    }

    /// All plays of a game, and the index of the chosen one.
    async fn plays_of(
        &self,
        game: &str,
        lease: Option<LeaseId>,
    ) -> Result<(Vec<GameRow>, usize), CoordinatorError> {
        let id = self.game_id(game).await?;
        let plays = self.inner.store.read().await?.plays(id).await?;
        let place = reporting::chosen_play(&plays, lease);
        place.map(|place| (plays, place)).ok_or(CoordinatorError::unknown("game", game.to_owned()))
    }
}
