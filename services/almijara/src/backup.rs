//! Keeping what visitors sent, and putting it back. Everything else can be made anew from the content
//! service; this can't.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, bail, ensure};
use chrono::{DateTime, NaiveDateTime, Utc};
use clap::Args;
use command::Ending;
use event_log::EventLog;
use local_servers::Programs;
use secrecy::{ExposeSecret, SecretString};
use sqlx::{PgPool, query};
use tokio::process::Command;
use url::Url;

/// What `almijara backup` takes.
#[derive(Clone, Debug, Args)]
pub struct BackupArgs {
    /// Postgres, as the owner of the schema `visitor`.
    #[arg(
        long,
        env = "COMMAND_DATABASE_URL",
        value_name = "COMMAND_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: SecretString,
    /// The file to write; one that is there is replaced once the new one is whole.
    file: PathBuf,
}

/// What `almijara restore` takes.
#[derive(Clone, Debug, Args)]
pub struct RestoreArgs {
    /// Postgres, as the owner of the schema `visitor`.
    #[arg(
        long,
        env = "COMMAND_DATABASE_URL",
        value_name = "COMMAND_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: SecretString,
    /// NATS, whose stream `VISITOR` knows what was ended since.
    #[arg(long, env = "COMMAND_NATS_URL", value_name = "COMMAND_NATS_URL", hide_env_values = true)]
    nats_url: SecretString,
    /// Restore over what visitors have sent since; it is lost.
    #[arg(long)]
    replace: bool,
    /// The file that `backup` wrote.
    file: PathBuf,
}

/// Writes the schema `visitor` to the file, readable by its owner alone.
pub async fn backup(args: &BackupArgs) -> Result<()> {
    let pool = runtime::postgres::connect(&args.database_url, "backup", 1)?;
    let held = Held::count(&pool).await.context("counting what is there")?;
    let unfinished = args.file.with_extension("unfinished");
    // Made by us, so that it is its owner's alone from the first byte.
    OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(&unfinished)
        .with_context(|| format!("writing {}", unfinished.display()))?;
    let mut dump = program("pg_dump", &args.database_url)?;
    dump.args(["--format=custom", "--schema=visitor", "--no-owner", "--no-privileges"]);
    let dumped = finished("pg_dump", dump.arg("--file").arg(&unfinished)).await;
    if let Err(error) = dumped {
        // What is half written is no backup.
        let _ = fs::remove_file(&unfinished);
        return Err(error);
    }
    OpenOptions::new().read(true).open(&unfinished)?.sync_all()?;
    fs::rename(&unfinished, &args.file)
        .with_context(|| format!("writing {}", args.file.display()))?;
    let bytes = fs::metadata(&args.file)?.len();
    println!("{held} are in {} ({bytes} bytes)", args.file.display());
    Ok(())
}

/// Puts the schema `visitor` back as the file has it, in one transaction, and ends again what visitors
/// ended after the file was begun.
pub async fn restore(args: &RestoreArgs) -> Result<()> {
    let pool = runtime::postgres::connect(&args.database_url, "restore", 1)?;
    let log = EventLog::connect(&args.nats_url, "restore").await?;
    // Asked first: without an answer, nothing that was ended may come back. A stream that was lost too
    // is made anew, and has nothing.
    log.make_visitor_stream().await?;
    let begun = begun_at(&args.file, &args.database_url).await?;
    let mut ended = Vec::new();
    for ending in Ending::ALL {
        let records = log.visitor_records(ending.kind()).await;
        let records = records.context("reading what was ended since")?;
        let since = records.into_iter().filter_map(|record| {
            let at = record.at.unwrap_or(DateTime::<Utc>::MAX_UTC);
            (ending.is_final() || at >= begun).then_some((record.subject, at.min(Utc::now())))
        });
        ended.push((ending, since.collect::<Vec<_>>()));
    }
    command::migrate(&pool).await?;
    let held = Held::count(&pool).await.context("counting what is there")?;
    ensure!(
        args.replace || held.is_nothing(),
        "{held} are there and would be lost; --replace says that they may be"
    );
    let script = script(&args.file, &args.database_url).await?;
    let mut apply = program("psql", &args.database_url)?;
    apply
        .args(["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"])
        .args(["--command=set client_min_messages = warning; drop schema visitor cascade"])
        .args(["--file=-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    let mut child = apply.spawn().context("starting psql")?;
    let mut input = child.stdin.take().context("psql has no input")?;
    let written = tokio::io::AsyncWriteExt::write_all(&mut input, &script).await;
    drop(input);
    let status = child.wait().await.context("waiting for psql")?;
    ensure!(status.success() && written.is_ok(), "nothing was restored: psql ended with {status}");
    // A file of an older program.
    command::migrate(&pool).await?;
    let mut told = Vec::new();
    for (ending, ended) in ended {
        let count = ending.repeat(&pool, &ended).await?;
        told.push(match ending {
            Ending::AccountDeleted => format!("{count} accounts were erased"),
            Ending::SearchDeleted => format!("{count} searches deleted"),
            Ending::SearchEnded => format!("{count} ended"),
            Ending::ConsentWithdrawn => format!("{count} consents withdrawn"),
        });
    }
    println!("{} are restored; {} again", Held::count(&pool).await?, told.join(", "));
    Ok(())
}

/// When the backup `file` was begun: no later than what it holds.
async fn begun_at(file: &Path, database_url: &SecretString) -> Result<DateTime<Utc>> {
    let mut list = program("pg_restore", database_url)?;
    let output = list.env("TZ", "UTC").arg("--list").arg(file).output().await;
    let output = output.context("starting pg_restore")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} is no backup of ours: {}", file.display(), said.trim());
    let head = String::from_utf8_lossy(&output.stdout).into_owned();
    head.lines()
        .find_map(|line| line.strip_prefix("; Archive created at "))
        .and_then(|time| NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S UTC").ok())
        .map(|time| time.and_utc())
        .with_context(|| format!("{} does not say when it was made", file.display()))
}

/// The statements of the file.
async fn script(file: &Path, database_url: &SecretString) -> Result<Vec<u8>> {
    let mut read = program("pg_restore", database_url)?;
    read.args(["--no-owner", "--no-privileges", "--file=-"]).arg(file);
    let output = read.output().await.context("starting pg_restore")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} is no backup of ours: {}", file.display(), said.trim());
    Ok(output.stdout)
}

async fn finished(name: &str, command: &mut Command) -> Result<()> {
    let output = command.output().await.with_context(|| format!("starting {name}"))?;
    if !output.status.success() {
        bail!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// A program of Postgres, told where the database is by its environment, which nobody else reads.
fn program(name: &str, database_url: &SecretString) -> Result<Command> {
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

/// How much of visitors' there is.
struct Held {
    enquiries: i64,
    accounts: i64,
    /// Who hears of homes, with an account or without.
    subscribers: i64,
}

impl Held {
    async fn count(pool: &PgPool) -> Result<Self> {
        let counted = query!(
            r#"select (select count(*) from visitor.enquiry) as "enquiries!",
                      (select count(*) from visitor.account) as "accounts!",
                      (select count(*) from visitor.subscriber) as "subscribers!""#
        )
        .fetch_one(pool)
        .await?;
        let subscribers = counted.subscribers;
        Ok(Self { enquiries: counted.enquiries, accounts: counted.accounts, subscribers })
    }

    const fn is_nothing(&self) -> bool {
        self.enquiries + self.accounts + self.subscribers == 0
    }
}

impl std::fmt::Display for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { enquiries, accounts, subscribers } = self;
        write!(f, "{enquiries} enquiries, {accounts} accounts and {subscribers} readers of alerts")
    }
}
