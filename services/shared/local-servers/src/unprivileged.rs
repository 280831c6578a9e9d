//! Postgres refuses to run as root; so, as root, it runs as a user without privileges.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::ServerError;

/// A user of this machine.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// The users that may own a database when we are root, best first.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

/// Whom Postgres should run as: nobody else where we are not root.
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

fn find_user(passwd: &str, name: &str) -> Option<User> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != name {
            return None;
        }
        let (uid, gid) = (fields.nth(1)?, fields.next()?);
        Some(User { uid: uid.parse().ok()?, gid: gid.parse().ok()? })
    })
}

/// A folder in the place of `wanted` that `user` can reach: `wanted` itself, or, where one of the
/// folders above it is closed to others (such as /root), one under /var/lib named after it.
pub(crate) fn reachable_folder(wanted: &Path, user: Option<&User>) -> PathBuf {
    let Some(user) = user else { return wanted.to_owned() };
    let open = wanted.ancestors().skip(1).filter(|folder| folder.exists()).all(|folder| {
        fs::metadata(folder).is_ok_and(|data| data.mode() & 0o001 != 0 || data.uid() == user.uid)
    });
    if open {
        return wanted.to_owned();
    }
    let name: String = wanted
        .to_string_lossy()
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    PathBuf::from(format!("/var/lib/almijara{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_read_from_passwd() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\npostgres:x:104:111::/var/lib:/bin/bash\n";
        let user = find_user(passwd, "postgres").expect("postgres stands in the file");
        assert_eq!((user.uid, user.gid), (104, 111));
        assert!(find_user(passwd, "nobody").is_none());
    }
}
