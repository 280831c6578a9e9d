//! Backup and restore of what exists nowhere else: what visitors sent, who the operators are and what they
//! did, and the ledger's history. Everything else can be rebuilt from the content service.

mod ended;
mod file;
mod postgres;
mod section;

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use secrecy::SecretString;

use self::{
    ended::EndedSince,
    file::{BackupFile, BackupWriter},
    section::BackupSection,
};
use crate::databases::{LedgerUrl, OperatorsUrl, VisitorsUrl};

/// What `almijara backup` takes.
#[derive(Clone, Debug, Args)]
pub struct BackupArgs {
    #[command(flatten)]
    visitors: VisitorsUrl,
    #[command(flatten)]
    operators: OperatorsUrl,
    #[command(flatten)]
    ledger: LedgerUrl,
    /// The file to write. An existing file is replaced once the new one is complete.
    file: PathBuf,
}

/// What `almijara restore` takes: the addresses of what it restores.
#[derive(Clone, Debug, Args)]
pub struct RestoreArgs {
    /// Postgres, as the owner of the schema `visitor`.
    #[arg(
        long,
        env = "COMMAND_DATABASE_URL",
        value_name = "COMMAND_DATABASE_URL",
        hide_env_values = true
    )]
    visitors_url: Option<SecretString>,
    /// Postgres, as the owner of the schema `operator`.
    #[arg(
        long,
        env = "CONSOLE_DATABASE_URL",
        value_name = "CONSOLE_DATABASE_URL",
        hide_env_values = true
    )]
    operators_url: Option<SecretString>,
    /// Postgres, as the owner of the schema `ledger`.
    #[arg(
        long,
        env = "SYNC_DATABASE_URL",
        value_name = "SYNC_DATABASE_URL",
        hide_env_values = true
    )]
    ledger_url: Option<SecretString>,
    /// NATS, whose stream `VISITOR` records what visitors have deleted or ended since the backup.
    #[arg(long, env = "COMMAND_NATS_URL", value_name = "COMMAND_NATS_URL", hide_env_values = true)]
    nats_url: Option<SecretString>,
    /// Restore only this part of the file. May be given several times.
    #[arg(long, value_name = "PART")]
    only: Vec<BackupSection>,
    /// Replace existing data, including what was added since the backup, which is lost.
    #[arg(long)]
    replace: bool,
    /// Restore visitors even if NATS does not know all who were erased since the backup, because the
    /// file is over 400 days old, or older than what the stream `VISITOR` holds. Their data may come
    /// back.
    #[arg(long)]
    allow_old: bool,
    /// The file that `backup` wrote.
    file: PathBuf,
}

impl BackupArgs {
    const fn url(&self, section: BackupSection) -> &SecretString {
        match section {
            BackupSection::Visitors => &self.visitors.visitors_url,
            BackupSection::Operators => &self.operators.operators_url,
            BackupSection::Ledger => &self.ledger.ledger_url,
        }
    }
}

impl RestoreArgs {
    fn url(&self, section: BackupSection) -> Result<&SecretString> {
        let url = match section {
            BackupSection::Visitors => &self.visitors_url,
            BackupSection::Operators => &self.operators_url,
            BackupSection::Ledger => &self.ledger_url,
        };
        let (name, variable) = (section.name(), section.variable());
        url.as_ref().with_context(|| {
            format!(
                "restoring the {name} of the file needs {variable}; --only restores single parts"
            )
        })
    }
}

/// Writes a backup of what exists nowhere else to the file, readable only by its owner.
pub async fn backup(args: &BackupArgs) -> Result<()> {
    let mut writer = BackupWriter::create(&args.file)?;
    let mut contents = Vec::new();
    for &section in BackupSection::ALL {
        let (name, url) = (section.name(), args.url(section));
        let pool = runtime::postgres::connect(url, "backup", 1)?;
        if !section.exists(&pool).await.with_context(|| format!("looking for {name}"))? {
            ensure!(section.is_optional(), "there is no schema `{}` to back up", section.schema());
            contents.push(format!("no {name}"));
            continue;
        }
        let count = section.count(&pool).await;
        contents.push(count.with_context(|| format!("counting {name}"))?.to_string());
        writer.add(section, url).await.with_context(|| format!("backing up {name}"))?;
    }
    let bytes = writer.finish(&args.file).await?;
    println!("backed up {} to {} ({bytes} bytes)", contents.join("; "), args.file.display());
    Ok(())
}

/// Restores each section of the file in one transaction. Then ends again what visitors ended between the start
/// of the backup and its restoration.
pub async fn restore(args: &RestoreArgs) -> Result<()> {
    let file = BackupFile::open(&args.file).await?;
    for only in &args.only {
        ensure!(
            file.sections.contains(only),
            "{} does not contain {}",
            args.file.display(),
            only.name()
        );
    }
    let is_wanted = |section: &BackupSection| args.only.is_empty() || args.only.contains(section);
    let mut sections = Vec::new();
    for section in file.sections.iter().copied().filter(is_wanted) {
        let url = args.url(section)?;
        sections.push((section, url, runtime::postgres::connect(url, "restore", 1)?));
    }
    // Fetched first: without an answer nothing is restored, because what was ended must not come back.
    let mut ended = None;
    if let Some((section, url, _)) =
        sections.iter().find(|(section, ..)| *section == BackupSection::Visitors)
    {
        let nats_url = args.nats_url.as_ref();
        let nats_url = nats_url.context("restoring visitors needs COMMAND_NATS_URL")?;
        let started = file.started_at(*section, url).await?;
        let ended_since = EndedSince::fetch(started, nats_url).await?;
        if !args.allow_old
            && let Some(limit) = ended_since.memory_limit()
        {
            bail!(
                "{} is from {}, and who was erased since is known {limit}: others may come back; \
                 --allow-old allows that, --only restores other parts",
                args.file.display(),
                started.format("%F %T UTC")
            );
        }
        ended = Some(ended_since);
    }
    let mut lost = Vec::new();
    for (section, _, pool) in &sections {
        section.migrate(pool).await.with_context(|| format!("preparing for {}", section.name()))?;
        let counts = section.count(pool).await;
        let counts = counts.with_context(|| format!("counting {}", section.name()))?;
        if !counts.is_empty() {
            lost.push(counts.to_string());
        }
    }
    if !args.replace && !lost.is_empty() {
        bail!(
            "{} exist and would be lost; --replace allows that, --only restores single parts",
            lost.join("; ")
        );
    }
    for (section, url, pool) in sections {
        // Restoring the ledger terminates all connections of its owner, also this one.
        pool.close().await;
        file.restore(section, url).await?;
        let pool = &runtime::postgres::connect(url, "restore", 1)?;
        section.migrate_restored(pool).await?;
        let then = match section {
            BackupSection::Visitors => {
                let ended = ended.take().context("what was ended has not been read")?;
                ended.repeat(pool).await?
            }
            BackupSection::Operators => {
                "operators who could not sign in before are disabled".to_owned()
            }
            BackupSection::Ledger => {
                "changes since the backup are read again from the content service".to_owned()
            }
        };
        println!("restored {}; {then}", section.count(pool).await?);
    }
    Ok(())
}
