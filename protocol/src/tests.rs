//! The files that are written from the declared endpoints, their types, and the columns of tables.

mod calls;
mod columns;
pub(crate) mod openapi;
mod typescript;

use std::fs;

/// With this variable the tests write the files.
const WRITE: &str = "GAUNTLET_WRITE";

/// How the files are written.
const COMMAND: &str = "GAUNTLET_WRITE=1 cargo test -p protocol --lib tests";

/// Fails unless a file has this text. `path` is below the root of the repository.
fn check(path: &str, text: &str) {
    let file = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os(WRITE).is_some() {
        fs::write(&file, text).expect("a file of the repository");
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == text, "{path} is stale: {COMMAND}");
}

/// The engine's types and others with a form of their own, as the API has them.
mod shapes {
    use schemars::JsonSchema;

    /// A side.
    #[derive(JsonSchema)]
    #[schemars(rename_all = "lowercase", inline)]
    #[expect(dead_code, reason = "for its schema")]
    pub(crate) enum Colour {
        White,
        Black,
    }

    /// A winning shape.
    #[derive(JsonSchema)]
    #[schemars(rename_all = "lowercase", inline)]
    #[expect(dead_code, reason = "for its schema")]
    pub(crate) enum Shape {
        Fork,
        Bridge,
        Ring,
    }

    /// How a finished game ended.
    #[derive(JsonSchema)]
    #[schemars(tag = "result", rename_all = "lowercase")]
    #[expect(dead_code, reason = "for its schema")]
    pub(crate) enum Outcome {
        Win { winner: Colour, kind: Shape },
        Draw,
    }

    /// The value of a parameter.
    #[derive(JsonSchema)]
    #[schemars(untagged, inline)]
    #[expect(dead_code, reason = "for its schema")]
    pub(crate) enum ParamValue {
        Flag(bool),
        Number(f64),
        Word(String),
    }
}
pub(crate) use shapes::*;
