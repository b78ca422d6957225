//! Tests that need what is private to this crate.

mod simulation;
