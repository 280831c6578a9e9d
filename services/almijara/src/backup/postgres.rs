//! Programs of Postgres.

use anyhow::{Context, Result};
use local_servers::Programs;
use secrecy::{ExposeSecret, SecretString};
use tokio::process::Command;
use url::Url;

/// A program of Postgres, told where the database is by its environment, which nobody else reads.
pub fn program(name: &str, database_url: &SecretString) -> Result<Command> {
    let url = Url::parse(database_url.expose_secret()).context("the database's address")?;
    let mut command = Command::new(Programs::of_postgres(name)?);
    command.kill_on_drop(true).env("PGCONNECT_TIMEOUT", "10");
    let database = url.path().trim_start_matches('/').to_owned();
    let parts = [
        ("PGHOST", url.host_str().map(str::to_owned)),
        ("PGPORT", url.port().map(|port| port.to_string())),
        ("PGUSER", Some(url.username().to_owned())),
        ("PGPASSWORD", url.password().map(str::to_owned)),
        ("PGDATABASE", Some(database)),
    ];
    for (name, value) in parts {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let value =
                percent_encoding::percent_decode_str(&value).decode_utf8_lossy().into_owned();
            command.env(name, value);
        }
    }
    for (name, value) in url.query_pairs() {
        match &*name {
            "host" => command.env("PGHOST", &*value),
            "sslmode" => command.env("PGSSLMODE", &*value),
            _ => &mut command,
        };
    }
    Ok(command)
}
