//! The coordinator on real databases, with real games.

mod access;
mod api;
mod aside;
mod databases;
mod delivery;
mod doors;
mod explain;
mod faults;
mod fleet;
mod fuzz;
mod identity;
mod keep;
mod leases;
mod opening;
mod pages;
mod plans;
mod play;
mod postgres;
mod replays;
mod scheduling;
mod several;
mod statements;
mod storm;
mod upkeep;
mod verify;
