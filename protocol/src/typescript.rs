//! The types of the API for the dashboard, written from the Rust types.

use crate::access::{JoinCode, JoinCodeRequest, Scope, Scopes, Session, SignIn};
use crate::ids::{CellId, ExperimentId, WorkerId};
use crate::lease::{Budget, ParamSet};
use crate::operate::{AuditEntry, Machines};
use crate::report::{
    AsidePair, ControlReport, ExperimentReport, ExperimentState, ExperimentSummary, Fleet, Light,
    MissingPairs, Overview, Point, Series, StopOutcome, Stopping, Verdict, WorkerReport, WorkersPage,
};
use crate::result::Speed;
use crate::sync::Directive;
use std::fs;
use ts_rs::{Config, TS};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../dashboard/src/api-types.ts");

const WRITE: &str = "GAUNTLET_WRITE_TYPES";

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
        AsidePair, AuditEntry, Budget, CellId, ControlReport, Directive, ExperimentId, ExperimentReport, ExperimentState,
        ExperimentSummary, Fleet, JoinCode, JoinCodeRequest, Light, Machines, MissingPairs, Overview, ParamSet,
        Point, Scope, Scopes, Series, Session, SignIn, Speed, StopOutcome, Stopping, Verdict, WorkerId, WorkerReport, WorkersPage,
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
