//! coordinator

pub mod stats;
