//! The endpoints of the HTTP API. The words above a declaration are its row in docs/reference/protocol.md.

use crate::access::{
    JoinCode, JoinCodeRequest, JoinRequest, Joined, NewToken, PageLine, Scope, Session, SignIn, TokenLine,
    TokenRequest, WithdrawRequest, Withdrawn,
};
use crate::alarm::Alarms;
use crate::analysis::ExperimentAnalysis;
use crate::baseline::{BaselineLineage, NamedBaseline, PromoteRequest, Promoted};
use crate::browse::{ByMoveNumber, FoundGames, GameInPlay, GameSearch, GameView, PairsInPlay};
use crate::cell::{CellReport, RunningCell};
use crate::compare::SideBySide;
use crate::confirm::{ConfirmAnswer, ConfirmRequest};
use crate::endpoint::{Declaration, Endpoint, File, JSON, Method, PathParts, endpoints, variables};
use crate::experiment::Experiment;
use crate::games::{GameReport, GamesPage};
use crate::life::{ExperimentChange, ExperimentHistory, PlanDifference, RevisionChanges};
use crate::machine::MachineReport;
use crate::news::News;
use crate::operate::{
    AuditPage, Directed, DirectiveRequest, ExcludeGamesRequest, ExcludeRequest, GamesChanged,
    QuarantineRequest, RestoreGamesRequest, RestoreRequest, Restored, Why,
};
use crate::query::{
    AnalysisQuery, ApplyQuery, AuditQuery, ChangesQuery, CompareQuery, ExperimentsQuery, GamesQuery,
    PlayQuery, PointsQuery, ReportQuery, SurfaceQuery, TrialsQuery, WorkersQuery,
};
use crate::report::{
    Applied, ControlPage, ExperimentReport, ExperimentSummary, Overview, Retried, WorkersPage,
};
use crate::selftest::Trial;
use crate::study::{
    AskAnswer, AskRequest, PointsPage, StudyChange, StudyRequest, StudyStatus, StudySummary, TellAnswer,
    TellRequest,
};
use crate::sync::{SyncRequest, SyncResponse};
use crate::tune::{ImportRequest, Imported, PlayedPoints, Proposed, ProposedPoints, TrialsPage, TuneStatus};
use serde_json::Value;
use tuner::Surface;

/// The largest body of most calls, which are a few lines.
const SMALL: usize = 64 << 10;

/// The largest body of a worker's call: some thousand games of the largest board.
const GAMES: usize = 32 << 20;

/// The largest experiment: ten thousand cells with long labels.
const EXPERIMENT: usize = 16 << 20;

/// The largest list of points or results: five hundred points with many parameters, or ten thousand results.
const POINTS: usize = 1 << 20;

/// The content type of archives.
pub const GZIP: &str = "application/gzip";

/// The content type of words for people.
const TEXT: &str = "text/plain; charset=utf-8";

endpoints! {
    /// Takes results and state; answers acknowledgements, leases and directives.
    SyncWorker: Post "sync", Work, body SyncRequest [GAMES] => SyncResponse;

    /// The set of short games by which builds are compared, as the coordinator's build plays it.
    GetSelfTest: Get "self-test", Work => Vec<Trial>;

    /// Admits a machine's own token for `work`, with a code in place of a token.
    Join: Post "join", Anybody, body JoinRequest => Joined;

    /// Experiments in short, the newest first; `?all=true` with those in the archive, `?tag=…` with a tag.
    ListExperiments: Get "experiments", Read, query ExperimentsQuery => Vec<ExperimentSummary>;

    /// Applies an experiment (`gauntlet apply`). The same content again changes nothing, and other content of a known name
    /// is the next revision of that experiment. The content of an older revision is answered 409 `older_revision`, unless
    /// the query says `?supersede=true`. Players are canonical: a parameter without effect is refused.
    ApplyExperiment: Post "experiments", Experiment, query ApplyQuery, body Experiment [EXPERIMENT] => Applied;

    /// What applying an experiment would add, reopen, change, close and keep; changes nothing.
    DiffExperiment: Post "diff", Experiment, body Experiment [EXPERIMENT] => PlanDifference;

    /// One experiment in full: the numbers of the chart; `?format=csv` or `.csv` after the name for a table, `?best=6` for
    /// the best lines alone; `?since=` adds an `edition`, and `?since=EDITION` leaves out every point that is as it was
    /// then.
    GetExperiment: Get "experiments/{key}" (String), Read, query ReportQuery => ExperimentReport;

    /// Changes an experiment: one of `"pause"`, `"resume"`, `"stop"`, `"archive"`, `"unarchive"`, `{"weight": 2.5}`,
    /// `{"cell_weights": {"cells": ["…"], "factor": 0.1}}`, `{"note": "…"}`, `{"tags": {"add": ["a"], "remove": ["b"]}}`;
    /// answers the summary.
    ChangeExperiment: Post "experiments/{key}/change" (String), Experiment, body ExperimentChange => ExperimentSummary;

    /// Begins the confirmation of a case, or says what it would play, or what there is: `{"case": "rave_k=500"}`, with
    /// `"preview": true` for the plan alone.
    ConfirmCase: Post "experiments/{key}/confirm" (String), Experiment, body ConfirmRequest => ConfirmAnswer;

    /// Makes a case a named baseline; answered 409 `refused` if it is not confirmed, unless `"unconfirmed": true`.
    PromoteCase: Post "experiments/{key}/promote" (String), Experiment, body PromoteRequest => Promoted;

    /// Releases pairs that were set aside.
    RetryPairs: Post "experiments/{key}/retry" (String), Admin => Retried;

    /// Named baselines, the oldest first.
    ListBaselines: Get "baselines", Read => Vec<NamedBaseline>;

    /// A named baseline with its ancestors and children.
    GetBaseline: Get "baselines/{name}" (String), Read => BaselineLineage;

    /// The revisions of an experiment, what people changed while it ran, and the games counted over time.
    GetHistory: Get "experiments/{key}/history" (String), Read => ExperimentHistory;

    /// What was applied as a revision, as it would be applied again.
    GetRevision: Get "experiments/{key}/revisions/{number}" (String, u64), Read => Experiment;

    /// What a revision has otherwise than the one before, or than `?since=2`: settings in words, cells by case that it
    /// adds, changes, closes and keeps.
    GetRevisionChanges: Get "experiments/{key}/revisions/{number}/changes" (String, u64), Read, query ChangesQuery
        => RevisionChanges;

    /// The analysis of an experiment, or with `?size=6` that of one size: ranking, claims, comparison of the best cases,
    /// curves, importance of parameters, ratings.
    GetAnalysis: Get "experiments/{key}/analysis" (String), Read, query AnalysisQuery => ExperimentAnalysis;

    /// The stored games of an experiment by page, in the order of cells, pairs and halves.
    ListGames: Get "experiments/{key}/games" (String), Read, query GamesQuery => GamesPage;

    /// The [reproducibility bundle](bundle.md) of an experiment, sent while it is made. If making it fails, the connection
    /// ends before the archive does.
    GetBundle: Get "experiments/{key}/bundle" (String), Read => File as GZIP;

    /// Two experiments side by side, `?left=…&right=…`: rates, differences, a mean and a test for each series of both, and
    /// the cells that one side has alone; `left_revision` and `right_revision` choose revisions as they stood when the next
    /// one began, `left_case` and `right_case` one case of each.
    CompareExperiments: Get "compare", Read, query CompareQuery => SideBySide;

    /// What a tune recommends, and how far it has come.
    GetTune: Get "experiments/{key}/tune" (String), Read => TuneStatus;

    /// The fitted win rate over two parameters, `?x=…&y=…`, with all others as recommended; `&size=6` where each size has
    /// its optimum.
    GetTuneSurface: Get "experiments/{key}/tune/surface" (String), Read, query SurfaceQuery => Surface;

    /// The points that a tune has played, with their cells and results; of more than 300, some from every time of the tune.
    GetTunePoints: Get "experiments/{key}/tune/points" (String), Read => PlayedPoints;

    /// The trials of a tune from a number on, `?from=N`, with their results.
    ListTrials: Get "experiments/{key}/tune/trials" (String), Read, query TrialsQuery => TrialsPage;

    /// Points that another program proposes to a tune with the strategy `foreign`.
    ProposePoints: Post "experiments/{key}/tune/points" (String), Experiment, body ProposedPoints [POINTS] => Proposed;

    /// Lets a tune learn from the games of another experiment.
    ImportTrials: Post "experiments/{key}/tune/import" (String), Experiment, body ImportRequest => Imported;

    /// [Studies](../how-to/tune-parameters.md#another-program) of other programs, the newest first.
    ListStudies: Get "studies", Read => Vec<StudySummary>;

    /// Begins a study. The same request again gives the same study.
    BeginStudy: Post "studies", Experiment, body StudyRequest => StudySummary;

    /// How a study stands: its recommendation, the fitted response, and its progress.
    GetStudy: Get "studies/{key}" (String), Read => StudyStatus;

    /// The next points, 1000 at most: `{"count": 100, "key": "a name of this call"}`.
    AskStudy: Post "studies/{key}/ask" (String), Experiment, body AskRequest => AskAnswer;

    /// Results of points in any order, 10,000 at most; all of them are stored, or none.
    /// `{"results": [{"number": 1, "wins": 2}, {"number": 2, "failed": true}]}` gives point 2 back without a result: its
    /// games are free again, and the next points may have them. Before the right result is told, a wrong one is taken back
    /// by `{"number": 1, "wins": 2, "failed": true}`, which repeats it; points that it chose are
    /// [given up](../explanation/tuning.md#how-a-tune-is-played) then. A point has as many games as the study at most.
    TellStudy: Post "studies/{key}/tell" (String), Experiment, body TellRequest [POINTS] => TellAnswer;

    /// Points of a study by number, `?from=N`, with their results; `&waiting=true` for those without.
    ListStudyPoints: Get "studies/{key}/points" (String), Read, query PointsQuery => PointsPage;

    /// The points of a study that have results; of more than 300, some from every time of the study.
    GetStudyPlayed: Get "studies/{key}/played" (String), Read => PlayedPoints;

    /// The fitted win rate over two parameters, `?x=…&y=…`, with all others as recommended; `&size=6` where each size has
    /// its optimum.
    GetStudySurface: Get "studies/{key}/surface" (String), Read, query SurfaceQuery => Surface;

    /// Archives a study (`{"archived": true}`), or takes it back.
    ChangeStudy: Post "studies/{key}/change" (String), Experiment, body StudyChange => StudySummary;

    /// Experiments, the fleet in numbers, and its first workers.
    GetOverview: Get "overview", Read => Overview;

    /// What people should look at: kind, severity (`amber` or `red`), subject, the time since when, words.
    ListAlarms: Get "alarms", Read => Alarms;

    /// Of each experiment: the leader, the decisions, and the games of the last hour.
    GetNews: Get "news", Read => News;

    /// Every control cell with its result, and the light over all of them.
    GetControl: Get "control", Read => ControlPage;

    /// Why a worker is idle, a cell is not played or an experiment stands still, in words.
    Explain: Get "why/{key}" (String), Read => Why;

    /// Server-sent events: something changed, fetch again.
    StreamEvents: Get "events", Read => File as "text/event-stream";

    /// Workers, a page at a time: `?offset=50&limit=50`.
    ListWorkers: Get "workers", Read, query WorkersQuery => WorkersPage;

    /// One worker: why it plays or not, its leases, its results beside those of others, its speeds of two weeks, and what
    /// it told of itself since a person asked.
    GetWorker: Get "workers/{key}" (String), Read => MachineReport;

    /// Tells machines to pause, to go on or to leave.
    DirectWorkers: Post "workers/directive", Admin, body DirectiveRequest => Directed;

    /// Puts machines into quarantine with a reason (`why`), or releases them (without).
    QuarantineWorkers: Post "workers/quarantine", Admin, body QuarantineRequest => Directed;

    /// Takes all counted games of machines out of the results, from a time on if one is given.
    ExcludeGames: Post "workers/exclude", Admin, body ExcludeGamesRequest => GamesChanged;

    /// Puts the games of machines back that were taken out together.
    RestoreGames: Post "workers/restore", Admin, body RestoreGamesRequest => GamesChanged;

    /// One cell in full: its result in words and numbers, the experiments that have it and why it stands as it does,
    /// results by colour, winning shape and number of moves, and each machine beside the others.
    GetCell: Get "cells/{id}" (String), Read => CellReport;

    /// The estimate of a cell after the first pair, every so many further pairs and the last one, in the order of pairs,
    /// and what its stopping rules watch up to their decisions.
    GetRunningCell: Get "cells/{id}/running" (String), Read => RunningCell;

    /// Games searched by any column, a page at a time:
    /// `?experiment=…&cell=…&case=…&baseline=…&size=4,5&budget=1000 sims&worker=…&result=win|draw|loss&kind=fork|bridge|ring&side=white|black&status=counted|excluded|superseded&min_plies=…&max_plies=…&min_expected=80&since_ms=…&until_ms=…&opening=d4 e6&sort=newest|oldest|longest|shortest|surprising&limit=100&after=…`.
    /// A search ends after half a second: a page may have few games, and yet a `next` one.
    SearchGames: Get "games", Read, query GameSearch => FoundGames;

    /// The same search, its first 2000 games summed up by move number: simulations, nodes, time, expected and actual result,
    /// lengths.
    SumGames: Get "games/by-move", Read, query GameSearch => ByMoveNumber;

    /// Pairs that machines play at the moment.
    ListPairsInPlay: Get "games/in-play", Read => PairsInPlay;

    /// A pair that a machine plays at the moment, with the moves of its game under way.
    GetGameInPlay: Get "games/in-play/{lease}" (String), Read => GameInPlay;

    /// One game with everything needed to play it again.
    GetGame: Get "games/{id}" (String), Read, query PlayQuery => GameReport;

    /// One game for people, with the winning shape and the parameters that differ.
    GetGameView: Get "games/{id}/view" (String), Read, query PlayQuery => GameView;

    /// One game as a game file.
    GetGameFile: Get "games/{id}/sgf" (String), Read, query PlayQuery => File as "application/x-go-sgf; charset=utf-8";

    /// Takes a play out of the results with a reason.
    ExcludeGame: Post "games/{id}/exclude" (String), Admin, body ExcludeRequest;

    /// Puts a play back into the results.
    RestoreGame: Post "games/{id}/restore" (String), Admin, body RestoreRequest => Restored;

    /// Tokens without their secrets.
    ListTokens: Get "tokens", Admin => Vec<TokenLine>;

    /// Makes a token.
    CreateToken: Post "tokens", Admin, body TokenRequest => NewToken;

    /// Revokes a token.
    RevokeToken: Post "tokens/{key}/revoke" (String), Admin => TokenLine;

    /// Pages that are signed in.
    ListPages: Get "pages", Admin => Vec<PageLine>;

    /// Signs a page out.
    EndPage: Post "pages/{id}/end" (String), Admin => PageLine;

    /// Makes a code by which machines join.
    CreateJoinCode: Post "join-codes", Admin, body JoinCodeRequest => JoinCode;

    /// Lets a code (`code`), or every code, admit no more.
    WithdrawJoinCodes: Post "join-codes/withdraw", Admin, body WithdrawRequest => Withdrawn;

    /// Who the caller is.
    GetSession: Get "session", Anybody => Session;

    /// Signs a page in with a token, for a cookie of its own.
    OpenSession: Post "session", Anybody, body SignIn => Session;

    /// Signs a page out.
    CloseSession: Delete "session", Anybody;

    /// Who changed what, the latest first.
    ListChanges: Get "audit", Admin, query AuditQuery => AuditPage;

    /// The OpenAPI 3.1 document of these calls, with their schemas.
    GetOpenApi: Get "openapi.json", Anybody => Value;

    /// Numbers for Prometheus.
    GetMetrics: Get root "metrics", Read => File as "text/plain; version=0.0.4; charset=utf-8";

    /// 200 while the process works. An unreachable database is no reason to restart it.
    IsLive: Get root "livez", Anybody => File as TEXT;

    /// 200 while the coordinator can read its database.
    IsHealthy: Get root "healthz", Anybody => File as TEXT;

    /// 200 while the coordinator can store results.
    IsReady: Get root "readyz", Anybody => File as TEXT;
}
