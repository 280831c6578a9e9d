//! The commands.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::{
    backup::{self, BackupArgs, RestoreArgs},
    directus::{self, DirectusCommand},
    doctor,
    operate::{self, DeadLettersArgs, LedgerArgs, ReadModelsArgs, ReconcileArgs},
    role::{RoleArgs, run_role},
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
    /// The built-in content service.
    ContentPack(RoleArgs<content_pack::Config>),
    /// Everything on this machine, in the foreground.
    Up(UpArgs),
    /// Ends an `up` that runs on the data folder.
    Down(DataFolder),
    /// Ends it and deletes the data folder, with what visitors sent; asks first.
    Reset(ResetArgs),
    /// Writes what visitors sent, which exists nowhere else, to a file.
    Backup(BackupArgs),
    /// Puts what visitors sent back as such a file has it.
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
    /// Brings a Directus to what Almijara needs, and says what it lacks.
    #[command(subcommand)]
    Directus(DirectusCommand),
    /// Says what this machine has of what `up` needs.
    Doctor,
}

/// Runs `command` to its end.
pub async fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Sync(args) => run_role("sync", args, sync::run).await?,
        Command::Projections(args) => run_role("projections", args, projections::run).await?,
        Command::Query(args) => run_role("query", args, query::run).await?,
        Command::WriteSide(args) => run_role("command", args, command::run).await?,
        Command::Site(args) => run_role("site", args, site::run).await?,
        Command::ContentPack(args) => run_role("content-pack", args, content_pack::run).await?,
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
        Command::Directus(command) => return directus::directus(command).await,
        Command::Doctor => return Ok(doctor::doctor().await),
    }
    Ok(ExitCode::SUCCESS)
}
