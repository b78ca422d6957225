//! The statistics of sweeps against values computed independently, and against simulated sweeps with a known truth.

mod analysis;
mod best;
mod claims;
mod control;
mod curve;
mod importance;
mod paired;
mod promises;
mod properties;
mod random;
mod rating;
mod reference;
mod residual;
mod shrinkage;
mod sizes;
mod unfinished;
