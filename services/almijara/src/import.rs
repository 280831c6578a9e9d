//! `almijara import`: an agency's own homes into the content service.

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
    Done, Error, Feed, FetchLimits, Fetcher, Kinds, Mapping, Options, Plan, apply, plan, read_csv,
    read_kyero,
};
use contracts::content::PropertyKind;
use directus_setup::Directus;
use indicatif::{ProgressBar, ProgressStyle};
use secrecy::SecretString;
use url::Url;

use crate::earlier_prices::{self, PricesArgs};

/// The largest file that is read.
const MAX_BYTES: u64 = 256 << 20;
/// How long a Directus that has just been started may take to answer.
const READY_LIMIT: Duration = Duration::from_mins(1);
/// The longest name of a source.
const MAX_SOURCE_LENGTH: usize = 60;

/// What to import.
#[derive(Clone, Debug, Subcommand)]
pub enum ImportCommand {
    /// A Kyero v3 feed: says what it would do, and does it with --apply. A second run does nothing.
    Kyero(KyeroArgs),
    /// A table with a home a line, by a mapping that says which column is what.
    Csv(CsvArgs),
    /// What homes were offered at before, by which the site knows what is reduced, and since when.
    Prices(PricesArgs),
}

/// What `almijara import kyero` takes.
#[derive(Clone, Debug, Args)]
pub struct KyeroArgs {
    /// A file, or an address that begins with http:// or https://.
    feed: String,
    /// What the feed calls a kind of home: "House=townhouse".
    #[arg(long = "kind", value_name = "WORD=KIND", value_parser = kind)]
    kinds: Vec<(String, PropertyKind)>,
    #[command(flatten)]
    import: ImportArgs,
}

/// What `almijara import csv` takes.
#[derive(Clone, Debug, Args)]
pub struct CsvArgs {
    /// The table.
    table: PathBuf,
    /// The mapping, a TOML file: deploy/docs/import-mapping.toml is one.
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
    /// A token of one of its administrators, or of an editor.
    #[arg(long, env = "DIRECTUS_ADMIN_TOKEN", hide_env_values = true)]
    admin_token: SecretString,
    /// Do it; without this it is only said.
    #[arg(long)]
    apply: bool,
    /// What this feed is called, now and the next time; its file or host where nothing is given. Homes
    /// of one source are never taken for those of another.
    #[arg(long)]
    source: Option<String>,
    /// Take the feed's values where an editor has others too.
    #[arg(long)]
    overwrite: bool,
    /// Make new homes as drafts.
    #[arg(long)]
    as_drafts: bool,
    /// Archive homes of this source that its feed has no more; without this they are listed.
    #[arg(long)]
    archive_gone: bool,
    /// Do it too where so many of this source's homes would be archived, or lose all their pictures, that
    /// the feed is more likely wrong: more than a fifth, of few homes more than half.
    #[arg(long)]
    allow_mass_removal: bool,
    /// Make places that Directus has not, without texts.
    #[arg(long)]
    create_places: bool,
    /// What the feed calls a place of Directus: "Torrox Park=torrox-costa".
    #[arg(long = "place", value_name = "NAME=ADDRESS", value_parser = pair)]
    places: Vec<(String, String)>,
    /// Keep features that the vocabulary lacks, as tags.
    #[arg(long)]
    keep_features: bool,
    /// Fetch pictures again whose addresses are known.
    #[arg(long)]
    refetch_pictures: bool,
    /// Fetch from this machine and private networks too.
    #[arg(long)]
    allow_private_addresses: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, means) = text.split_once('=').ok_or("it needs a = between word and meaning")?;
    Ok((name.trim().to_owned(), means.trim().to_owned()))
}

fn kind(text: &str) -> Result<(String, PropertyKind), String> {
    let (word, kind) = pair(text)?;
    let known = || format!("`{kind}` is no kind; there are {}", PropertyKind::NAMES.join(", "));
    Ok((word, kind.parse().map_err(|_| known())?))
}

/// Runs `command` to its end. Whatever was refused or could not be had makes it a failure.
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
        None => (file(Path::new(&args.feed))?, stem(Path::new(&args.feed))),
    };
    let kinds = Kinds::new(args.kinds);
    let feed = read_kyero(&bytes, &name, &kinds, args.import.keep_features)?;
    args.import.run(&fetcher, &feed, name).await
}

async fn csv(args: &CsvArgs) -> Result<ExitCode> {
    let mapping = String::from_utf8(file(&args.mapping)?).context("the mapping is not in UTF-8")?;
    let mapping = Mapping::parse(&mapping)?;
    let name = stem(&args.table);
    let feed = read_csv(&file(&args.table)?, &name, &mapping, args.import.keep_features)?;
    args.import.run(&args.import.fetcher()?, &feed, name).await
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "feed".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The bytes of a file that is given to import, if it is of a size to be read.
pub(crate) fn file(path: &Path) -> Result<Vec<u8>> {
    let told = || path.display().to_string();
    let size = fs::metadata(path).with_context(told)?.len();
    ensure!(size <= MAX_BYTES, "{} is larger than {} MB", told(), MAX_BYTES >> 20);
    fs::read(path).with_context(told)
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
        let refused = plan.count(content_import::Step::Refuse);
        if !self.apply {
            println!("nothing was written; --apply does it");
            return Ok(code(refused == 0));
        }
        if plan.does_nothing() {
            println!("nothing to do");
            return Ok(code(refused == 0));
        }
        let (done, ended) = applied(&directus, fetcher, plan).await?;
        tell(&done);
        ended.context("what was done so far stays; the next run does the rest")?;
        let is_whole = refused == 0 && done.refused.is_empty() && done.failed_pictures.is_empty();
        Ok(code(is_whole))
    }
}

/// What was done, and whether all of it could be.
async fn applied(
    directus: &Directus,
    fetcher: &Fetcher,
    plan: Plan,
) -> Result<(Done, Result<(), Error>)> {
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

fn tell(done: &Done) {
    for (home, address, reason) in &done.failed_pictures {
        println!("! {home}: {address} can't be had: {reason}; the next run tries again");
    }
    for (home, reason) in &done.refused {
        println!("! {home}: {reason}");
    }
    let Done { created, changed, archived, fetched, .. } = done;
    println!(
        "{} made, {changed} changed, {archived} archived, {} fetched",
        counted(*created, "home"),
        counted(*fetched, "picture")
    );
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn code(is_whole: bool) -> ExitCode {
    if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
