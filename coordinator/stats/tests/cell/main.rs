//! The statistics of one cell, against values computed independently, against simulated cells and tests, and against
//! their own symmetries.

#[allow(dead_code, reason = "the tests of sweeps use the rest")]
#[path = "../sweep/random.rs"]
mod random;
#[allow(dead_code, reason = "the tests of sweeps use the rest")]
#[path = "../sweep/reference.rs"]
mod reference;

mod after_stop;
mod intervals;
mod looks;
mod more_properties;
mod properties;
mod rules;
mod sequential_test;
mod simulated;
mod stratified;
mod summary;
mod unfinished;
mod wide;
