//! Where this machine has the servers' programs.

use std::{fs, path::PathBuf};

use crate::ServerError;

/// The programs of this machine.
#[derive(Debug)]
pub struct Programs;

impl Programs {
    /// The newest `postgres`; the error says how to get one.
    pub fn postgres() -> Result<PathBuf, String> {
        Self::postgres_folder()
            .map(|folder| folder.join("postgres"))
            .map_err(|error| error.to_string())
    }

    /// `name` of the newest Postgres, such as `pg_dump`; the error says how to get it.
    pub fn of_postgres(name: &str) -> Result<PathBuf, ServerError> {
        Self::postgres_folder().map(|folder| folder.join(name))
    }

    /// `nats-server`; the error says how to get it.
    pub fn nats_server() -> Result<PathBuf, String> {
        Self::nats().map_err(|error| error.to_string())
    }

    /// `program` on the path, or where Debian keeps servers.
    pub fn on_path(program: &str) -> Option<PathBuf> {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .chain([PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/bin")])
            .map(|folder| folder.join(program))
            .find(|file| file.is_file())
    }

    /// The folder of the newest Postgres: Debian keeps each under its own version, and others put
    /// it on the path.
    pub(crate) fn postgres_folder() -> Result<PathBuf, ServerError> {
        let by_version = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let newest = by_version
            .filter_map(|entry| {
                let version: u32 = entry.file_name().to_str()?.parse().ok()?;
                let binaries = entry.path().join("bin");
                binaries.join("postgres").exists().then_some((version, binaries))
            })
            .max()
            .map(|(_, binaries)| binaries);
        let on_path = || Some(Self::on_path("postgres")?.parent()?.to_owned());
        newest.or_else(on_path).ok_or(ServerError::Missing {
            program: "postgres",
            advice: "install PostgreSQL 15 or newer (Debian: apt-get install postgresql)",
        })
    }

    pub(crate) fn nats() -> Result<PathBuf, ServerError> {
        Self::on_path("nats-server").ok_or(ServerError::Missing {
            program: "nats-server",
            advice: "install NATS 2.9 or newer (Debian: apt-get install nats-server)",
        })
    }
}
