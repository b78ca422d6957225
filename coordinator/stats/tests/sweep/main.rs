//! The statistics of sweeps against values computed independently, and against simulated sweeps with a known truth.

mod best;
mod claims;
mod random;
mod reference;
mod shrinkage;
