//! Postgres and NATS as child processes: for `almijara up`, and for tests.
//!
//! Each server stores its data in one folder and listens on 127.0.0.1 only. Every child is bound to the
//! thread that started it: when that thread ends, for whatever reason, the kernel stops the child. So
//! start children from a thread that lives as long as they should.

mod child;
mod nats;
mod ports;
mod postgres;
mod programs;
mod unprivileged;

use std::{error::Error, io, path::PathBuf, time::Duration};

pub use child::{Child, StopSignal, bound_command};
pub use nats::{NatsAccounts, NatsServer};
pub use ports::{free_port, is_free, reserve_port};
pub use postgres::{Durability, PostgresServer};
pub use programs::Programs;

/// Why a server could not be prepared or started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// A program is not installed.
    #[error("{program} was not found; {advice}")]
    Missing {
        /// The program.
        program: &'static str,
        /// How to get it.
        advice: &'static str,
    },
    /// A program is too old.
    #[error("{version} is too old; {advice}")]
    TooOld {
        /// What the program prints as its version.
        version: String,
        /// How to get a newer one.
        advice: &'static str,
    },
    /// A program does not print its version.
    #[error("{} does not run", program.display())]
    NoVersion {
        /// The program.
        program: PathBuf,
        /// What went wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A client program of Postgres is not installed.
    #[error(
        "{program} was not found; install the client of PostgreSQL, of the server's version or newer \
         (Debian: apt-get install postgresql-client)"
    )]
    NoClient {
        /// The program.
        program: String,
    },
    /// A file, folder or process could not be created.
    #[error("{what}")]
    Io {
        /// What was attempted.
        what: String,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    /// The user that Postgres runs as cannot enter its data folder.
    #[error(
        "Postgres runs as the user {user} here, who can't enter {}, because {} is closed to others; \
         open that (chmod o+x), or name another place by DATA_DIR", folder.display(), closed.display()
    )]
    Closed {
        /// The data folder.
        folder: PathBuf,
        /// The parent folder that the user cannot enter.
        closed: PathBuf,
        /// The user.
        user: &'static str,
    },
    /// A program ended with an error.
    #[error("{program} failed: {output}")]
    Failed {
        /// The program.
        program: &'static str,
        /// Its error output.
        output: String,
    },
    /// The server did not become ready in time.
    #[error("{server} did not answer within {} s; its log is {}", limit.as_secs(), log.display())]
    NotReady {
        /// The server.
        server: &'static str,
        /// The timeout.
        limit: Duration,
        /// Its log file.
        log: PathBuf,
    },
    /// Postgres refused a statement.
    #[error("postgres refused a statement")]
    Sql(#[from] sqlx::Error),
}

impl ServerError {
    fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
