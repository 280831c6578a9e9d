//! Postgres and NATS as child processes: for `almijara up`, and for tests.
//!
//! Each server keeps its data in one folder and listens on 127.0.0.1 only. Every child is bound to
//! the thread that started it: when that ends, however it ends, the kernel stops the child. So
//! start children from a thread that lives as long as they should.

mod child;
mod nats;
mod ports;
mod postgres;
mod programs;
mod unprivileged;

use std::{io, path::PathBuf, time::Duration};

pub use child::{Child, StopSignal, bound_command};
pub use nats::{NatsAccounts, NatsServer};
pub use ports::{free_port, is_free, take_port};
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
    /// A program of Postgres's client is not installed.
    #[error(
        "{program} was not found; install the client of PostgreSQL, of the server's version or newer \
         (Debian: apt-get install postgresql-client)"
    )]
    NoClient {
        /// The program.
        program: String,
    },
    /// A file, folder or process could not be made.
    #[error("{what}")]
    Io {
        /// What was tried.
        what: String,
        /// The system's word.
        #[source]
        source: io::Error,
    },
    /// The user that Postgres has to run as can't enter its folder.
    #[error(
        "Postgres runs as the user {user} here, who can't enter {}, because {} is closed to others; \
         open that (chmod o+x), or name another place by DATA_DIR", folder.display(), closed.display()
    )]
    Closed {
        /// Where its data should be.
        folder: PathBuf,
        /// What is closed.
        closed: PathBuf,
        /// The user.
        user: &'static str,
    },
    /// A program ended with an error.
    #[error("{program} failed: {output}")]
    Failed {
        /// The program.
        program: &'static str,
        /// Its last words.
        output: String,
    },
    /// The server did not answer in time.
    #[error("{server} did not answer within {} s; its log is {}", limit.as_secs(), log.display())]
    NotReady {
        /// The server.
        server: &'static str,
        /// The time that it had.
        limit: Duration,
        /// Where it logs.
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
