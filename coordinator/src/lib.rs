//! coordinator

pub mod dashboard;
pub mod stats;
