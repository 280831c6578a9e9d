//! The roles, each a process of this program, and the renderer.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use super::{
    Account, Journal, Servers, Stack, UpArgs,
    children::{Program, Supervised},
    content::Content,
};

/// The roles that take admin calls.
const ADMIN_ROLES: [&str; 5] = ["sync", "projections", "query", "command", "site"];

/// The running roles.
pub struct Roles {
    children: Vec<Supervised>,
    health_ports: Vec<(String, u16)>,
    operator_environment: String,
    /// The console's address; `None` if it is not built.
    console: Option<String>,
}

impl Roles {
    /// Starts sync, projections, query, command, previews, the renderer, the console and the site.
    pub fn start(
        args: &UpArgs,
        stack: &mut Stack,
        servers: &Servers,
        content: &Content,
        webhook_port: u16,
    ) -> Result<Self> {
        let frontend = args.frontend_dir.canonicalize().with_context(|| {
            format!("{} does not exist; run this from the repository", args.frontend_dir.display())
        })?;
        if !frontend.join("build/client").exists() {
            bail!("the frontend is not built; `make up` builds it");
        }
        let query_port = stack.state.port("query")?;
        let command_port = stack.state.port("command")?;
        let renderer_port = stack.state.port("renderer")?;
        let data = stack.folder.display().to_string();
        let local = |port: u16| format!("http://127.0.0.1:{port}");
        let public_url = stack.public_url();

        let mut sync = role("sync", stack)?
            .env("DATABASE_URL", servers.database_url(Account::Sync, &mut stack.state)?)
            .env("NATS_URL", servers.nats_url(Account::Sync)?)
            .env("CONTENT_URL", content.url())
            .env("CONTENT_TOKEN", stack.state.secret("content token")?)
            .env("WEBHOOK_SECRET", stack.state.secret("webhook secret")?)
            .env("SITE_URL", local(stack.site_port))
            .env("PUBLIC_URL", &public_url)
            .env("PORT", webhook_port.to_string());
        if content.has_studio() {
            sync = sync.env("LIVE_STATUS_TOKEN", stack.state.secret("live status token")?);
        }
        let projections = role("projections", stack)?
            .env("DATABASE_URL", servers.database_url(Account::Projections, &mut stack.state)?)
            .env("NATS_URL", servers.nats_url(Account::Projections)?);
        let query = role("query", stack)?
            .env("DATABASE_URL", servers.database_url(Account::Query, &mut stack.state)?)
            .env("NATS_URL", servers.nats_url(Account::Query)?)
            .env("DATA_DIR", &data)
            .env("PUBLIC_URL", &public_url)
            .env("PORT", query_port.to_string());
        let command = command_role(args, stack, servers, content)?;
        let preview = preview_role(stack, content, &local(query_port))?;
        let mut renderer = Program::new(node(&frontend)?, &["server.js"], &frontend)
            .env("NODE_ENV", "production")
            .env("HOST", "127.0.0.1")
            .env("PORT", renderer_port.to_string())
            .env("QUERY_URL", local(query_port))
            .env("COMMAND_URL", local(command_port))
            .env("SITE_URL", local(stack.site_port))
            .env("PUBLIC_URL", &public_url);
        let mut site = role("site", stack)?
            .env("QUERY_URL", local(query_port))
            .env("COMMAND_URL", local(command_port))
            .env("RENDERER_URL", local(renderer_port))
            .env("ASSETS_DIR", frontend.join("build/client").display().to_string())
            .env("DATA_DIR", &data)
            .env("CONTENT_URL", content.url())
            .env("CONTENT_TOKEN", stack.state.secret("content token")?)
            .env("PUBLIC_URL", &public_url)
            .env("PORT", stack.site_port.to_string());
        if let Some(file) = &args.map_basemap {
            renderer = renderer.env("MAP_BASEMAP", file.display().to_string());
            site = site.env("MAP_BASEMAP", file.display().to_string());
        }
        if let Some((url, _)) = &preview {
            renderer = renderer.env("PREVIEW_URL", url);
            site = site
                .env("PREVIEW_SECRET", stack.state.secret("preview secret")?)
                .env("PREVIEW_URL", url)
                .env("STUDIO_URL", content.url());
        }

        let operator_environment = operator_environment(stack, servers, content)?;
        let mut health_ports = Vec::new();
        for name in ADMIN_ROLES {
            health_ports.push((name.to_owned(), stack.state.port_of(&health_name(name))?));
        }
        let console = console_role(stack, servers, content, &frontend)?;
        let mut programs = vec![
            ("sync", sync),
            ("projections", projections),
            ("query", query),
            ("command", command),
            ("renderer", renderer),
            ("site", site),
        ];
        if let Some((_, role)) = preview {
            health_ports
                .push(("preview".to_owned(), stack.state.port_of(&health_name("preview"))?));
            // The site stays last, so that it is stopped first.
            programs.insert(programs.len() - 1, ("preview", role));
        }
        let console = console.map(|(url, role)| {
            programs.insert(0, ("console", role));
            url
        });
        if console.is_some() {
            health_ports
                .push(("console".to_owned(), stack.state.port_of(&health_name("console"))?));
        }
        let children = programs
            .into_iter()
            .map(|(name, program)| Supervised::spawn(name, &stack.journal, move || program.start()))
            .collect();
        Ok(Self { children, health_ports, operator_environment, console })
    }

    /// Returns the console's address, or `None` if it is not built.
    pub fn console(&self) -> Option<&str> {
        self.console.as_deref()
    }

    /// Returns each role's name and health port.
    pub fn health_ports(&self) -> Vec<(String, u16)> {
        self.health_ports.clone()
    }

    /// Returns the environment variables of the operator's commands, in the shell's syntax.
    pub fn operator_environment(&self) -> String {
        self.operator_environment.clone()
    }

    /// Stops the public door first, then what is behind it.
    pub async fn stop(self, journal: &Journal) {
        let stopping = self.children.into_iter().rev().map(|child| child.stop(journal));
        futures::future::join_all(stopping).await;
    }
}

/// Returns the write side. It forwards enquiries to the content service if that has a Studio.
fn command_role(
    args: &UpArgs,
    stack: &mut Stack,
    servers: &Servers,
    content: &Content,
) -> Result<Program> {
    let (port, query_port) = (stack.state.port_of("command")?, stack.state.port_of("query")?);
    let command = role("command", stack)?
        .env("DATABASE_URL", servers.database_url(Account::Command, &mut stack.state)?)
        .env("NATS_URL", servers.nats_url(Account::Command)?)
        .env("QUERY_URL", format!("http://127.0.0.1:{query_port}"))
        .env("PUBLIC_URL", stack.public_url())
        .env("SMTP_URL", &stack.smtp_url)
        .env("MAIL_FROM", &args.mail_from)
        .env("OFFICE_EMAIL", &args.office_email)
        .env("PORT", port.to_string());
    if !content.has_studio() {
        return Ok(command);
    }
    Ok(command
        .env("CONTENT_URL", content.url())
        .env("ENQUIRIES_TOKEN", stack.state.secret("enquiries token")?)
        .env("ENQUIRIES_ERASE_TOKEN", stack.state.secret("enquiries erase token")?)
        .env("ENQUIRIES_SECRET", stack.state.secret("enquiries secret")?))
}

/// Returns the preview role and its address, if the content service has drafts.
fn preview_role(
    stack: &mut Stack,
    content: &Content,
    query_url: &str,
) -> Result<Option<(String, Program)>> {
    if !content.has_studio() {
        return Ok(None);
    }
    let port = stack.state.port("preview")?;
    let role = role("preview", stack)?
        .env("PREVIEW_SECRET", stack.state.secret("preview secret")?)
        .env("PREVIEW_TOKEN", stack.state.secret("preview token")?)
        .env("CONTENT_URL", content.url())
        .env("STUDIO_URL", content.url())
        .env("QUERY_URL", query_url)
        .env("PORT", port.to_string());
    Ok(Some((format!("http://127.0.0.1:{port}"), role)))
}

/// Returns the operators' console and its address, if it is built. It gets the health port and the admin
/// token of each role that takes admin calls, and preview's health port if that role is started.
fn console_role(
    stack: &mut Stack,
    servers: &Servers,
    content: &Content,
    frontend: &Path,
) -> Result<Option<(String, Program)>> {
    let assets = frontend.join("build/console");
    if !assets.join("index.html").exists() {
        return Ok(None);
    }
    let port = stack.state.port("console")?;
    let url = format!("http://localhost:{port}");
    let mut console = role("console", stack)?
        .env("DATABASE_URL", servers.database_url(Account::Console, &mut stack.state)?)
        .env("CONSOLE_URL", &url)
        .env("CONSOLE_ASSETS", assets.display().to_string())
        .env("PORT", port.to_string());
    for (role, url_name, token_name) in [
        ("sync", "SYNC_ADMIN_URL", "SYNC_ADMIN_TOKEN"),
        ("projections", "PROJECTIONS_ADMIN_URL", "PROJECTIONS_ADMIN_TOKEN"),
        ("query", "QUERY_ADMIN_URL", "QUERY_ADMIN_TOKEN"),
        ("command", "COMMAND_ADMIN_URL", "COMMAND_ADMIN_TOKEN"),
        ("site", "SITE_ADMIN_URL", "SITE_ADMIN_TOKEN"),
    ] {
        let health_port = stack.state.port_of(&health_name(role))?;
        console = console
            .env(url_name, format!("http://127.0.0.1:{health_port}"))
            .env(token_name, stack.state.secret(&admin_token_name(role))?);
    }
    if let Some(pattern) = &stack.trace_url {
        console = console.env("TRACE_URL", pattern);
    }
    if content.has_studio() {
        let preview = stack.state.port_of(&health_name("preview"))?;
        console = console
            .env("PREVIEW_HEALTH_URL", format!("http://127.0.0.1:{preview}"))
            .env("CONTENT_URL", content.url())
            .env("CONSOLE_CONTENT_TOKEN", stack.state.secret("console content token")?);
    }
    Ok(Some((url, console)))
}

/// Returns this program as the role `name`, with its own admin token if it takes admin calls.
pub fn role(name: &str, stack: &mut Stack) -> Result<Program> {
    let program = std::env::current_exe().context("finding this program")?;
    let health_port = stack.state.port(&health_name(name))?;
    let mut role = Program::new(program, &[name], &stack.folder);
    if ADMIN_ROLES.contains(&name) {
        role = role.env("ADMIN_TOKEN", stack.state.secret(&admin_token_name(name))?);
    }
    Ok(role
        .env("LOG_FORMAT", "json")
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &stack.otlp_endpoint)
        .env("OTEL_BSP_SCHEDULE_DELAY", "1000")
        .env("HOST", "127.0.0.1")
        .env("HEALTH_PORT", health_port.to_string()))
}

fn health_name(role: &str) -> String {
    format!("{role} health")
}

fn admin_token_name(role: &str) -> String {
    format!("{role} admin token")
}

/// Returns the path of the Node that the frontend's lock file pins.
pub fn node(folder: &Path) -> Result<PathBuf> {
    let pinned = folder.join("node_modules/node/bin/node");
    if pinned.exists() {
        return Ok(pinned);
    }
    bail!("{} is not installed; `make up` installs it", pinned.display())
}

fn operator_environment(stack: &mut Stack, servers: &Servers, content: &Content) -> Result<String> {
    let variables = [
        ("SYNC_DATABASE_URL", servers.database_url(Account::Sync, &mut stack.state)?),
        ("PROJECTIONS_DATABASE_URL", servers.database_url(Account::Projections, &mut stack.state)?),
        ("COMMAND_DATABASE_URL", servers.database_url(Account::Command, &mut stack.state)?),
        ("COMMAND_NATS_URL", servers.nats_url(Account::Command).unwrap_or_default()),
        ("SYNC_NATS_URL", servers.nats_url(Account::Sync).unwrap_or_default()),
        ("PROJECTIONS_NATS_URL", servers.nats_url(Account::Projections).unwrap_or_default()),
        ("CONTENT_URL", content.url()),
        ("CONTENT_TOKEN", stack.state.secret("content token")?),
        ("CONSOLE_DATABASE_URL", servers.database_url(Account::Console, &mut stack.state)?),
        ("ADMIN_TOKEN", stack.state.secret(&admin_token_name("sync"))?),
        ("ENQUIRY_ITEMS", content.has_studio().to_string()),
        ("DATA_DIR", stack.folder.display().to_string()),
    ];
    let mut text = String::new();
    for (name, value) in variables {
        let _infallible = writeln!(text, "{name}='{value}'");
    }
    Ok(text)
}
