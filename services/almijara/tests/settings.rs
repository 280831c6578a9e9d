//! Invalid settings are refused at the start, with an error that names the setting and contains no secrets.

use std::{collections::BTreeMap, fs, process::Stdio, time::Duration};

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

/// How long a role may take to refuse. A role that accepts its settings would wait for its servers.
const LIMIT: Duration = Duration::from_secs(30);
const PASSWORD: &str = "never-to-be-seen";

/// Returns valid settings for `role`.
fn valid_settings(role: &str) -> Result<BTreeMap<&'static str, String>> {
    let mut settings = BTreeMap::from([
        ("HEALTH_PORT", local_servers::free_port()?.to_string()),
        ("PORT", local_servers::free_port()?.to_string()),
        ("DATABASE_URL", format!("postgres://almijara:{PASSWORD}@127.0.0.1:1/almijara")),
        ("NATS_URL", format!("nats://almijara:{PASSWORD}@127.0.0.1:1")),
        ("CONTENT_URL", "http://127.0.0.1:1".to_owned()),
        ("CONTENT_TOKEN", PASSWORD.to_owned()),
        ("WEBHOOK_SECRET", PASSWORD.to_owned()),
        ("QUERY_URL", "http://127.0.0.1:1".to_owned()),
        ("COMMAND_URL", "http://127.0.0.1:1".to_owned()),
        ("RENDERER_URL", "http://127.0.0.1:1".to_owned()),
        ("SMTP_URL", format!("smtps://office:{PASSWORD}@mail.example")),
        ("MAIL_FROM", "homes@example.com".to_owned()),
        ("OFFICE_EMAIL", "office@example.com".to_owned()),
        ("ASSETS_DIR", env!("CARGO_MANIFEST_DIR").to_owned()),
        ("DATA_DIR", env!("CARGO_TARGET_TMPDIR").to_owned()),
    ]);
    if role == "preview" {
        settings.insert("PREVIEW_SECRET", PASSWORD.repeat(3));
        settings.insert("PREVIEW_TOKEN", PASSWORD.to_owned());
        settings.insert("STUDIO_URL", "https://studio.example".to_owned());
    }
    if role == "console" {
        settings.insert("CONSOLE_ASSETS", "/nowhere".to_owned());
        settings.insert("CONSOLE_CONTENT_TOKEN", PASSWORD.to_owned());
        for (url, token) in [
            ("SYNC_ADMIN_URL", "SYNC_ADMIN_TOKEN"),
            ("PROJECTIONS_ADMIN_URL", "PROJECTIONS_ADMIN_TOKEN"),
            ("QUERY_ADMIN_URL", "QUERY_ADMIN_TOKEN"),
            ("COMMAND_ADMIN_URL", "COMMAND_ADMIN_TOKEN"),
            ("SITE_ADMIN_URL", "SITE_ADMIN_TOKEN"),
        ] {
            settings.insert(url, "http://127.0.0.1:1".to_owned());
            settings.insert(token, PASSWORD.to_owned());
        }
    }
    if role == "content-pack" {
        settings.insert("CONTENT_DIR", "/nowhere".to_owned());
    }
    Ok(settings)
}

/// Returns the error of `role` about `settings`, which it has to refuse.
async fn refusal(role: &str, settings: &BTreeMap<&str, String>) -> Result<String> {
    let child = Command::new(env!("CARGO_BIN_EXE_almijara"))
        .args(role.split(' '))
        .env_clear()
        .envs(settings)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(LIMIT, child).await.context("it was not refused")??;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    ensure!(!output.status.success(), "it was accepted: {text}");
    ensure!(!text.contains(PASSWORD), "a secret was printed: {text}");
    ensure!(!text.contains("panicked"), "{text}");
    Ok(text)
}

#[tokio::test]
async fn an_invalid_setting_is_named() -> Result<()> {
    let secret = |scheme: &str| format!("{scheme}://almijara:{PASSWORD}@127.0.0.1:1/almijara");
    for (role, name, value, words) in [
        ("sync", "PORT", "0".to_owned(), &["PORT", "0 is not in 1..=65535"][..]),
        ("sync", "LOG_FORMAT", "JSON".to_owned(), &["LOG_FORMAT=JSON is not json or text"]),
        ("sync", "RUST_LOG", "sync=debgu".to_owned(), &["RUST_LOG=sync=debgu is not a filter"]),
        ("sync", "HEALTH_PORT", "ninety".to_owned(), &["HEALTH_PORT", "invalid digit"]),
        ("sync", "STREAM_REPLICAS", "2".to_owned(), &["STREAM_REPLICAS", "1, 3 or 5"]),
        ("sync", "DATABASE_URL", secret("mysql"), &["DATABASE_URL is not a Postgres address"]),
        ("sync", "NATS_URL", secret("http"), &["NATS_URL", "begin with nats://"]),
        ("sync", "CONTENT_TOKEN", String::new(), &["CONTENT_TOKEN is empty"]),
        ("sync", "WEBHOOK_SECRET", "short".to_owned(), &["WEBHOOK_SECRET", "16 characters"]),
        ("command", "ENQUIRIES_SECRET", "short".to_owned(), &["ENQUIRIES_SECRET", "16 characters"]),
        ("sync", "CONTENT_URL", "directus:8055".to_owned(), &["CONTENT_URL", "begin with http://"]),
        ("projections", "DATABASE_URL", "almijara".to_owned(), &["DATABASE_URL is not a Postgres"]),
        ("query", "DATA_DIR", "/dev/null/index".to_owned(), &["DATA_DIR", "/dev/null/index"]),
        ("query", "PUBLIC_URL", "https://a.example/homes".to_owned(), &["PUBLIC_URL", "no path"]),
        ("command", "SMTP_URL", "mail.example".to_owned(), &["SMTP_URL"]),
        (
            "command",
            "SMTP_URL",
            format!("smtp://office:{PASSWORD}@mail.example"),
            &["SMTP_URL", "unencrypted"],
        ),
        ("command", "STREAM_REPLICAS", "4".to_owned(), &["STREAM_REPLICAS", "1, 3 or 5"]),
        (
            "command",
            "STUDIO_URL",
            "studio.example.com:8055".to_owned(),
            &["STUDIO_URL", "begin with http://"],
        ),
        ("command", "MAIL_FROM", "Example Homes".to_owned(), &["MAIL_FROM"]),
        ("command", "ALERT_PAUSE", u64::MAX.to_string(), &["ALERT_PAUSE", "not in 0..=604800"]),
        ("command", "ENQUIRIES_TOKEN", PASSWORD.to_owned(), &["CONTENT_URL"]),
        ("site", "QUERY_URL", "query".to_owned(), &["QUERY_URL", "expected http://host:port"]),
        ("site", "ASSETS_DIR", "/nowhere".to_owned(), &["ASSETS_DIR /nowhere", "No such"]),
        ("site", "DATA_DIR", "/dev/null/media".to_owned(), &["DATA_DIR", "/dev/null/media"]),
        ("site", "PAGE_CACHE_MB", "0".to_owned(), &["PAGE_CACHE_MB"]),
        ("site", "PREVIEW_SECRET", PASSWORD.repeat(3), &["PREVIEW_URL", "STUDIO_URL"]),
        ("preview", "PREVIEW_SECRET", "short".to_owned(), &["PREVIEW_SECRET needs 32"]),
        (
            "console",
            "CONSOLE_ASSETS",
            "/nowhere".to_owned(),
            &["CONSOLE_ASSETS /nowhere", "No such"],
        ),
        (
            "console",
            "CONSOLE_URL",
            "https://a.example/console".to_owned(),
            &["CONSOLE_URL", "no path"],
        ),
        ("console", "QUERY_ADMIN_URL", "query:9081".to_owned(), &["QUERY_ADMIN_URL", "http://"]),
        ("console", "TRACE_URL", "http://traces".to_owned(), &["TRACE_URL", "{traceId}"]),
        ("console", "TRUSTED_HEADER", "x-user".to_owned(), &["TRUSTED_PROXY"]),
        ("content-pack", "CONTENT_DIR", "/nowhere".to_owned(), &["CONTENT_DIR", "/nowhere"]),
    ] {
        let mut settings = valid_settings(role)?;
        settings.insert(name, value);
        if name == "ENQUIRIES_TOKEN" {
            settings.remove("CONTENT_URL");
        }
        let output = refusal(role, &settings).await.with_context(|| format!("{role}: {name}"))?;
        for word in words {
            ensure!(output.contains(word), "{role}: {name}: {output}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn all_missing_settings_are_named() -> Result<()> {
    for (role, needed) in [
        (
            "sync",
            &["DATABASE_URL", "NATS_URL", "CONTENT_URL", "CONTENT_TOKEN", "WEBHOOK_SECRET"][..],
        ),
        ("projections", &["DATABASE_URL", "NATS_URL", "HEALTH_PORT"]),
        ("query", &["DATABASE_URL", "NATS_URL", "DATA_DIR", "PORT"]),
        ("command", &["DATABASE_URL", "NATS_URL", "SMTP_URL", "MAIL_FROM", "OFFICE_EMAIL"]),
        ("site", &["QUERY_URL", "COMMAND_URL", "RENDERER_URL", "CONTENT_TOKEN", "ASSETS_DIR"]),
        ("preview", &["PREVIEW_SECRET", "PREVIEW_TOKEN", "CONTENT_URL", "QUERY_URL", "STUDIO_URL"]),
        (
            "console",
            &[
                "DATABASE_URL",
                "CONSOLE_ASSETS",
                "SYNC_ADMIN_URL",
                "SYNC_ADMIN_TOKEN",
                "SITE_ADMIN_URL",
            ],
        ),
        ("backup", &["COMMAND_DATABASE_URL", "CONSOLE_DATABASE_URL", "SYNC_DATABASE_URL"]),
        ("jobs list", &["COMMAND_DATABASE_URL"]),
        ("consents list", &["COMMAND_DATABASE_URL"]),
    ] {
        let output = refusal(role, &BTreeMap::new()).await.context(role)?;
        for name in needed {
            ensure!(output.contains(&format!("<{name}>")), "{role} does not name {name}: {output}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_data_folder_of_another_content_service_is_refused() -> Result<()> {
    let data = tempfile::tempdir()?;
    let state = r#"{"secrets": {}, "ports": {}, "content": "pack"}"#;
    fs::write(data.path().join("stack.json"), state)?;
    let settings = BTreeMap::from([
        ("DATA_DIR", data.path().display().to_string()),
        ("PORT", local_servers::free_port()?.to_string()),
        ("CONTENT", "directus".to_owned()),
    ]);
    let output = refusal("up", &settings).await?;
    for word in ["CONTENT=pack", "DATA_DIR=…"] {
        ensure!(output.contains(word), "{word}: {output}");
    }
    Ok(())
}

#[tokio::test]
async fn a_basemap_that_cannot_be_read_is_refused() -> Result<()> {
    let data = tempfile::tempdir()?;
    let settings = BTreeMap::from([
        ("DATA_DIR", data.path().display().to_string()),
        ("PORT", local_servers::free_port()?.to_string()),
        ("MAP_BASEMAP", "nowhere.pmtiles".to_owned()),
    ]);
    let output = refusal("up", &settings).await?;
    ensure!(output.contains("MAP_BASEMAP nowhere.pmtiles can't be read"), "{output}");
    Ok(())
}

#[tokio::test]
async fn a_role_raises_its_limit_of_open_files_to_the_maximum() -> Result<()> {
    let script = "ulimit -Sn 256; ulimit -Hn 4096; exec \"$0\" site";
    let child = Command::new("/bin/sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_almijara")])
        .env_clear()
        .envs(valid_settings("site")?)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let limits = format!("/proc/{}/limits", child.id().context("it has ended")?);
    let raised = async {
        loop {
            let limits = fs::read_to_string(&limits)?;
            let open = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
            let open = open.context("no limit of open files")?;
            if open.split_whitespace().take(2).eq(["4096", "4096"]) {
                return Ok::<_, anyhow::Error>(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LIMIT, raised).await.context("its limit stays as it was")?
}
