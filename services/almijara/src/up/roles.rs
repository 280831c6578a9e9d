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
    names::{PortName, Role, SecretName},
    role::role,
};

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
    ) -> Result<Self> {
        let frontend = args.frontend_dir.canonicalize().with_context(|| {
            format!("{} does not exist; run this from the repository", args.frontend_dir.display())
        })?;
        if !frontend.join("build/client").exists() {
            bail!("the frontend is not built; `make up` builds it");
        }
        for name in [PortName::Role(Role::Query), PortName::Role(Role::Command), PortName::Renderer]
        {
            stack.state.port(name)?;
        }
        let sync = sync_role(stack, servers, content)?;
        let projections = role(Role::Projections, stack)?
            .env("DATABASE_URL", servers.database_url(Account::Projections, &mut stack.state)?)
            .env("NATS_URL", servers.nats_url(Account::Projections)?);
        let query = query_role(stack, servers)?;
        let command = command_role(args, stack, servers, content)?;
        let (preview_url, preview) = preview_role(stack, content)?.unzip();
        let renderer = renderer(args, stack, &frontend, preview_url.as_deref())?;
        let site = site_role(args, stack, content, &frontend, preview_url.as_deref())?;
        let operator_environment = operator_environment(stack, servers, content)?;
        let (console_url, console) = console_role(stack, servers, content, &frontend)?.unzip();

        let mut reporting = Role::WITH_ADMIN_CALLS.to_vec();
        reporting.extend(preview.is_some().then_some(Role::Preview));
        reporting.extend(console.is_some().then_some(Role::Console));
        let health_ports = reporting
            .into_iter()
            .map(|role| Ok((role.to_string(), stack.state.port_of(PortName::Health(role))?)))
            .collect::<Result<_>>()?;
        // The site stays last, so that it is stopped first.
        let children = [
            ("console", console),
            ("sync", Some(sync)),
            ("projections", Some(projections)),
            ("query", Some(query)),
            ("command", Some(command)),
            ("renderer", Some(renderer)),
            ("preview", preview),
            ("site", Some(site)),
        ]
        .into_iter()
        .filter_map(|(name, program)| {
            let program = program?;
            Some(Supervised::spawn(name, &stack.journal, move || program.start()))
        })
        .collect();
        Ok(Self { children, health_ports, operator_environment, console: console_url })
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

fn sync_role(stack: &mut Stack, servers: &Servers, content: &Content) -> Result<Program> {
    let sync = role(Role::Sync, stack)?
        .env("DATABASE_URL", servers.database_url(Account::Sync, &mut stack.state)?)
        .env("NATS_URL", servers.nats_url(Account::Sync)?)
        .env("CONTENT_URL", content.url())
        .env("CONTENT_TOKEN", stack.state.secret(SecretName::ContentToken)?)
        .env("WEBHOOK_SECRET", stack.state.secret(SecretName::WebhookSecret)?)
        .env("SITE_URL", local_url(stack.site_port))
        .env("PUBLIC_URL", stack.public_url())
        .env("PORT", stack.state.port_of(PortName::Role(Role::Sync))?.to_string());
    if !content.has_studio() {
        return Ok(sync);
    }
    Ok(sync.env("LIVE_STATUS_TOKEN", stack.state.secret(SecretName::LiveStatusToken)?))
}

fn query_role(stack: &mut Stack, servers: &Servers) -> Result<Program> {
    Ok(role(Role::Query, stack)?
        .env("DATABASE_URL", servers.database_url(Account::Query, &mut stack.state)?)
        .env("NATS_URL", servers.nats_url(Account::Query)?)
        .env("DATA_DIR", stack.folder.display().to_string())
        .env("PUBLIC_URL", stack.public_url())
        .env("PORT", stack.state.port_of(PortName::Role(Role::Query))?.to_string()))
}

/// Returns the write side. It forwards enquiries to the content service if that has a Studio.
fn command_role(
    args: &UpArgs,
    stack: &mut Stack,
    servers: &Servers,
    content: &Content,
) -> Result<Program> {
    let command = role(Role::Command, stack)?
        .env("DATABASE_URL", servers.database_url(Account::Command, &mut stack.state)?)
        .env("NATS_URL", servers.nats_url(Account::Command)?)
        .env("QUERY_URL", role_url(stack, Role::Query)?)
        .env("PUBLIC_URL", stack.public_url())
        .env("SMTP_URL", &stack.smtp_url)
        .env("MAIL_FROM", &args.mail_from)
        .env("OFFICE_EMAIL", &args.office_email)
        .env("PORT", stack.state.port_of(PortName::Role(Role::Command))?.to_string());
    if !content.has_studio() {
        return Ok(command);
    }
    Ok(command
        .env("CONTENT_URL", content.url())
        .env("ENQUIRIES_TOKEN", stack.state.secret(SecretName::EnquiriesToken)?)
        .env("ENQUIRIES_ERASE_TOKEN", stack.state.secret(SecretName::EnquiriesEraseToken)?)
        .env("ENQUIRIES_SECRET", stack.state.secret(SecretName::EnquiriesSecret)?))
}

/// Returns the preview role and its address, if the content service has drafts.
fn preview_role(stack: &mut Stack, content: &Content) -> Result<Option<(String, Program)>> {
    if !content.has_studio() {
        return Ok(None);
    }
    let port = stack.state.port(PortName::Role(Role::Preview))?;
    let preview = role(Role::Preview, stack)?
        .env("PREVIEW_SECRET", stack.state.secret(SecretName::PreviewSecret)?)
        .env("PREVIEW_TOKEN", stack.state.secret(SecretName::PreviewToken)?)
        .env("CONTENT_URL", content.url())
        .env("STUDIO_URL", content.url())
        .env("QUERY_URL", role_url(stack, Role::Query)?)
        .env("PORT", port.to_string());
    Ok(Some((local_url(port), preview)))
}

/// Returns the program that renders pages.
fn renderer(
    args: &UpArgs,
    stack: &Stack,
    frontend: &Path,
    preview_url: Option<&str>,
) -> Result<Program> {
    let mut renderer = Program::new(node(frontend)?, &["server.js"], frontend)
        .env("NODE_ENV", "production")
        .env("HOST", "127.0.0.1")
        .env("PORT", stack.state.port_of(PortName::Renderer)?.to_string())
        .env("QUERY_URL", role_url(stack, Role::Query)?)
        .env("COMMAND_URL", role_url(stack, Role::Command)?)
        .env("SITE_URL", local_url(stack.site_port))
        .env("PUBLIC_URL", stack.public_url());
    if let Some(file) = &args.map_basemap {
        renderer = renderer.env("MAP_BASEMAP", file.display().to_string());
    }
    if let Some(url) = preview_url {
        renderer = renderer.env("PREVIEW_URL", url);
    }
    Ok(renderer)
}

fn site_role(
    args: &UpArgs,
    stack: &mut Stack,
    content: &Content,
    frontend: &Path,
    preview_url: Option<&str>,
) -> Result<Program> {
    let mut site = role(Role::Site, stack)?
        .env("QUERY_URL", role_url(stack, Role::Query)?)
        .env("COMMAND_URL", role_url(stack, Role::Command)?)
        .env("RENDERER_URL", local_url(stack.state.port_of(PortName::Renderer)?))
        .env("ASSETS_DIR", frontend.join("build/client").display().to_string())
        .env("DATA_DIR", stack.folder.display().to_string())
        .env("CONTENT_URL", content.url())
        .env("CONTENT_TOKEN", stack.state.secret(SecretName::ContentToken)?)
        .env("PUBLIC_URL", stack.public_url())
        .env("PORT", stack.site_port.to_string());
    if let Some(file) = &args.map_basemap {
        site = site.env("MAP_BASEMAP", file.display().to_string());
    }
    if let Some(url) = preview_url {
        site = site
            .env("PREVIEW_SECRET", stack.state.secret(SecretName::PreviewSecret)?)
            .env("PREVIEW_URL", url)
            .env("STUDIO_URL", content.url());
    }
    Ok(site)
}

fn local_url(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

/// Returns the address of the port of `role`'s own work.
fn role_url(stack: &Stack, role: Role) -> Result<String> {
    Ok(local_url(stack.state.port_of(PortName::Role(role))?))
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
    let port = stack.state.port(PortName::Role(Role::Console))?;
    let url = format!("http://localhost:{port}");
    let mut console = role(Role::Console, stack)?
        .env("DATABASE_URL", servers.database_url(Account::Console, &mut stack.state)?)
        .env("CONSOLE_URL", &url)
        .env("CONSOLE_ASSETS", assets.display().to_string())
        .env("PORT", port.to_string());
    for (role, url_name, token_name) in [
        (Role::Sync, "SYNC_ADMIN_URL", "SYNC_ADMIN_TOKEN"),
        (Role::Projections, "PROJECTIONS_ADMIN_URL", "PROJECTIONS_ADMIN_TOKEN"),
        (Role::Query, "QUERY_ADMIN_URL", "QUERY_ADMIN_TOKEN"),
        (Role::Command, "COMMAND_ADMIN_URL", "COMMAND_ADMIN_TOKEN"),
        (Role::Site, "SITE_ADMIN_URL", "SITE_ADMIN_TOKEN"),
    ] {
        let health_port = stack.state.port_of(PortName::Health(role))?;
        console = console
            .env(url_name, local_url(health_port))
            .env(token_name, stack.state.secret(SecretName::AdminToken(role))?);
    }
    if let Some(pattern) = &stack.trace_url {
        console = console.env("TRACE_URL", pattern);
    }
    if content.has_studio() {
        let preview = stack.state.port_of(PortName::Health(Role::Preview))?;
        console = console
            .env("PREVIEW_HEALTH_URL", local_url(preview))
            .env("CONTENT_URL", content.url())
            .env("CONSOLE_CONTENT_TOKEN", stack.state.secret(SecretName::ConsoleContentToken)?);
    }
    Ok(Some((url, console)))
}

/// Returns the path of the Node that the frontend's lock file pins.
fn node(folder: &Path) -> Result<PathBuf> {
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
        ("CONTENT_TOKEN", stack.state.secret(SecretName::ContentToken)?),
        ("CONSOLE_DATABASE_URL", servers.database_url(Account::Console, &mut stack.state)?),
        ("ADMIN_TOKEN", stack.state.secret(SecretName::AdminToken(Role::Sync))?),
        ("ENQUIRY_ITEMS", content.has_studio().to_string()),
        ("DATA_DIR", stack.folder.display().to_string()),
    ];
    let mut text = String::new();
    for (name, value) in variables {
        let _infallible = writeln!(text, "{name}='{value}'");
    }
    Ok(text)
}
