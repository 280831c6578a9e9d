//! Commands of Postgres's client programs.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use local_servers::Programs;
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};
use tokio::process::Command;
use url::Url;

/// Returns a command for a client program of Postgres. It gets the database's address and password in its
/// environment, which other users can't read.
pub fn program(name: &str, database_url: &SecretString) -> Result<Command> {
    let url = Url::parse(database_url.expose_secret()).context("the database's address")?;
    let mut command = Command::new(Programs::postgres_client(name)?);
    command.kill_on_drop(true).env("PGCONNECT_TIMEOUT", "10").envs(environment(&url));
    Ok(command)
}

/// Returns the environment variables of libpq for what the roles' driver (sqlx) reads in an address. What
/// the driver ignores is ignored here too.
fn environment(url: &Url) -> BTreeMap<&'static str, String> {
    let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let mut variables = BTreeMap::from([
        ("PGHOST", decoded(host)),
        ("PGPORT", url.port().map(|port| port.to_string()).unwrap_or_default()),
        ("PGUSER", decoded(url.username())),
        ("PGPASSWORD", decoded(url.password().unwrap_or_default())),
        ("PGDATABASE", decoded(url.path().trim_start_matches('/'))),
    ]);
    let mut options = Vec::new();
    for (name, value) in url.query_pairs() {
        let variable = match &*name {
            "host" | "hostaddr" => "PGHOST",
            "port" => "PGPORT",
            "user" => "PGUSER",
            "password" => "PGPASSWORD",
            "dbname" => "PGDATABASE",
            "application_name" => "PGAPPNAME",
            "sslmode" | "ssl-mode" => "PGSSLMODE",
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => "PGSSLROOTCERT",
            "sslcert" | "ssl-cert" => "PGSSLCERT",
            "sslkey" | "ssl-key" => "PGSSLKEY",
            "options" => {
                options.push(value.into_owned());
                continue;
            }
            other => {
                let setting = other.strip_prefix("options[").and_then(|it| it.strip_suffix(']'));
                options.extend(setting.map(|setting| format!("-c {setting}={value}")));
                continue;
            }
        };
        variables.insert(variable, value.into_owned());
    }
    if let Some(mode) = variables.get_mut("PGSSLMODE") {
        // The driver ignores case here, libpq does not.
        mode.make_ascii_lowercase();
    }
    variables.insert("PGOPTIONS", options.join(" "));
    variables.retain(|_, value| !value.is_empty());
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(url: &str) -> Vec<(&'static str, String)> {
        environment(&url.parse().expect("an address")).into_iter().collect()
    }

    #[test]
    fn the_environment_has_what_the_driver_reads_in_the_address() {
        let cases: [(&str, &[(&str, &str)]); 5] = [
            (
                "postgres://command:p%40ss@db:6432/almijara?sslmode=Verify-Full&sslrootcert=/ca.pem\
                 &sslcert=/c.pem&sslkey=/k.pem&application_name=nightly",
                &[
                    ("PGAPPNAME", "nightly"),
                    ("PGDATABASE", "almijara"),
                    ("PGHOST", "db"),
                    ("PGPASSWORD", "p@ss"),
                    ("PGPORT", "6432"),
                    ("PGSSLCERT", "/c.pem"),
                    ("PGSSLKEY", "/k.pem"),
                    ("PGSSLMODE", "verify-full"),
                    ("PGSSLROOTCERT", "/ca.pem"),
                    ("PGUSER", "command"),
                ],
            ),
            (
                "postgres:///?host=/run/postgresql&port=5433&user=a&password=b&dbname=c",
                &[
                    ("PGDATABASE", "c"),
                    ("PGHOST", "/run/postgresql"),
                    ("PGPASSWORD", "b"),
                    ("PGPORT", "5433"),
                    ("PGUSER", "a"),
                ],
            ),
            (
                "postgres://a@[fd00::1]/b?ssl-mode=require&ssl-ca=/ca.pem",
                &[
                    ("PGDATABASE", "b"),
                    ("PGHOST", "fd00::1"),
                    ("PGSSLMODE", "require"),
                    ("PGSSLROOTCERT", "/ca.pem"),
                    ("PGUSER", "a"),
                ],
            ),
            (
                "postgres://%2Frun%2Fpg/b?options=-c%20geqo%3Doff&options[search_path]=visitor",
                &[
                    ("PGDATABASE", "b"),
                    ("PGHOST", "/run/pg"),
                    ("PGOPTIONS", "-c geqo=off -c search_path=visitor"),
                ],
            ),
            // A parameter of the driver only, and one that the driver ignores.
            (
                "postgres://db/b?statement-cache-capacity=0&channel_binding=require",
                &[("PGDATABASE", "b"), ("PGHOST", "db")],
            ),
        ];
        for (url, expected) in cases {
            let found = variables(url);
            let found: Vec<_> = found.iter().map(|(name, value)| (*name, &**value)).collect();
            assert_eq!(found, expected, "{url}");
        }
    }
}
