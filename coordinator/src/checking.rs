//! What is checked after games were counted: rechecks on other machines, effort beside that of others, and quarantine.

pub(crate) mod agreement;
pub(crate) mod alarms;
pub(crate) mod bounds;
pub(crate) mod quarantine;
pub(crate) mod rechecks;
pub(crate) mod residuals;
