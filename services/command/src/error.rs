//! The errors of this role.

/// An error of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres refused a statement or can't be reached.
    #[error("postgres failed")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the schema visitor could not be migrated")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The tables existed when this process started, and have been dropped since.
    #[error(
        "the tables of the schema visitor are gone; restore a backup (`almijara restore`), or the next start creates them empty"
    )]
    NoTables(#[source] sqlx::Error),
    /// The database URL is invalid.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// NATS refused a request or can't be reached.
    #[error("the log failed")]
    Log(#[from] event_log::Error),
    /// A webhook secret is invalid.
    #[error(transparent)]
    Secret(#[from] runtime::InvalidSecret),
    /// The mail server's URL is invalid.
    #[error("SMTP_URL is not the address of a mail server")]
    SmtpUrl(#[source] lettre::transport::smtp::Error),
    /// The mail server's URL asks for an unencrypted connection to another machine.
    #[error(
        "SMTP_URL would send mails and the password unencrypted; begin it with smtps://, or end it with \
         ?tls=required (on a network that nobody else can read, ?tls=none allows it)"
    )]
    SmtpUnencrypted,
    /// A password can't be hashed.
    #[error(transparent)]
    Password(#[from] credentials::PasswordError),
    /// A passkey ceremony could not be started.
    #[error("a passkey can't be requested")]
    Passkey(#[source] webauthn_rs::prelude::WebauthnError),
    /// A file that is part of the build can't be read.
    #[error("{file} of this build can't be read")]
    Embedded {
        /// Its name.
        file: &'static str,
        /// What is wrong with it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A mail template that is part of the build can't be read.
    #[error("a mail template of this build can't be read")]
    Template(#[from] minijinja::Error),
    /// An HTTP client could not be built.
    #[error("cannot create an HTTP client")]
    Client(#[from] reqwest::Error),
    /// The content service refused a request or can't be reached.
    #[error("the content service failed")]
    Content(#[from] content_client::Error),
}

impl Error {
    /// Whether a retry may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Database(error)
            | Self::Migration(sqlx::migrate::MigrateError::Execute(error)) => {
                runtime::postgres::is_transient(error)
            }
            Self::Log(error) => error.disposition() == event_log::LogDisposition::Retry,
            _ => false,
        }
    }
}
