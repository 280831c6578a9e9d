//! A real Directus as the content service, with its schema, accounts, flow and sample content.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use directus_setup::{Account, Directus, Options};
use local_servers::is_free;
use tokio_util::sync::CancellationToken;

use super::{
    Servers, Stack, UpArgs,
    children::{Program, Supervised},
    content::{Content, content_folder},
    names::{PortName, Role, SecretName},
};

const DATABASE: &str = "almijara_directus";
const EDITOR_EMAIL: &str = "editor@example.com";
const ADMIN_EMAIL: &str = "admin@example.com";
/// How long Directus may take to create its tables and be set up.
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
        .with_context(|| format!("{} does not exist", args.directus_dir.display()))?;
    let node = folder.join("node_modules/.bin/node");
    if !node.exists() || !folder.join("node_modules/directus").exists() {
        bail!("Directus is not installed; `make up CONTENT=directus` installs it");
    }
    let port = match args.directus_port {
        Some(port) if !is_free(port) => {
            bail!("port {port} is taken by another program; set DIRECTUS_PORT to a free one")
        }
        Some(port) => port,
        None => stack.state.port(PortName::Directus)?,
    };
    let url = format!("http://127.0.0.1:{port}");
    if let Some(token) = &args.directus_admin_token {
        stack.state.set_secret(SecretName::DirectusAdminToken, token);
    }
    let server = server(stack, servers, &folder, &node, port, webhook).await?;
    let options = options(args, stack)?;
    let admin_token = stack.state.secret(SecretName::DirectusAdminToken)?;
    let directus =
        Directus::new(url.parse().context("the address of Directus")?, admin_token.into())?;

    let child = Supervised::spawn("directus", &stack.journal, move || server.start());
    stack.journal.step("setting up Directus: schema, accounts, flow, sample content");
    let set_up = tokio::select! {
        done = tokio::time::timeout(SETUP_LIMIT, set_up(stack, &directus, &options)) => {
            done.unwrap_or_else(|_| bail!("it took longer than {} s", SETUP_LIMIT.as_secs()))
        }
        () = shutdown.cancelled() => Err(anyhow::anyhow!("interrupted")),
    };
    if let Err(error) = set_up {
        child.stop(&stack.journal).await;
        return Err(error.context("setting up Directus"));
    }

    let password = stack.state.secret(SecretName::DirectusEditorPassword)?;
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
    let database_password = stack.state.secret(SecretName::DirectusDatabase)?;
    let database_port = servers.private_database(DATABASE, &database_password).await?;
    let uploads = stack.folder.join("directus/uploads");
    let temporary = stack.folder.join("directus/temporary");
    for folder in [&uploads, &temporary] {
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    let database =
        format!("postgres://{DATABASE}:{database_password}@127.0.0.1:{database_port}/{DATABASE}");
    Ok(Program::new(node, &["start.mjs"], folder)
        .env("HOST", "127.0.0.1")
        .env("PORT", port.to_string())
        .env("DB_CONNECTION_STRING", database)
        .env("SECRET", stack.state.secret(SecretName::DirectusSecret)?)
        .env("ADMIN_EMAIL", ADMIN_EMAIL)
        .env("ADMIN_PASSWORD", stack.state.secret(SecretName::DirectusAdminPassword)?)
        .env("ADMIN_TOKEN", stack.state.secret(SecretName::DirectusAdminToken)?)
        .env("STORAGE_LOCAL_ROOT", uploads.display().to_string())
        // Two Directus on one machine must not mix up the extensions that they unpack.
        .env("TEMP_PATH", temporary.display().to_string())
        .env("WEBHOOK_URL", webhook)
        .env("WEBHOOK_SECRET", stack.state.secret(SecretName::WebhookSecret)?)
        .env("PREVIEW_SECRET", stack.state.secret(SecretName::PreviewSecret)?)
        .env("SITE_ORIGIN", stack.public_url())
        .env("ENQUIRIES_URL", enquiries_url(stack)?)
        .env("ENQUIRIES_SECRET", stack.state.secret(SecretName::EnquiriesSecret)?)
        .env("LOG_LEVEL", "warn"))
}

/// Returns the address that Directus sends the office's answers to enquiries to.
fn enquiries_url(stack: &mut Stack) -> Result<String> {
    Ok(format!(
        "http://127.0.0.1:{}/webhooks/enquiries",
        stack.state.port(PortName::Role(Role::Command))?
    ))
}

fn options(args: &UpArgs, stack: &mut Stack) -> Result<Options> {
    let password = stack.state.secret(SecretName::DirectusEditorPassword)?.into();
    Ok(Options {
        content_token: Some(stack.state.secret(SecretName::ContentToken)?.into()),
        enquiries_token: Some(stack.state.secret(SecretName::EnquiriesToken)?.into()),
        erase_token: Some(stack.state.secret(SecretName::EnquiriesEraseToken)?.into()),
        live_status_token: Some(stack.state.secret(SecretName::LiveStatusToken)?.into()),
        preview_token: Some(stack.state.secret(SecretName::PreviewToken)?.into()),
        console_token: Some(stack.state.secret(SecretName::ConsoleContentToken)?.into()),
        site: Some(stack.public_url().parse().context("the address of the site")?),
        posts_enquiry_changes: true,
        editor: Some(Account { email: EDITOR_EMAIL.to_owned(), password, language: None }),
        content: Some(content_folder(args)?),
        overwrite: false,
    })
}

/// Waits until Directus answers, and sets it up.
async fn set_up(stack: &Stack, directus: &Directus, options: &Options) -> Result<()> {
    directus.wait_until_ready(SETUP_LIMIT).await?;
    let report = directus_setup::report(directus, options).await?;
    directus_setup::apply(directus, &report.plan).await?;
    let (changes, kept) = (report.plan.changes.len(), report.plan.kept.len());
    let summary = format!("set up: {changes} changes, {kept} differences kept");
    stack.journal.line("directus", &summary);
    for missing in report.extensions {
        stack.journal.line("directus", &format!("the extension {missing}"));
    }
    Ok(())
}
