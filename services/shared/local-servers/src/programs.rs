//! Finds the programs of the servers on this machine, and their versions.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{process::Command, time::timeout};

use crate::ServerError;

/// How long a program may take to print its version.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// A server's program, and the oldest version that is supported.
struct ServerProgram {
    name: &'static str,
    oldest: (u32, u32),
    advice: &'static str,
}

const POSTGRES: ServerProgram = ServerProgram {
    name: "postgres",
    oldest: (15, 0),
    advice: "install PostgreSQL 15 or newer (Debian 12, Ubuntu 24.04 or newer: apt-get install \
             postgresql; others: postgresql.org/download)",
};
const NATS: ServerProgram = ServerProgram {
    name: "nats-server",
    oldest: (2, 9),
    advice: "install NATS 2.9 or newer (Debian 12, Ubuntu 24.04 or newer: apt-get install \
             nats-server; others: nats.io/download)",
};

impl ServerProgram {
    const fn missing(&self) -> ServerError {
        ServerError::Missing { program: self.name, advice: self.advice }
    }
}

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

    /// Returns what the newest `postgres` prints as its version. The error says what to install if there is
    /// none, or it is too old.
    pub async fn postgres_version() -> Result<String, ServerError> {
        let version = Self::version(&Self::postgres_folder()?.join("postgres")).await?;
        new_enough(version, &POSTGRES)
    }

    /// Does the same for `nats-server`.
    pub async fn nats_version() -> Result<String, ServerError> {
        new_enough(Self::version(&Self::nats()?).await?, &NATS)
    }

    /// Returns the line that `program` prints as its version.
    pub async fn version(program: &Path) -> Result<String, ServerError> {
        let fails = |source| ServerError::NoVersion { program: program.to_owned(), source };
        let output = Command::new(program).arg("--version").kill_on_drop(true).output();
        let output = match timeout(VERSION_LIMIT, output).await {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => return Err(fails(error.into())),
            Err(_) => return Err(fails("it did not finish in time".into())),
        };
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let first_line = text.lines().next().unwrap_or_default().trim();
        if output.status.success() {
            Ok(first_line.to_owned())
        } else {
            Err(fails(format!("{}: {first_line}", output.status).into()))
        }
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
        Self::folder_with(POSTGRES.name).ok_or_else(|| POSTGRES.missing())
    }

    fn folder_with(program: &str) -> Option<PathBuf> {
        newest(Path::new("/usr/lib/postgresql"), program)
            .or_else(|| Some(Self::on_path(program)?.parent()?.to_owned()))
    }

    pub(crate) fn nats() -> Result<PathBuf, ServerError> {
        Self::on_path(NATS.name).ok_or_else(|| NATS.missing())
    }
}

/// Returns `version` unless the first number in it says that the program is too old.
fn new_enough(version: String, program: &ServerProgram) -> Result<String, ServerError> {
    if first_number(&version).is_some_and(|found| found < program.oldest) {
        return Err(ServerError::TooOld { version, advice: program.advice });
    }
    Ok(version)
}

/// Returns the first number in `text`, with what follows its point.
fn first_number(text: &str) -> Option<(u32, u32)> {
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let mut parts = text[start..].split('.').map(|part| {
        let end = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
        part[..end].parse().unwrap_or_default()
    });
    Some((parts.next()?, parts.next().unwrap_or_default()))
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

    #[tokio::test]
    async fn a_program_that_fails_has_no_version() {
        // It fails whatever its arguments are.
        let program = Programs::on_path("false").expect("every machine has it");
        let error = Programs::version(&program).await.expect_err("it does not run");
        let ServerError::NoVersion { program, source } = &error else { panic!("{error:?}") };
        assert!(program.ends_with("false"), "{error:?}");
        assert!(source.to_string().starts_with("exit status: 1"), "{error:?}");
    }

    #[test]
    fn a_server_that_is_too_old_is_refused_with_both_versions() {
        let check = |text: &str, program| new_enough(text.to_owned(), program);
        for (text, program) in [
            ("postgres (PostgreSQL) 15.13 (Debian 15.13-0+deb12u1)", &POSTGRES),
            ("postgres 17devel", &POSTGRES),
            ("nats-server: v2.9.10", &NATS),
            ("nats-server: v2.10.7", &NATS),
        ] {
            assert_eq!(check(text, program).expect("it is new enough"), text);
        }
        for (text, program, needed) in [
            ("postgres (PostgreSQL) 14.9 (Ubuntu 14.9-0ubuntu0.22.04.1)", &POSTGRES, "15 or newer"),
            ("nats-server: v2.8.4", &NATS, "2.9 or newer"),
        ] {
            let error = check(text, program).expect_err("it is too old").to_string();
            assert!(error.contains(text) && error.contains(needed), "{error}");
        }
    }
}
