//! `almijara up`: runs the complete stack on one machine, from an empty folder to a served page.
//!
//! Postgres and NATS, the content service, every role and the renderer run as child processes. Each is
//! restarted when it ends, so killing any of them shows how the others cope.

mod children;
mod companion;
mod content;
mod directus;
mod journal;
mod names;
mod operators;
mod pack;
mod ready;
mod role;
mod roles;
mod servers;
mod state;
mod stop;

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{self, Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use local_servers::is_free;
use runtime::Process;
use tokio_util::sync::CancellationToken;

pub use self::stop::{ResetArgs, down, reset};
use self::{
    companion::{Companion, MAIL_CATCHER, TRACE_VIEWER},
    content::Content,
    journal::Journal,
    names::{Account, ContentService, PortName, Role},
    servers::Servers,
    state::{RunLock, State, write_private},
};
use crate::earlier_prices;

/// How long the first page may take before `up` reports a problem.
const FIRST_PAGE_LIMIT: Duration = Duration::from_mins(3);

/// What `almijara up` takes.
#[derive(Clone, Debug, Args)]
pub struct UpArgs {
    /// The port of the site.
    #[arg(long, env = "PORT", default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// The data folder.
    #[command(flatten)]
    folder: DataFolder,
    /// The content service to run.
    #[arg(long, env = "CONTENT", value_enum, default_value_t = ContentService::Pack)]
    content: ContentService,
    /// The folder of the sample content.
    #[arg(long, env = "CONTENT_DIR", default_value = "deploy/content")]
    content_dir: PathBuf,
    /// The folder of the built frontend.
    #[arg(long, env = "FRONTEND_DIR", default_value = "frontend")]
    frontend_dir: PathBuf,
    /// The file of the map's streets (`PMTiles`). Without it the map shows none.
    #[arg(long, env = "MAP_BASEMAP")]
    map_basemap: Option<PathBuf>,
    /// The port of Directus. Defaults to a free one.
    #[arg(long, env = "DIRECTUS_PORT", value_parser = clap::value_parser!(u16).range(1..))]
    directus_port: Option<u16>,
    /// The static token of Directus's administrator. Defaults to a random one.
    #[arg(long, env = "DIRECTUS_ADMIN_TOKEN", hide_env_values = true)]
    directus_admin_token: Option<String>,
    /// The folder of Directus's lock file and modules.
    #[arg(long, env = "DIRECTUS_DIR", default_value = "deploy/directus")]
    directus_dir: PathBuf,
    /// The address to which the content service sends its webhooks. Defaults to sync.
    #[arg(long, env = "WEBHOOK_URL")]
    webhook_url: Option<String>,
    /// The address to which the roles send their spans. Defaults to the trace viewer, if it has been
    /// built.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    otlp_endpoint: Option<String>,
    /// The mail server. Defaults to the mail catcher, if it has been built.
    #[arg(long, env = "SMTP_URL", hide_env_values = true)]
    smtp_url: Option<String>,
    /// The sender of the site's mails.
    #[arg(long, env = "MAIL_FROM", default_value = "Almijara Homes <homes@almijara.example>")]
    mail_from: String,
    /// The office's mail address.
    #[arg(long, env = "OFFICE_EMAIL", default_value = "office@almijara.example")]
    office_email: String,
}

/// The folder of everything that `almijara up` keeps.
#[derive(Clone, Debug, Args)]
pub struct DataFolder {
    /// The folder of databases, streams, indexes and caches.
    #[arg(long, env = "DATA_DIR", default_value = ".data")]
    data_dir: PathBuf,
}

impl DataFolder {
    fn make(&self) -> Result<PathBuf> {
        fs::create_dir_all(&self.data_dir)
            .with_context(|| format!("making {}", self.data_dir.display()))?;
        Ok(self.data_dir.canonicalize()?)
    }
}

/// The shared context of all parts of `up`.
struct Stack {
    journal: Journal,
    state: State,
    folder: PathBuf,
    /// Where spans are sent; empty if they are not sent.
    otlp_endpoint: String,
    /// Where traces are, for the operator.
    traces: String,
    /// The address of a single trace, with `{traceId}` as the placeholder for its id; `None` without the
    /// trace viewer.
    trace_url: Option<String>,
    /// The address of the mail server.
    smtp_url: String,
    /// Where mail is, for the operator.
    mail: String,
    site_port: u16,
}

impl Stack {
    /// Returns the site's address for browsers. It has a host name, because browsers don't accept passkeys
    /// for IP addresses.
    fn public_url(&self) -> String {
        format!("http://localhost:{}", self.site_port)
    }
}

/// Starts everything, prints the addresses, and runs until a signal.
pub async fn up(mut args: UpArgs) -> Result<()> {
    let started = Instant::now();
    args.map_basemap = args.map_basemap.as_deref().map(absolute_basemap).transpose()?;
    let folder = args.folder.make()?;
    let _lock = RunLock::acquire(&folder)?;
    if !is_free(args.port) {
        bail!(
            "port {} of 127.0.0.1 is taken by another program; `PORT=9000 make up` uses another port",
            args.port
        );
    }
    let journal = Journal::new();
    let mut state = State::load(&folder)?;
    state.ensure_content_service(args.content).with_context(|| folder.display().to_string())?;
    for port in [Some(args.port), args.directus_port].into_iter().flatten() {
        state.reserve(port);
    }
    let process = Process::new();
    process.listen_to_signals()?;
    let shutdown = process.shutdown();
    let viewer = match args.otlp_endpoint {
        Some(_) => None,
        None => Companion::start(&TRACE_VIEWER, &mut state, &journal)?,
    };
    let (otlp_endpoint, traces) = match (&args.otlp_endpoint, &viewer) {
        (Some(endpoint), _) => (endpoint.clone(), format!("sent to {endpoint}")),
        (None, Some(viewer)) => {
            (format!("http://127.0.0.1:{}", viewer.takes_port()), viewer.address())
        }
        (None, None) => (String::new(), "not kept; `make up` builds the viewer".to_owned()),
    };
    let trace_url = viewer.as_ref().map(|viewer| format!("{}/trace/{{traceId}}", viewer.address()));
    let catcher = match args.smtp_url {
        Some(_) => None,
        None => Companion::start(&MAIL_CATCHER, &mut state, &journal)?,
    };
    let (smtp_url, mail) = match (&args.smtp_url, &catcher) {
        (Some(url), _) => (url.clone(), "sent by SMTP_URL".to_owned()),
        (None, Some(catcher)) => {
            (format!("smtp://127.0.0.1:{}", catcher.takes_port()), catcher.address())
        }
        // Nothing listens on this port: mails wait in the database for a start with a mail server.
        (None, None) => {
            ("smtp://127.0.0.1:1".to_owned(), "waits; `make up` builds the catcher".to_owned())
        }
    };
    let site_port = args.port;
    let mut stack = Stack {
        journal,
        state,
        folder,
        otlp_endpoint,
        traces,
        trace_url,
        smtp_url,
        mail,
        site_port,
    };

    stack.journal.step("starting Postgres and NATS");
    let folder = stack.folder.clone();
    let servers = Servers::start(&folder, &mut stack.state, &stack.journal, &shutdown).await;
    let outcome = match servers {
        Ok(servers) => {
            let outcome = run_on(&servers, &args, &mut stack, started, &shutdown).await;
            servers.stop(&stack.journal).await;
            outcome
        }
        Err(error) => Err(error),
    };
    stack.journal.steps_done();
    if let Some(viewer) = viewer {
        viewer.stop(&stack.journal).await;
    }
    if let Some(catcher) = catcher {
        catcher.stop(&stack.journal).await;
    }
    stack.journal.line("up", "everything has ended");
    match outcome {
        // A start that was interrupted is not a failure.
        Err(error) if !shutdown.is_cancelled() => Err(error),
        _ => Ok(process.finish().await?),
    }
}

/// Returns the absolute path of the map's streets, because the roles run in other folders. A link stays one,
/// since a new file may replace it.
fn absolute_basemap(file: &Path) -> Result<PathBuf> {
    let unreadable = || format!("MAP_BASEMAP {} can't be read", file.display());
    site::readable_basemap(file).with_context(unreadable)?;
    path::absolute(file).with_context(unreadable)
}

/// The children that need the servers.
struct Running {
    content: Content,
    roles: roles::Roles,
}

impl Running {
    async fn stop(self, journal: &Journal) {
        self.roles.stop(journal).await;
        self.content.stop(journal).await;
    }
}

/// Starts everything else on the `servers`, runs it until a signal, and stops it.
async fn run_on(
    servers: &Servers,
    args: &UpArgs,
    stack: &mut Stack,
    started: Instant,
    shutdown: &CancellationToken,
) -> Result<()> {
    let webhook_port = stack.state.port(PortName::Role(Role::Sync))?;
    let webhook = args
        .webhook_url
        .clone()
        .unwrap_or_else(|| format!("http://127.0.0.1:{webhook_port}/webhooks/content"));
    let content = match args.content {
        ContentService::Pack => pack::start(args, stack, &webhook)?,
        ContentService::Directus => {
            directus::start(args, stack, servers, &webhook, shutdown).await?
        }
    };
    let ledger = servers.database_url(Account::Sync, &mut stack.state)?;
    earlier_prices::record_from_folder(&args.content_dir, &ledger.into()).await?;
    // From here on, the data folder is filled from this content service.
    stack.state.set_content_service(args.content);
    let roles = roles::Roles::start(args, stack, servers, &content)?;
    stack.state.save()?;
    let running = Running { content, roles };
    let outcome = serve(args, stack, servers, &running, started, shutdown).await;
    running.stop(&stack.journal).await;
    outcome
}

/// Waits for the first page, prints the addresses, and runs until a signal.
async fn serve(
    args: &UpArgs,
    stack: &mut Stack,
    servers: &Servers,
    running: &Running,
    started: Instant,
    shutdown: &CancellationToken,
) -> Result<()> {
    write_private(&stack.folder.join("operator.env"), &running.roles.operator_environment())?;
    stack.journal.step("waiting for the first page");
    let health_ports = running.roles.health_ports();
    let first_page = ready::first_page(args.port, &health_ports, FIRST_PAGE_LIMIT);
    tokio::select! {
        page = first_page => match page {
            Ok(path) => {
                stack.journal.steps_done();
                stack.journal.line(
                    "up",
                    &format!("served {path} after {:.1} s", started.elapsed().as_secs_f32()),
                );
            }
            Err(error) => {
                stack.journal.steps_done();
                stack.journal.line("up", &format!("no page shows a property yet: {}", runtime::error_text(&*error)));
            }
        },
        () = shutdown.cancelled() => {}
    }
    let has_operators = Box::pin(operators::has_any(stack, servers));
    let has_operators = shutdown.run_until_cancelled(has_operators).await;
    if let Some(has_operators) = has_operators {
        stack.journal.print(&addresses(args, stack, running, has_operators));
        shutdown.cancelled().await;
    }
    stack.journal.line("up", "ending");
    Ok(())
}

/// Returns the table of addresses that is printed when the stack is up.
fn addresses(args: &UpArgs, stack: &Stack, running: &Running, has_operators: bool) -> String {
    // A host name, because browsers don't accept passkeys for IP addresses.
    let mut rows = vec![("site".to_owned(), format!("http://localhost:{}", args.port))];
    rows.push(("console".to_owned(), console_text(stack, running, has_operators)));
    rows.push(("traces".to_owned(), stack.traces.clone()));
    rows.push(("mail".to_owned(), stack.mail.clone()));
    rows.extend(running.content.addresses());
    for (role, port) in running.roles.health_ports() {
        rows.push((format!("{role} health"), format!("http://127.0.0.1:{port}/readyz")));
    }
    rows.push(("data".to_owned(), stack.folder.display().to_string()));
    let mut table = String::from("\n");
    for (name, address) in rows {
        let _infallible = writeln!(table, "  {name:<20} {address}");
    }
    table.push_str("\n  Ctrl-C stops it.\n");
    table
}

/// Returns the console's address, with the command that creates the first operator if there is none.
fn console_text(stack: &Stack, running: &Running, has_operators: bool) -> String {
    match running.roles.console() {
        None => "not built; `make up` builds it".to_owned(),
        Some(url) if has_operators => url.to_owned(),
        Some(url) => {
            // The path that this process was started by, because the build is not on the PATH.
            let program = env::args_os().next().unwrap_or_default();
            let (folder, program) = (stack.folder.display(), program.display());
            format!(
                "{url} (there is no operator yet; create one: `set -a; . {folder}/operator.env; {program} operator add NAME --may-act`)"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_basemap_is_named_by_its_absolute_path() -> Result<()> {
        let file = absolute_basemap(Path::new("Cargo.toml"))?;
        assert!(file.is_absolute() && file.ends_with("Cargo.toml"), "{}", file.display());
        Ok(())
    }
}
