//! The handlers of the declared endpoints.

use super::call::{Call, Routes};
use super::{access, bundle, events, experiments, monitoring, sync};
use crate::computing::compute;
use crate::coordinator::SideKey;
use crate::error::CoordinatorError;
use axum::http::header;
use protocol::endpoint::JSON;
use protocol::endpoints::*;
use protocol::operate::Restored;
use protocol::query::{CompareQuery, PointsQuery, SurfaceQuery};
use protocol::selftest::trials;

/// What `protocol` writes from the declarations.
const OPEN_API: &str = include_str!("../../../../docs/reference/openapi.json");

/// The route of every endpoint.
pub(super) fn routes() -> Routes {
    let routes = of_results(of_experiments(Routes::default()));
    of_access(of_machines(of_studies(of_games(routes))))
}

fn of_experiments(routes: Routes) -> Routes {
    routes
        .json(ListExperiments, experiments::list)
        .json(ApplyExperiment, |call| {
            call.coordinator.apply_over(&call.body, &call.caller.name, call.query.supersede)
        })
        .json(DiffExperiment, |call| call.coordinator.difference(&call.body))
        .response(GetExperiment, experiments::report)
        .json(ChangeExperiment, |call| {
            call.coordinator.change_experiment(&call.path, call.body, &call.caller.name)
        })
        .json(ConfirmCase, |call| call.coordinator.confirm(&call.path, call.body, &call.caller.name))
        .json(PromoteCase, |call| call.coordinator.promote(&call.path, call.body, &call.caller.name))
        .json(RetryPairs, |call| call.coordinator.retry(&call.path, &call.caller.name))
        .json(ListBaselines, |call| call.coordinator.baselines())
        .json(GetBaseline, |call| call.coordinator.lineage(&call.path))
        .json(GetHistory, |call| call.coordinator.history(&call.path))
        .json(GetRevision, |call| call.coordinator.revision(&call.path.0, call.path.1))
        .json(GetRevisionChanges, |call| {
            call.coordinator.revision_changes(&call.path.0, call.path.1, call.query.since)
        })
        .response(GetBundle, bundle::bundle)
}

fn of_results(routes: Routes) -> Routes {
    routes
        .json(GetAnalysis, |call| call.coordinator.analysis(&call.path, call.query.size))
        .json(CompareExperiments, |Call { coordinator, query, .. }| {
            let CompareQuery { left, right, left_revision, right_revision, left_case, right_case } = query;
            coordinator.compare([
                SideKey { experiment: left, revision: left_revision, case: left_case },
                SideKey { experiment: right, revision: right_revision, case: right_case },
            ])
        })
        .json(GetCell, |call| call.coordinator.cell(&call.path))
        .json(GetRunningCell, |call| call.coordinator.running_cell(&call.path))
        .json(GetControl, |call| call.coordinator.control_page())
        .json(GetOverview, |call| call.coordinator.overview())
        .json(ListAlarms, |call| call.coordinator.alarms())
        .json(GetNews, |call| call.coordinator.news())
        .json(Explain, |call| call.coordinator.why(&call.path))
        .response(StreamEvents, events::stream)
        .response(GetOpenApi, async |_| Ok::<_, CoordinatorError>(([(header::CONTENT_TYPE, JSON)], OPEN_API)))
        .response(GetMetrics, monitoring::metrics)
        .response(IsLive, monitoring::live)
        .response(IsHealthy, monitoring::health)
        .response(IsReady, monitoring::ready)
}

fn of_games(routes: Routes) -> Routes {
    routes
        .json(ListGames, |call| {
            call.coordinator.games(&call.path, call.query.after.as_deref(), call.query.limit)
        })
        .json(SearchGames, |call| call.coordinator.found_games(call.query))
        .json(SumGames, |call| call.coordinator.games_by_move(call.query))
        .json(ListPairsInPlay, |call| call.coordinator.pairs_in_play())
        .json(GetGameInPlay, |call| call.coordinator.game_in_play(&call.path))
        .json(GetGame, async |Call { coordinator, path, query, .. }| {
            coordinator.game(coordinator.game_id(&path).await?, query.lease).await
        })
        .json(GetGameView, |call| call.coordinator.game_view(&call.path, call.query.lease))
        .response(GetGameFile, |call| call.coordinator.game_file(&call.path, call.query.lease))
        .json(ExcludeGame, async |Call { coordinator, caller, path, body, .. }| {
            let game = coordinator.game_id(&path).await?;
            coordinator.exclude(game, body.lease, &body.why, &caller.name).await
        })
        .json(RestoreGame, async |Call { coordinator, caller, path, body, .. }| {
            let game = coordinator.game_id(&path).await?;
            let status = coordinator.restore(game, body.lease, &caller.name).await?;
            Ok::<_, CoordinatorError>(Restored { status })
        })
}

fn of_studies(routes: Routes) -> Routes {
    routes
        .json(GetTune, |call| call.coordinator.tune_status(&call.path))
        .json(GetTuneSurface, |Call { coordinator, path, query: SurfaceQuery { x, y, size }, .. }| {
            coordinator.tune_surface(&path, (&x, &y), size)
        })
        .json(GetTunePoints, |call| call.coordinator.tune_points(&call.path))
        .json(ListTrials, |call| call.coordinator.trials(&call.path, call.query.from, call.query.limit))
        .json(ProposePoints, |call| call.coordinator.propose(&call.path, call.body))
        .json(ImportTrials, |call| {
            call.coordinator.import_trials(&call.path, &call.body.experiment, &call.caller.name)
        })
        .json(ListStudies, |call| call.coordinator.studies())
        .json(BeginStudy, |call| call.coordinator.begin_study(call.body, &call.caller.name))
        .json(GetStudy, |call| call.coordinator.study_status(&call.path))
        .json(AskStudy, |call| call.coordinator.ask_study(&call.path, call.body))
        .json(TellStudy, |call| call.coordinator.tell_study(&call.path, call.body))
        .json(
            ListStudyPoints,
            |Call { coordinator, path, query: PointsQuery { from, limit, waiting }, .. }| {
                coordinator.study_points(&path, (from, limit), waiting)
            },
        )
        .json(GetStudyPlayed, |call| call.coordinator.study_played(&call.path))
        .json(GetStudySurface, |Call { coordinator, path, query: SurfaceQuery { x, y, size }, .. }| {
            coordinator.study_surface(&path, (&x, &y), size)
        })
        .json(ChangeStudy, |call| {
            call.coordinator.archive_study(&call.path, call.body.archived, &call.caller.name)
        })
}

fn of_machines(routes: Routes) -> Routes {
    routes
        .with(SyncWorker, sync::sync)
        .json(GetSelfTest, async |_| compute(trials).await.map(<[_]>::to_vec))
        .json(ListWorkers, |call| call.coordinator.workers(call.query.offset, call.query.limit))
        .json(GetWorker, |call| call.coordinator.machine(&call.path))
        .json(DirectWorkers, |call| call.coordinator.direct(call.body, &call.caller.name))
        .json(QuarantineWorkers, |call| call.coordinator.quarantine(call.body, &call.caller.name))
        .json(ExcludeGames, |call| call.coordinator.exclude_games(call.body, &call.caller.name))
        .json(RestoreGames, |call| call.coordinator.restore_games(call.body, &call.caller.name))
}

fn of_access(routes: Routes) -> Routes {
    routes
        .json(ListTokens, |call| call.coordinator.tokens())
        .json(CreateToken, |call| call.coordinator.create_token(call.body, &call.caller.name))
        .json(RevokeToken, |call| call.coordinator.revoke_token(&call.path, &call.caller.name))
        .json(ListPages, |call| call.coordinator.pages())
        .json(EndPage, |call| call.coordinator.end_page(&call.path, &call.caller.name))
        .json(CreateJoinCode, |call| call.coordinator.create_join_code(call.body, &call.caller.name))
        .json(WithdrawJoinCodes, |call| call.coordinator.withdraw_codes(call.body, &call.caller.name))
        .json(Join, |call| call.coordinator.join(call.body))
        .json(GetSession, access::session)
        .response(OpenSession, access::sign_in)
        .response(CloseSession, access::sign_out)
        .json(ListChanges, |call| call.coordinator.audit(call.query.before, call.query.limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_endpoint_has_a_route() {
        let mut declared: Vec<_> = ALL.iter().map(|endpoint| endpoint.name).collect();
        let mut served = routes().names;
        declared.sort_unstable();
        served.sort_unstable();
        assert_eq!(served, declared);
    }
}
