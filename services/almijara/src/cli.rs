//! The commands.

use std::{env, process::ExitCode};

use anyhow::Result;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, error::ErrorKind};

use crate::{
    backup::{self, BackupArgs, RestoreArgs},
    consents::{self, ConsentsArgs},
    directus::{self, DirectusCommand},
    doctor,
    import::{self, ImportCommand},
    operate::{self, DeadLettersArgs, JobsArgs, LedgerArgs, ReadModelsArgs, ReconcileArgs},
    operator::{self, OperatorArgs},
    role::{RoleArgs, run_role},
    secret_files::with_secrets_from_files,
    up::{self, DataFolder, ResetArgs, UpArgs},
    verify::{self, VerifyArgs},
};

/// The website of an estate agency, and the machinery that keeps it fresh.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the binary can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Webhooks in, capture, ledger, relay, reconcile.
    Sync(RoleArgs<sync::Config>),
    /// The log into Postgres read models.
    Projections(RoleArgs<projections::Config>),
    /// The read API and its search replica.
    Query(RoleArgs<query::Config>),
    /// What visitors send: enquiries, kept and passed on.
    #[command(name = "command")]
    WriteSide(RoleArgs<command::Config>),
    /// The public door.
    Site(RoleArgs<site::Config>),
    /// Shows editors with a ticket their drafts, as the site would.
    Preview(RoleArgs<preview::Config>),
    /// The operators' console.
    Console(RoleArgs<console::Config>),
    /// The built-in content service.
    ContentPack(RoleArgs<content_pack::Config>),
    /// Everything on this machine, in the foreground.
    Up(UpArgs),
    /// Ends an `up` that runs on the data folder.
    Down(DataFolder),
    /// Ends it and deletes the data folder, with what visitors sent; asks first.
    Reset(ResetArgs),
    /// Writes what exists nowhere else to a file: what visitors sent, operators and their trail, the ledger.
    Backup(BackupArgs),
    /// Puts back what such a file holds.
    Restore(RestoreArgs),
    /// Compares the content service with the read models and the index, field by field.
    Verify(VerifyArgs),
    /// Reads the whole content service again and captures what differs.
    Reconcile(ReconcileArgs),
    /// Lists what can't be recorded, and why.
    Parked(LedgerArgs),
    /// Fills the read models anew beside the live ones, and swaps.
    Rebuild(ReadModelsArgs),
    /// Messages that could not be applied.
    DeadLetters(DeadLettersArgs),
    /// Mails and items of visitors that could not be done.
    Jobs(JobsArgs),
    /// Who wants news and offers by mail.
    Consents(ConsentsArgs),
    /// Who may use the console.
    Operator(OperatorArgs),
    /// Brings a Directus to what Almijara needs, and says what it lacks.
    #[command(subcommand)]
    Directus(DirectusCommand),
    /// An agency's own homes into Directus: says what it would do, and does it with --apply.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Says what this machine has of what `up` needs.
    Doctor,
}

/// Parses the command from arguments, environment and secret files. Exits with an error message when
/// they are invalid.
pub fn parse() -> Cli {
    let mut program = Cli::command();
    let arguments = env::args_os().collect();
    let arguments = with_secrets_from_files(&program, arguments, |name| env::var_os(name))
        .unwrap_or_else(|error| program.error(ErrorKind::InvalidValue, error).exit());
    let mut matches = program.get_matches_from(arguments);
    Cli::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit())
}

/// Runs `command` to its end.
pub async fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Sync(args) => run_role("sync", sync::METRICS, args, sync::run).await?,
        Command::Projections(args) => {
            run_role("projections", projections::METRICS, args, projections::run).await?;
        }
        Command::Query(args) => run_role("query", query::METRICS, args, query::run).await?,
        Command::WriteSide(args) => {
            run_role("command", command::METRICS, args, command::run).await?;
        }
        Command::Site(args) => run_role("site", site::METRICS, args, site::run).await?,
        Command::Preview(args) => run_role("preview", preview::METRICS, args, preview::run).await?,
        Command::Console(args) => run_role("console", console::METRICS, args, console::run).await?,
        Command::ContentPack(args) => {
            run_role("content-pack", &[], args, content_pack::run).await?;
        }
        Command::Up(args) => up::up(args).await?,
        Command::Down(folder) => up::down(&folder).await?,
        Command::Reset(args) => up::reset(&args).await?,
        Command::Backup(args) => backup::backup(&args).await?,
        Command::Restore(args) => backup::restore(&args).await?,
        Command::Verify(args) => return verify::verify(args).await,
        Command::Reconcile(args) => operate::reconcile(args).await?,
        Command::Parked(args) => operate::parked(args).await?,
        Command::Rebuild(args) => operate::rebuild(args).await?,
        Command::DeadLetters(args) => operate::dead_letters(args).await?,
        Command::Jobs(args) => operate::jobs(args).await?,
        Command::Consents(args) => consents::consents(args).await?,
        Command::Operator(args) => operator::operator(args).await?,
        Command::Directus(command) => return directus::directus(command).await,
        Command::Import(command) => return import::import(command).await,
        Command::Doctor => return Ok(doctor::doctor().await),
    }
    Ok(ExitCode::SUCCESS)
}
