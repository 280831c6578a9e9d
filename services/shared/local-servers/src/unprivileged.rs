//! Chooses an unprivileged user for Postgres, which refuses to run as root.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use crate::ServerError;

/// A user of this machine.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) name: &'static str,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// The users that may run Postgres if this process is root, in order of preference.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

/// Returns the user that Postgres has to run as; `None`, the current user, if this process is not root.
pub(crate) fn database_user() -> Result<Option<User>, ServerError> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users =
        fs::read_to_string("/etc/passwd").map_err(ServerError::io("cannot read /etc/passwd"))?;
    CANDIDATES.iter().find_map(|name| find_user(&users, name)).map(Some).ok_or(
        ServerError::Missing {
            program: "a user without privileges",
            advice: "as root, Postgres needs the user `postgres` or `nobody`",
        },
    )
}

fn find_user(passwd: &str, name: &'static str) -> Option<User> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != name {
            return None;
        }
        let (uid, gid) = (fields.nth(1)?, fields.next()?);
        Some(User { name, uid: uid.parse().ok()?, gid: gid.parse().ok()? })
    })
}

/// Checks that `user` can enter the data `folder`, whose parents may be closed to other users, as /root
/// is.
pub(crate) fn check_reachable(folder: &Path, user: Option<&User>) -> Result<(), ServerError> {
    let Some(user) = user else { return Ok(()) };
    let is_open = |folder: &&Path| {
        fs::metadata(folder).is_ok_and(|data| data.mode() & 0o001 != 0 || data.uid() == user.uid)
    };
    let absolute = std::path::absolute(folder)
        .map_err(ServerError::io("the folder for data has no address"))?;
    let mut parents = absolute.ancestors().skip(1).filter(|folder| folder.exists());
    match parents.find(|folder| !is_open(folder)) {
        None => Ok(()),
        Some(closed) => Err(ServerError::Closed {
            folder: folder.to_owned(),
            closed: closed.to_owned(),
            user: user.name,
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_the_user_cannot_enter_is_refused_with_the_closed_parent() {
        let root = tempfile::tempdir().expect("a folder");
        let closed = root.path().join("closed");
        fs::create_dir(&closed).expect("a folder");
        let set_mode = |folder: &Path, mode| {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("it is ours");
        };
        set_mode(root.path(), 0o755);
        set_mode(&closed, 0o700);
        let data = closed.join("data/postgres");
        // A user id that does not exist.
        let user = User { name: "postgres", uid: 4_000_000, gid: 4_000_000 };
        let refused = check_reachable(&data, Some(&user)).map_err(|error| error.to_string());
        let message = refused.expect_err("it can't be entered");
        assert!(
            message.contains(&closed.display().to_string()) && message.contains("DATA_DIR"),
            "{message}"
        );
        assert!(check_reachable(&data, None).is_ok(), "without root it runs as the current user");
        set_mode(&closed, 0o711);
        assert!(check_reachable(&data, Some(&user)).is_ok());
    }

    #[test]
    fn users_are_read_from_passwd() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\npostgres:x:104:111::/var/lib:/bin/bash\n";
        let user = find_user(passwd, "postgres").expect("postgres stands in the file");
        assert_eq!((user.uid, user.gid), (104, 111));
        assert!(find_user(passwd, "nobody").is_none());
    }
}
