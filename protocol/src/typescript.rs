//! The types of the API for the dashboard, written from the Rust types.

use crate::access::{
    JoinCode, JoinCodeRequest, NewToken, Scope, Scopes, Session, SignIn, TokenLine, TokenRequest,
};
use crate::alarm::{Alarm, AlarmKind, Alarms, Severity};
use crate::analysis::{Comparison, ExperimentAnalysis, SeriesNames};
use crate::baseline::{BaselineLineage, NamedBaseline, PromoteRequest, Promoted};
use crate::browse::{
    ByMoveNumber, CaseResult, DifferingParameter, FoundGame, FoundGames, GameInPlay, GameOrder, GameView,
    MeanInterval, MoveNumber, MovesOf, OtherPlay, PairInPlay, PairsInPlay, PlannedBy, ViewedMove,
};
use crate::cell::{
    BesideOthers, CellMachine, CellPlan, CellReport, CellState, ColourResults, LengthResults, RuleMeasure,
    RunningCell, RunningChange, RunningPoint, RunningRule, RunningValue, ShapeResults, VoidReason,
};
use crate::compare::{
    ComparedPoint, ComparedSeries, ComparedSide, ComparedVerdict, Gap, LonePoint, LoneSeries, SideBySide,
};
use crate::confirm::{
    ConfirmAnswer, ConfirmRequest, Confirmation, ConfirmationCell, ConfirmationPlan, ConfirmationVerdict,
    ConfirmedCell, Confirms,
};
use crate::experiment::Hypotheses;
use crate::games::GameStatus;
use crate::ids::{CellId, ExperimentId, GameId, LeaseId, PlayerId, WorkerId};
use crate::lease::{Budget, ParamSet};
use crate::life::{
    CaseDifference, CellChange, ExperimentChange, ExperimentHistory, GamesUntil, PlanDifference, Revision,
    RevisionChanges,
};
use crate::machine::{FleetSpeed, MachineCell, MachineReport, PastSpeed, ToldState};
use crate::news::{Decided, DecidedCell, ExperimentNews, Leader, News};
use crate::operate::{AuditEntry, AuditPage, Machines};
use crate::report::{
    AsidePair, CellChanges, ControlCell, ControlPage, ControlReport, ExperimentReport, ExperimentState,
    ExperimentSummary, Fleet, Light, MissingPairs, Overview, Point, Series, StopOutcome, Stopping, Verdict,
    WorkerReport, WorkersPage,
};
use crate::result::Speed;
use crate::study::{Study, StudyStatus, StudySummary};
use crate::sync::Directive;
use crate::tune::{Measured, PastRecommendation, PlayedPoint, PlayedPoints, Recommended, Tune, TuneStatus};
use stats::sweep::{
    Basis, CaseResult as RankedCase, CellResult, Field, ParameterCurve, RatedPlayer, RatingList,
    SweepAnalysis,
};
use stats::{ChiSquare, Curve, EffectModel, Importance, Importances, Level, Optimum, OptimumKind, Value};
use std::fs;
use ts_rs::{Config, TS};
use tuner::{
    Aim, Concentration, Condition, Kind, Known, Outcome, Parameter, Prediction, Rate, Recommendation,
    Response, Scale, Share, Shares, SizeWeight, StrategyName, Surface, Value as TunedValue,
    Verdict as TuneVerdict,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../dashboard/src/api-types.ts");

const WRITE: &str = "GAUNTLET_WRITE";

macro_rules! declarations {
    ($config:expr, $($name:ty),+ $(,)?) => {
        [$((<$name>::docs().unwrap_or_default(), <$name>::decl($config))),+]
    };
}

/// The text of the file. TypeScript reports a type that is missing from the list.
fn file() -> String {
    // JSON numbers are what JavaScript reads, those of 64 bits too: counters are far below 2^53.
    let config = &Config::new().with_large_int("number");
    #[rustfmt::skip]
    let types = declarations!(
        config,
        Alarm, AlarmKind, Alarms, AsidePair, AuditEntry, AuditPage, BaselineLineage, Basis, BesideOthers, Budget, ByMoveNumber, CaseDifference,
        CaseResult, CellChange, CellChanges, CellId, CellMachine, CellPlan, CellReport,
        CellResult, CellState, ChiSquare, ColourResults, ComparedPoint, ComparedSeries, ComparedSide,
        ComparedVerdict, Comparison, ConfirmAnswer, ConfirmRequest, Confirmation, ConfirmationCell, ConfirmationPlan,
        ConfirmationVerdict, ConfirmedCell, Confirms, ControlCell, ControlPage, ControlReport, Curve, Decided, DecidedCell, DifferingParameter, Directive,
        EffectModel, ExperimentAnalysis, ExperimentChange, ExperimentHistory, ExperimentId, ExperimentNews, ExperimentReport,
        ExperimentState, ExperimentSummary, Field, Fleet, FleetSpeed, FoundGame, FoundGames, GameId, GameInPlay, GameOrder, GameStatus, GameView, GamesUntil, Gap,
        Hypotheses, Importance, Importances, JoinCode, JoinCodeRequest, Leader, LeaseId, LengthResults, Level, Light, LonePoint, LoneSeries, MachineCell, MachineReport, Machines, MeanInterval,
        MissingPairs, MoveNumber, MovesOf, NamedBaseline, NewToken, News, Optimum, OptimumKind, OtherPlay, Overview, PairInPlay,
        PairsInPlay, ParamSet, ParameterCurve, PastSpeed, PlanDifference, PlannedBy, PlayerId, Point, PromoteRequest, Promoted, RankedCase,
        RatedPlayer, RatingList, Revision, RevisionChanges, RuleMeasure, RunningCell, RunningChange, RunningPoint, RunningRule,
        RunningValue, Scope, Scopes, Series, SeriesNames, Session, Severity, ShapeResults,
        SideBySide, SignIn, Speed,
        StopOutcome, Stopping, SweepAnalysis, ToldState, TokenLine, TokenRequest, Value, Verdict, ViewedMove, VoidReason, WorkerId, WorkerReport,
        WorkersPage,
        Aim, Concentration, Condition, Kind, Known, Measured, Outcome, Parameter, PastRecommendation, PlayedPoint, PlayedPoints,
        Prediction, Rate, Recommendation, Recommended, Response, Scale, Share, Shares, SizeWeight, StrategyName, Study, StudyStatus, StudySummary, Surface, Tune,
        TuneStatus, TuneVerdict, TunedValue,
    );
    let mut text =
        format!("// Written by `{WRITE}=1 cargo test -p protocol typescript` from `protocol/src`.\n");
    for (docs, declaration) in types {
        for line in format!("\n{docs}export {declaration}").lines() {
            // A field that is left out when there is nothing to say is never null.
            let line = if line.contains("?: ") { line.replace(" | null", "") } else { line.to_owned() };
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_types_of_the_dashboard_are_those_of_the_api() {
    if std::env::var_os(WRITE).is_some() {
        fs::write(FILE, file()).expect("the dashboard's sources");
    }
    let committed = fs::read_to_string(FILE).unwrap_or_default();
    assert!(committed == file(), "{FILE} is stale: {WRITE}=1 cargo test -p protocol typescript");
}
