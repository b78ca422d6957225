//! The user who runs this command, by the system and not by the environment, which every user can set.

use rustix::process::{Uid, getuid};

/// The number for processes that belong to no login.
const NO_LOGIN: u32 = u32::MAX;

/// The name under which changes in a local database are recorded, such as `ada@lab`, or `ada as root@lab` after `sudo`.
pub(crate) fn who() -> String {
    let user = name_of(getuid());
    let login = std::fs::read_to_string("/proc/self/loginuid").ok();
    let login = login.and_then(|text| text.trim().parse().ok()).filter(|uid| *uid != NO_LOGIN);
    let user = match login.map(Uid::from_raw).filter(|login| *login != getuid()) {
        Some(login) => format!("{} as {user}", name_of(login)),
        None => user,
    };
    let name: String = format!("{user}@{}", super::host_name());
    name.chars().filter(|c| !c.is_control()).take(100).collect()
}

/// The name of a user, or its number if the system has no name for it.
fn name_of(user: Uid) -> String {
    let known = uzers::get_user_by_uid(user.as_raw());
    known.map_or_else(|| format!("user {}", user.as_raw()), |user| user.name().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_without_a_name_has_a_number() {
        assert_eq!(name_of(Uid::from_raw(4_000_000_001)), "user 4000000001");
        assert_eq!(name_of(Uid::ROOT), "root");
        assert!(who().ends_with(&format!("@{}", crate::commands::host_name())));
    }
}
