//! Finds the programs of the servers on this machine.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::ServerError;

/// The installed programs.
#[derive(Debug)]
pub struct Programs;

impl Programs {
    /// Returns the newest `postgres`; the error says how to install it.
    pub fn postgres() -> Result<PathBuf, String> {
        Self::postgres_folder()
            .map(|folder| folder.join("postgres"))
            .map_err(|error| error.to_string())
    }

    /// Returns the program `name` of the newest Postgres, such as `pg_dump`; the error says how to
    /// install it.
    pub fn postgres_client(name: &str) -> Result<PathBuf, ServerError> {
        Self::folder_with(name)
            .map(|folder| folder.join(name))
            .ok_or_else(|| ServerError::NoClient { program: name.to_owned() })
    }

    /// Returns `nats-server`; the error says how to install it.
    pub fn nats_server() -> Result<PathBuf, String> {
        Self::nats().map_err(|error| error.to_string())
    }

    /// Finds `program` on the path, or where Debian installs servers.
    pub fn on_path(program: &str) -> Option<PathBuf> {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .chain([PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/bin")])
            .map(|folder| folder.join(program))
            .find(|file| file.is_file())
    }

    /// Returns the folder of the newest Postgres. Debian has one folder per version; on other systems it
    /// is on the path.
    pub(crate) fn postgres_folder() -> Result<PathBuf, ServerError> {
        Self::folder_with("postgres").ok_or(ServerError::Missing {
            program: "postgres",
            advice: "install PostgreSQL 15 or newer (Debian: apt-get install postgresql)",
        })
    }

    fn folder_with(program: &str) -> Option<PathBuf> {
        newest(Path::new("/usr/lib/postgresql"), program)
            .or_else(|| Some(Self::on_path(program)?.parent()?.to_owned()))
    }

    pub(crate) fn nats() -> Result<PathBuf, ServerError> {
        Self::on_path("nats-server").ok_or(ServerError::Missing {
            program: "nats-server",
            advice: "install NATS 2.9 or newer (Debian: apt-get install nats-server)",
        })
    }
}

/// Returns the newest version in `versions` that has `program`. A version may lack the server: some
/// machines have only the client programs.
fn newest(versions: &Path, program: &str) -> Option<PathBuf> {
    let by_version = fs::read_dir(versions).into_iter().flatten().flatten();
    let found = by_version.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        let binaries = entry.path().join("bin");
        binaries.join(program).exists().then_some((version, binaries))
    });
    found.max().map(|(_, binaries)| binaries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_programs_are_found_without_a_server() {
        let versions = tempfile::tempdir().expect("a folder");
        for (version, programs) in
            [("9", &["psql", "postgres"][..]), ("15", &["psql", "postgres"]), ("17", &["psql"])]
        {
            let binaries = versions.path().join(version).join("bin");
            fs::create_dir_all(&binaries).expect("a folder");
            for program in programs {
                fs::write(binaries.join(program), "").expect("a file");
            }
        }
        let found = |program| newest(versions.path(), program);
        assert_eq!(found("psql"), Some(versions.path().join("17/bin")));
        assert_eq!(found("postgres"), Some(versions.path().join("15/bin")));
        assert_eq!(found("pg_dump"), None);
    }
}
