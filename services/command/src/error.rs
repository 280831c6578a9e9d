//! What can go wrong.

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres refused or is away.
    #[error("postgres: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("migrating the schema visitor: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The tables were there when this process started, and are no more.
    #[error(
        "the tables of the schema visitor are gone; a copy brings them back (`almijara restore`), or the next start makes them anew and empty: {0}"
    )]
    NoTables(sqlx::Error),
    /// The database's address can't be read.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// NATS refused or is away.
    #[error("log: {0}")]
    Log(#[from] event_log::Error),
    /// A secret of a webhook can't serve.
    #[error(transparent)]
    Secret(#[from] runtime::InvalidSecret),
    /// The mail server's address can't be read.
    #[error("SMTP_URL is not the address of a mail server: {0}")]
    SmtpUrl(lettre::transport::smtp::Error),
    /// A password can't be kept.
    #[error(transparent)]
    Password(#[from] credentials::PasswordError),
    /// A ceremony of a passkey could not be begun.
    #[error("a passkey can't be asked for: {0}")]
    Passkey(webauthn_rs::prelude::WebauthnError),
    /// An HTTP client could not be made.
    #[error("cannot make an HTTP client")]
    Client(#[from] reqwest::Error),
    /// The content service refused or is away.
    #[error("the content service: {0}")]
    Content(#[source] reqwest::Error),
    /// Its answer can't be used.
    #[error("the content service: {0}")]
    ContentBody(#[from] runtime::BodyError),
    /// Its answer is not what it was.
    #[error("the content service: {0}")]
    ContentForm(#[from] serde_json::Error),
}

impl Error {
    /// Whether the same may go well a little later.
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
