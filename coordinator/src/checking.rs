//! Checks of counted games: rechecks on other machines, comparison of effort between machines, and quarantine.

pub(crate) mod agreement;
pub(crate) mod alarms;
pub(crate) mod bounds;
pub(crate) mod quarantine;
pub(crate) mod rechecks;
pub(crate) mod residuals;
