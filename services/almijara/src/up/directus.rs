//! A real Directus as the content service, with its schema, accounts, flow and sample content.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use local_servers::is_free;
use tokio_util::sync::CancellationToken;

use super::{
    Servers, Stack, UpArgs,
    children::{Program, Supervised},
    content::{Content, content_folder},
};

const DATABASE: &str = "almijara_directus";
const EDITOR_EMAIL: &str = "editor@example.com";
const ADMIN_EMAIL: &str = "admin@example.com";
/// How long making its tables and setting it up may take.
const SETUP_LIMIT: Duration = Duration::from_mins(4);

/// Starts Directus on a database of its own, and waits until it is set up.
pub async fn start(
    args: &UpArgs,
    stack: &mut Stack,
    servers: &Servers,
    webhook: &str,
    shutdown: &CancellationToken,
) -> Result<Content> {
    let folder = args
        .directus_dir
        .canonicalize()
        .with_context(|| format!("{} is not there", args.directus_dir.display()))?;
    let node = folder.join("node_modules/.bin/node");
    if !node.exists() || !folder.join("node_modules/directus").exists() {
        bail!("Directus is not installed; `make up CONTENT=directus` installs it");
    }
    let port = match args.directus_port {
        Some(port) if !is_free(port) => {
            bail!("port {port} is taken by another program; DIRECTUS_PORT moves Directus")
        }
        Some(port) => port,
        None => stack.state.port("directus")?,
    };
    let url = format!("http://127.0.0.1:{port}");
    if let Some(token) = &args.directus_admin_token {
        stack.state.keep_secret("directus admin token", token);
    }
    let server = server(stack, servers, &folder, &node, port, webhook).await?;
    let setup = setup(args, stack, &folder, &node, &url)?;

    let child = Supervised::keep("directus", &stack.journal, move || server.start());
    stack.journal.step("setting up Directus: schema, accounts, flow, sample content");
    if let Err(error) = run_to_end(stack, "directus", &setup, shutdown).await {
        child.stop(&stack.journal).await;
        return Err(error);
    }

    let password = stack.state.secret("directus editor password")?;
    let addresses = vec![
        ("Studio".to_owned(), url.clone()),
        ("Studio sign-in".to_owned(), format!("{EDITOR_EMAIL} / {password}")),
    ];
    Ok(Content::new(child, url, true, addresses))
}

async fn server(
    stack: &mut Stack,
    servers: &Servers,
    folder: &Path,
    node: &PathBuf,
    port: u16,
    webhook: &str,
) -> Result<Program> {
    let database_password = stack.state.secret(DATABASE)?;
    let database_port = servers.private_database(DATABASE, &database_password).await?;
    let uploads = stack.folder.join("directus/uploads");
    std::fs::create_dir_all(&uploads).context("making the folder of uploads")?;
    let database =
        format!("postgres://{DATABASE}:{database_password}@127.0.0.1:{database_port}/{DATABASE}");
    Ok(Program::new(node, &["start.mjs"], folder)
        .env("HOST", "127.0.0.1")
        .env("PORT", port.to_string())
        .env("DB_CONNECTION_STRING", database)
        .env("SECRET", stack.state.secret("directus secret")?)
        .env("ADMIN_EMAIL", ADMIN_EMAIL)
        .env("ADMIN_PASSWORD", stack.state.secret("directus admin password")?)
        .env("ADMIN_TOKEN", stack.state.secret("directus admin token")?)
        .env("STORAGE_LOCAL_ROOT", uploads.display().to_string())
        .env("WEBHOOK_URL", webhook)
        .env("WEBHOOK_SECRET", stack.state.secret("webhook secret")?)
        .env("ENQUIRIES_URL", enquiries_url(stack)?)
        .env("ENQUIRIES_SECRET", stack.state.secret("enquiries secret")?)
        .env("LOG_LEVEL", "warn"))
}

/// Where the office's answers to enquiries go.
fn enquiries_url(stack: &mut Stack) -> Result<String> {
    Ok(format!("http://127.0.0.1:{}/webhooks/enquiries", stack.state.port("command")?))
}

fn setup(
    args: &UpArgs,
    stack: &mut Stack,
    folder: &Path,
    node: &PathBuf,
    url: &str,
) -> Result<Program> {
    Ok(Program::new(node, &["setup.mjs"], folder)
        .env("DIRECTUS_URL", url)
        .env("DIRECTUS_ADMIN_TOKEN", stack.state.secret("directus admin token")?)
        .env("CONTENT_TOKEN", stack.state.secret("content token")?)
        .env("ENQUIRIES_TOKEN", stack.state.secret("enquiries token")?)
        .env("ENQUIRIES_ERASE_TOKEN", stack.state.secret("enquiries erase token")?)
        .env("ENQUIRIES_URL", enquiries_url(stack)?)
        .env("CONTENT_DIR", content_folder(args)?.display().to_string())
        .env("EDITOR_EMAIL", EDITOR_EMAIL)
        .env("EDITOR_PASSWORD", stack.state.secret("directus editor password")?))
}

/// Runs `program` until it ends; an error where it fails, takes too long, or we are told to end.
async fn run_to_end(
    stack: &Stack,
    role: &str,
    program: &Program,
    shutdown: &CancellationToken,
) -> Result<()> {
    let mut child = program.start()?;
    if let Some(output) = child.process().stdout.take() {
        tokio::spawn(stack.journal.clone().copy(role.to_owned(), output));
    }
    if let Some(output) = child.process().stderr.take() {
        tokio::spawn(stack.journal.clone().copy(role.to_owned(), output));
    }
    let ended = tokio::select! {
        ended = tokio::time::timeout(SETUP_LIMIT, child.wait()) => ended,
        () = shutdown.cancelled() => bail!("interrupted"),
    };
    match ended {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => bail!("{program} failed ({status})"),
        Ok(Err(error)) => Err(error.into()),
        Err(_) => bail!("{program} took longer than {} s", SETUP_LIMIT.as_secs()),
    }
}
