//! The commands.

use std::{env, process::ExitCode};

use anyhow::Result;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, error::ErrorKind};

use crate::{
    backup::{self, BackupArgs, RestoreArgs},
    consents::{self, ConsentsArgs},
    databases::LedgerUrl,
    directus::{self, DirectusCommand},
    doctor,
    import::{self, ImportCommand},
    operate::{self, DeadLettersArgs, JobsArgs, ReadModelsArgs, ReconcileArgs},
    operator::{self, OperatorArgs},
    role::{RoleArgs, run_role},
    secret_files::with_secrets_from_files,
    up::{self, DataFolder, ResetArgs, UpArgs},
    verify::{self, VerifyArgs},
};

/// The website of an estate agency, and the pipeline that keeps it up to date.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// What the binary can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Runs sync: takes webhooks, captures versions in the ledger, and publishes them to the log.
    Sync(RoleArgs<sync::Config>),
    /// Runs projections: applies the log to the read models in Postgres.
    Projections(RoleArgs<projections::Config>),
    /// Runs query: the read API, with its own search index.
    Query(RoleArgs<query::Config>),
    /// Runs command: takes and delivers what visitors send, such as enquiries.
    #[command(name = "command")]
    WriteSide(RoleArgs<command::Config>),
    /// Runs site: the public entry, with caches of pages and pictures.
    Site(RoleArgs<site::Config>),
    /// Runs preview: shows editors their drafts as the site would show them.
    Preview(RoleArgs<preview::Config>),
    /// Runs the operators' console.
    Console(RoleArgs<console::Config>),
    /// Runs the built-in content service, which serves a folder.
    ContentPack(RoleArgs<content_pack::Config>),
    /// Runs everything on this machine, in the foreground.
    Up(UpArgs),
    /// Stops the `up` that runs on the data folder.
    Down(DataFolder),
    /// Stops `up` and deletes the data folder, including what visitors sent. Asks for confirmation
    /// first.
    Reset(ResetArgs),
    /// Backs up to a file what exists nowhere else: what visitors sent, operators and their audit
    /// trail, the ledger.
    Backup(BackupArgs),
    /// Restores a file that `backup` wrote.
    Restore(RestoreArgs),
    /// Compares the content service with the read models and the index, field by field.
    Verify(VerifyArgs),
    /// Reads the complete content service again and captures what differs.
    Reconcile(ReconcileArgs),
    /// Lists what could not be recorded or published, and why.
    Parked(LedgerUrl),
    /// Rebuilds the read models beside the live ones, and swaps them in.
    Rebuild(ReadModelsArgs),
    /// Lists, replays or drops messages that could not be applied to the read models.
    DeadLetters(DeadLettersArgs),
    /// Lists or retries mails and items that could not be delivered.
    Jobs(JobsArgs),
    /// Lists who agreed to receive news and offers by mail.
    Consents(ConsentsArgs),
    /// Manages the accounts of the console's operators.
    Operator(OperatorArgs),
    /// Sets up a Directus for Almijara, or reports what it lacks.
    #[command(subcommand)]
    Directus(DirectusCommand),
    /// Imports an agency's own homes into Directus. Prints the changes, and makes them only with
    /// --apply.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Reports which prerequisites of `up` this machine has.
    Doctor,
}

/// Parses the command from arguments, environment and secret files. Exits with an error message when
/// they are invalid.
pub fn parse() -> Cli {
    let mut program = Cli::command();
    let arguments = env::args_os().collect();
    let arguments = with_secrets_from_files(&program, arguments, |name| env::var_os(name))
        .unwrap_or_else(|error| {
            program.error(ErrorKind::InvalidValue, runtime::error_text(&error)).exit()
        });
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
