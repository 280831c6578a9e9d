//! `almijara import`: imports an agency's own homes into the content service.

use std::{
    collections::BTreeMap,
    fs,
    io::IsTerminal as _,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use content_import::{
    Error, Feed, FetchLimits, Fetcher, Kinds, Mapping, Options, Outcome, Plan, apply, counted,
    plan, read_csv, read_kyero,
};
use contracts::content::PropertyKind;
use directus_setup::Directus;
use indicatif::{ProgressBar, ProgressStyle};
use secrecy::SecretString;
use url::Url;

use crate::earlier_prices::{self, PricesArgs};

/// The size of the largest file that is read, in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// How long Directus may take to answer after its start.
const READY_LIMIT: Duration = Duration::from_mins(1);
/// The length of the longest name of a source, in characters.
const MAX_SOURCE_LENGTH: usize = 60;

/// What to import.
#[derive(Clone, Debug, Subcommand)]
pub enum ImportCommand {
    /// Imports a Kyero v3 feed. Prints the changes, and makes them only with --apply. A second run
    /// changes nothing.
    Kyero(KyeroArgs),
    /// Imports a CSV table with one home per line, with a mapping that describes its columns.
    Csv(CsvArgs),
    /// Records the earlier prices of homes, from which the site derives which prices are reduced, and
    /// since when.
    Prices(PricesArgs),
}

/// What `almijara import kyero` takes.
#[derive(Clone, Debug, Args)]
pub struct KyeroArgs {
    /// A file, or an address that begins with http:// or https://.
    feed: String,
    /// The feed's word for a kind of home: "House=townhouse". May be given several times.
    #[arg(long = "kind", value_name = "WORD=KIND", value_parser = parse_kind)]
    kinds: Vec<(String, PropertyKind)>,
    #[command(flatten)]
    import: ImportArgs,
}

/// What `almijara import csv` takes.
#[derive(Clone, Debug, Args)]
pub struct CsvArgs {
    /// The CSV file.
    table: PathBuf,
    /// The mapping, a TOML file such as deploy/docs/import-mapping.toml.
    #[arg(long)]
    mapping: PathBuf,
    #[command(flatten)]
    import: ImportArgs,
}

/// What both take.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub struct ImportArgs {
    /// The address of Directus.
    #[arg(long, env = "DIRECTUS_URL")]
    directus_url: Url,
    /// The token of an administrator or editor of Directus.
    #[arg(long, env = "DIRECTUS_ADMIN_TOKEN", hide_env_values = true)]
    admin_token: SecretString,
    /// Make the changes; without this they are only printed.
    #[arg(long)]
    apply: bool,
    /// The name of this feed, the same in every run; by default its file name or host. Homes of
    /// different sources are never matched with each other.
    #[arg(long)]
    source: Option<String>,
    /// Also overwrite values that an editor has changed.
    #[arg(long)]
    overwrite: bool,
    /// Create new homes as drafts.
    #[arg(long)]
    as_drafts: bool,
    /// Archive homes of this source that are no longer in its feed; without this they are only listed.
    #[arg(long)]
    archive_gone: bool,
    /// Continue even if so many of this source's homes would be archived, or lose all their pictures,
    /// that the feed is probably wrong: more than a fifth, or more than half of a few homes.
    #[arg(long)]
    allow_mass_removal: bool,
    /// Create places that Directus does not have yet, without texts.
    #[arg(long)]
    create_places: bool,
    /// The feed's name for a place of Directus: "Torrox Park=torrox-costa". May be given several times.
    #[arg(long = "place", value_name = "NAME=ADDRESS", value_parser = parse_pair)]
    places: Vec<(String, String)>,
    /// Keep features that the vocabulary lacks as tags.
    #[arg(long)]
    keep_features: bool,
    /// Fetch pictures again even if their addresses have not changed.
    #[arg(long)]
    refetch_pictures: bool,
    /// Also fetch from this machine and private networks.
    #[arg(long)]
    allow_private_addresses: bool,
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let (name, meaning) = text.split_once('=').ok_or("it needs a = between word and meaning")?;
    Ok((name.trim().to_owned(), meaning.trim().to_owned()))
}

fn parse_kind(text: &str) -> Result<(String, PropertyKind), String> {
    let (word, kind) = parse_pair(text)?;
    let unknown = || {
        format!("`{kind}` is not a kind of home; the kinds are {}", PropertyKind::NAMES.join(", "))
    };
    Ok((word, kind.parse().map_err(|_| unknown())?))
}

/// Runs `command` to its end. It fails if anything was refused or a picture could not be fetched.
pub async fn import(command: ImportCommand) -> Result<ExitCode> {
    match command {
        ImportCommand::Kyero(args) => kyero(args).await,
        ImportCommand::Csv(args) => csv(&args).await,
        ImportCommand::Prices(args) => {
            earlier_prices::prices(args).await?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn kyero(args: KyeroArgs) -> Result<ExitCode> {
    let fetcher = args.import.fetcher()?;
    let url = args.feed.parse::<Url>().ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let (bytes, name) = match &url {
        Some(url) => {
            let host = url.host_str().unwrap_or("feed").to_owned();
            (fetcher.feed(url).await?.to_vec(), host)
        }
        None => (read_file(Path::new(&args.feed))?, stem(Path::new(&args.feed))),
    };
    let kinds = Kinds::new(args.kinds);
    let feed = read_kyero(&bytes, &name, &kinds, args.import.keep_features)?;
    args.import.run(&fetcher, &feed, name).await
}

async fn csv(args: &CsvArgs) -> Result<ExitCode> {
    let mapping =
        String::from_utf8(read_file(&args.mapping)?).context("the mapping is not in UTF-8")?;
    let mapping = Mapping::parse(&mapping)?;
    let name = stem(&args.table);
    let feed = read_csv(&read_file(&args.table)?, &name, &mapping, args.import.keep_features)?;
    args.import.run(&args.import.fetcher()?, &feed, name).await
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "feed".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Reads a file to import. Fails if it is larger than [`MAX_BYTES`].
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>> {
    let name = || path.display().to_string();
    let size = fs::metadata(path).with_context(name)?.len();
    ensure!(size <= MAX_BYTES, "{} is larger than {} MB", name(), MAX_BYTES >> 20);
    fs::read(path).with_context(name)
}

impl ImportArgs {
    fn fetcher(&self) -> Result<Fetcher> {
        Ok(Fetcher::new(FetchLimits { allow_private: self.allow_private_addresses })?)
    }

    fn options(&self, name: String) -> Result<Options> {
        let source = self.source.clone().unwrap_or(name);
        if source.trim().is_empty() || source.chars().count() > MAX_SOURCE_LENGTH {
            bail!("--source needs 1 to {MAX_SOURCE_LENGTH} characters");
        }
        Ok(Options {
            source,
            overwrite: self.overwrite,
            as_drafts: self.as_drafts,
            archive_gone: self.archive_gone,
            allow_mass_removal: self.allow_mass_removal,
            create_places: self.create_places,
            refetch_pictures: self.refetch_pictures,
            places: self.places.iter().cloned().collect::<BTreeMap<_, _>>(),
        })
    }

    async fn run(&self, fetcher: &Fetcher, feed: &Feed, name: String) -> Result<ExitCode> {
        let options = self.options(name)?;
        let directus = Directus::new(self.directus_url.clone(), self.admin_token.clone())?;
        directus.wait_until_ready(READY_LIMIT).await?;
        let plan = plan(&directus, feed, &options).await?;
        println!("{} homes of the source `{}`", feed.listings.len(), options.source);
        print!("{plan}");
        let refused = plan.count(content_import::HomeStep::Refuse);
        if !self.apply {
            println!("nothing was written; run it with --apply to write it");
            return Ok(exit_code(refused == 0));
        }
        if plan.does_nothing() {
            println!("nothing to do");
            return Ok(exit_code(refused == 0));
        }
        let (outcome, result) = apply_with_progress(&directus, fetcher, plan).await?;
        print_outcome(&outcome);
        result.context("the changes made so far are kept; run it again to make the rest")?;
        let is_complete =
            refused == 0 && outcome.refused.is_empty() && outcome.failed_pictures.is_empty();
        Ok(exit_code(is_complete))
    }
}

/// Applies `plan` with a progress bar. Returns what was done, and the error that stopped it, if any.
async fn apply_with_progress(
    directus: &Directus,
    fetcher: &Fetcher,
    plan: Plan,
) -> Result<(Outcome, Result<(), Error>)> {
    let homes = u64::try_from(plan.len()).unwrap_or(u64::MAX);
    let bar = if std::io::stderr().is_terminal() {
        let style =
            ProgressStyle::with_template("{bar:30} {pos} of {len} homes, {eta} left  {msg}")?;
        ProgressBar::new(homes).with_style(style)
    } else {
        ProgressBar::hidden()
    };
    let done = apply(directus, fetcher, plan, |home: &content_import::HomePlan| {
        bar.set_message(home.reference.clone());
        bar.inc(1);
    })
    .await;
    bar.finish_and_clear();
    Ok(done)
}

fn print_outcome(outcome: &Outcome) {
    for (home, address, reason) in &outcome.failed_pictures {
        println!("! {home}: {address} can't be fetched: {reason}; the next run tries again");
    }
    for (home, reason) in &outcome.refused {
        println!("! {home}: {reason}");
    }
    let Outcome { created, changed, archived, fetched, .. } = outcome;
    println!(
        "{} created, {changed} changed, {archived} archived, {} fetched",
        counted(*created, "home"),
        counted(*fetched, "picture")
    );
}

fn exit_code(is_complete: bool) -> ExitCode {
    if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
