//! `almijara doctor`: reports which prerequisites of `almijara up` this machine has.

use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use local_servers::Programs;
use tokio::process::Command;

/// How long a program may take to print its version.
const VERSION_LIMIT: Duration = Duration::from_secs(10);
/// The oldest supported major version of Postgres.
const MIN_POSTGRES: u32 = 15;

/// A prerequisite, with what was found of it, or advice on how to get it.
struct Requirement {
    name: &'static str,
    found: Result<String, String>,
    needed: bool,
}

/// Prints what was found; fails if something that is needed is missing.
pub async fn doctor() -> ExitCode {
    let mut postgres = version("postgres", true, Programs::postgres()).await;
    postgres.found = postgres.found.and_then(|version| new_enough(version, MIN_POSTGRES));
    let findings = [
        postgres,
        version("nats-server", true, Programs::nats_server()).await,
        // Starts every child of `up`, so that none outlives it.
        version("setpriv", true, on_path("setpriv")).await,
        version("node", true, existing("frontend/node_modules/node/bin/node", "make frontend"))
            .await,
        file("frontend", true, "frontend/build/client", "make frontend"),
        file("console", false, "frontend/build/console", "make frontend"),
        file(
            "sample content",
            true,
            "deploy/content/properties.json",
            "git checkout deploy/content",
        ),
        file("directus", false, "deploy/directus/node_modules/directus", "make directus"),
        basemap(env::var_os("MAP_BASEMAP").map(PathBuf::from)),
        version(
            "chromium",
            false,
            on_path("chromium-headless-shell").or_else(|_| on_path("chromium")),
        )
        .await,
        version(
            "schemathesis",
            false,
            existing("target/schemathesis/bin/schemathesis", "make schemathesis"),
        )
        .await,
    ];
    let mut is_healthy = true;
    for finding in &findings {
        let (mark, text) = match &finding.found {
            Ok(text) => ("ok     ", text.clone()),
            Err(advice) if finding.needed => {
                is_healthy = false;
                ("MISSING", advice.clone())
            }
            Err(advice) => ("absent ", format!("{advice} (optional)")),
        };
        println!("{mark} {:<16} {text}", finding.name);
    }
    if is_healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn version(
    name: &'static str,
    needed: bool,
    program: Result<PathBuf, String>,
) -> Requirement {
    let found = match program {
        Err(advice) => Err(advice),
        Ok(program) => {
            let output = Command::new(&program).arg("--version").kill_on_drop(true).output();
            match tokio::time::timeout(VERSION_LIMIT, output).await {
                Ok(Ok(output)) => {
                    let text = [output.stdout, output.stderr].concat();
                    let text = String::from_utf8_lossy(&text);
                    let first_line = text.lines().next().unwrap_or_default().trim();
                    if output.status.success() {
                        Ok(first_line.to_owned())
                    } else {
                        let (program, status) = (program.display(), output.status);
                        Err(format!("{program} does not run: {status}: {first_line}"))
                    }
                }
                Ok(Err(error)) => Err(format!("{} does not run: {error}", program.display())),
                Err(_) => Err(format!("{} did not finish in time", program.display())),
            }
        }
    };
    Requirement { name, found, needed }
}

/// Returns `version` if the first number in it is at least `min_major`.
fn new_enough(version: String, min_major: u32) -> Result<String, String> {
    let mut numbers = version.split(|letter: char| !letter.is_ascii_digit());
    let major = numbers.find_map(|number| number.parse::<u32>().ok());
    if major.is_some_and(|major| major < min_major) {
        return Err(format!("{version} is too old: {min_major} or newer is needed"));
    }
    Ok(version)
}

fn file(name: &'static str, needed: bool, path: &str, advice: &str) -> Requirement {
    let found = existing(path, advice).map(|path| path.display().to_string());
    Requirement { name, found, needed }
}

/// The map's streets. They are optional, unless `MAP_BASEMAP` names a file: then it has to be readable.
fn basemap(file: Option<PathBuf>) -> Requirement {
    let needed = file.is_some();
    let found = match file {
        None => Err("MAP_BASEMAP is not set: the map shows no streets".to_owned()),
        Some(file) => site::readable_basemap(&file)
            .map(|()| file.display().to_string())
            .map_err(|error| format!("MAP_BASEMAP {} can't be read: {error}", file.display())),
    };
    Requirement { name: "basemap", found, needed }
}

fn existing(path: &str, advice: &str) -> Result<PathBuf, String> {
    let path = Path::new(path);
    if path.exists() {
        Ok(path.to_owned())
    } else {
        Err(format!("{} does not exist; `{advice}` creates it", path.display()))
    }
}

fn on_path(program: &str) -> Result<PathBuf, String> {
    Programs::on_path(program).ok_or_else(|| format!("{program} is not installed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_that_fails_is_reported_as_missing() {
        // It fails whatever its arguments are.
        let program = on_path("false").expect("every machine has it");
        let missed = version("server", true, Ok(program)).await.found;
        let words = missed.expect_err("it does not run");
        assert!(words.contains("false does not run: exit status: 1"), "{words}");
    }

    #[test]
    fn a_postgres_that_is_too_old_is_reported_as_missing() {
        let check = |text: &str| new_enough(text.to_owned(), MIN_POSTGRES);
        for text in ["postgres (PostgreSQL) 15.13 (Debian 15.13-0+deb12u1)", "postgres 17devel"] {
            assert_eq!(check(text).as_deref(), Ok(text));
        }
        assert!(check("postgres (PostgreSQL) 14.9").is_err());
    }

    #[test]
    fn a_missing_basemap_is_an_error_only_if_one_is_configured() {
        assert!(!basemap(None).needed);

        let folder = tempfile::tempdir().expect("a folder");
        for unreadable in [folder.path().join("coast.pmtiles"), folder.path().to_owned()] {
            let missing = basemap(Some(unreadable.clone()));
            assert!(missing.needed);
            let words = missing.found.expect_err("it can't be read");
            assert!(words.contains(&unreadable.display().to_string()), "{words}");
        }

        let file = folder.path().join("streets.pmtiles");
        std::fs::write(&file, b"PMTiles").expect("a file");
        assert_eq!(basemap(Some(file.clone())).found, Ok(file.display().to_string()));
    }
}
