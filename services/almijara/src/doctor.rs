//! `almijara doctor`: reports which prerequisites of `almijara up` this machine has.

use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
};

use local_servers::{Programs, ServerError};
use runtime::error_text;

/// A prerequisite, with what was found of it, or advice on how to get it.
struct Requirement {
    name: &'static str,
    found: Result<String, String>,
    needed: bool,
}

/// Prints what was found; fails if something that is needed is missing.
pub async fn doctor() -> ExitCode {
    let findings = [
        server("postgres", Programs::postgres_version().await),
        server("nats-server", Programs::nats_version().await),
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

fn server(name: &'static str, version: Result<String, ServerError>) -> Requirement {
    Requirement { name, found: version.map_err(|error| error_text(&error)), needed: true }
}

async fn version(
    name: &'static str,
    needed: bool,
    program: Result<PathBuf, String>,
) -> Requirement {
    let found = match program {
        Ok(program) => Programs::version(&program).await.map_err(|error| error_text(&error)),
        Err(advice) => Err(advice),
    };
    Requirement { name, found, needed }
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
        Some(file) => {
            site::readable_basemap(&file).map(|()| file.display().to_string()).map_err(|error| {
                format!("MAP_BASEMAP {} can't be read: {}", file.display(), error_text(&error))
            })
        }
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
