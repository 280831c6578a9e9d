//! `almijara directus`: sets up a Directus for Almijara, and reports what it lacks.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use directus_setup::{Account, Change, Directus, EXTENSIONS, Options, Report};
use secrecy::SecretString;
use url::Url;

/// How long Directus may take to answer after its start.
const READY_LIMIT: Duration = Duration::from_mins(3);

/// What to do with a Directus.
#[derive(Clone, Debug, Subcommand)]
pub enum DirectusCommand {
    /// Sets up a Directus, new or in use, for Almijara. A second run changes nothing.
    Init(InitArgs),
    /// Reports what a Directus lacks, what differs, and how much of its licence is used.
    Doctor(DirectusArgs),
    /// Writes the extensions that Almijara needs into a folder, the `EXTENSIONS_PATH` of Directus.
    Extensions {
        /// The folder to write to.
        folder: PathBuf,
    },
}

/// Which Directus, and what is wanted of it.
#[derive(Clone, Debug, Args)]
pub struct DirectusArgs {
    /// The address of Directus.
    #[arg(long, env = "DIRECTUS_URL")]
    directus_url: Url,
    /// The token of an administrator of Directus.
    #[arg(long, env = "DIRECTUS_ADMIN_TOKEN", hide_env_values = true)]
    admin_token: SecretString,
    /// The token with which sync reads content.
    #[arg(long, env = "CONTENT_TOKEN", hide_env_values = true)]
    content_token: Option<SecretString>,
    /// The token with which command creates enquiries.
    #[arg(long, env = "ENQUIRIES_TOKEN", hide_env_values = true)]
    enquiries_token: Option<SecretString>,
    /// The token with which command deletes old enquiries.
    #[arg(long, env = "ENQUIRIES_ERASE_TOKEN", hide_env_values = true)]
    erase_token: Option<SecretString>,
    /// The token with which sync reports to editors what is live on the site.
    #[arg(long, env = "LIVE_STATUS_TOKEN", hide_env_values = true)]
    live_status_token: Option<SecretString>,
    /// The token with which preview reads drafts.
    #[arg(long, env = "PREVIEW_TOKEN", hide_env_values = true)]
    preview_token: Option<SecretString>,
    /// The token with which the console creates redirects.
    #[arg(long, env = "CONSOLE_CONTENT_TOKEN", hide_env_values = true)]
    console_token: Option<SecretString>,
    /// The public address of the site. If it is given, the Studio shows previews of drafts there.
    #[arg(long, env = "SITE_ORIGIN", value_parser = runtime::site_url)]
    site: Option<Url>,
    /// The address to which changes of enquiries are posted; set it for Directus, too. The flow that
    /// posts them is set up only if this is given.
    #[arg(long, env = "ENQUIRIES_URL")]
    enquiries_url: Option<Url>,
}

/// What `almijara directus init` takes.
#[derive(Clone, Debug, Args)]
pub struct InitArgs {
    #[command(flatten)]
    directus: DirectusArgs,
    /// Only list what would be changed.
    #[arg(long)]
    dry_run: bool,
    /// Also reset what an administrator has changed, and remove permissions that were added to
    /// Almijara's policies.
    #[arg(long)]
    overwrite: bool,
    /// A folder of sample content, which is added to empty collections.
    #[arg(long, env = "CONTENT_DIR")]
    content_dir: Option<PathBuf>,
    /// The mail address of an editor. The account is created if it does not exist.
    #[arg(long, env = "EDITOR_EMAIL", requires = "editor_password")]
    editor_email: Option<String>,
    /// The editor's first password.
    #[arg(long, env = "EDITOR_PASSWORD", hide_env_values = true)]
    editor_password: Option<SecretString>,
    /// The editor's language in the Studio, such as `en-GB` or `es-ES`.
    #[arg(long, env = "EDITOR_LANGUAGE")]
    editor_language: Option<String>,
}

impl DirectusArgs {
    fn client(&self) -> Result<Directus> {
        Ok(Directus::new(self.directus_url.clone(), self.admin_token.clone())?)
    }

    fn options(&self) -> Options {
        Options {
            content_token: self.content_token.clone(),
            enquiries_token: self.enquiries_token.clone(),
            erase_token: self.erase_token.clone(),
            live_status_token: self.live_status_token.clone(),
            preview_token: self.preview_token.clone(),
            console_token: self.console_token.clone(),
            site: self.site.clone(),
            posts_enquiry_changes: self.enquiries_url.is_some(),
            ..Options::default()
        }
    }
}

/// Runs `command` to its end.
pub async fn directus(command: DirectusCommand) -> Result<ExitCode> {
    match command {
        DirectusCommand::Init(args) => init(args).await?,
        DirectusCommand::Doctor(args) => return doctor(&args).await,
        DirectusCommand::Extensions { folder } => extensions(&folder)?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn init(args: InitArgs) -> Result<()> {
    let directus = args.directus.client()?;
    directus.wait_until_ready(READY_LIMIT).await?;
    let editor = args.editor_email.zip(args.editor_password).map(|(email, password)| Account {
        email,
        password,
        language: args.editor_language,
    });
    let options = Options {
        editor,
        content: args.content_dir,
        overwrite: args.overwrite,
        ..args.directus.options()
    };
    let report = directus_setup::report(&directus, &options).await?;
    print!("{}", report_text(&report));
    if args.dry_run {
        println!("nothing was changed");
    } else if report.plan.is_empty() {
        println!("nothing to do");
    } else {
        directus_setup::apply(&directus, &report.plan)
            .await
            .context("the changes made so far are kept; run it again to make the rest")?;
        println!("{} changes made", report.plan.changes.len());
    }
    Ok(())
}

async fn doctor(args: &DirectusArgs) -> Result<ExitCode> {
    let directus = args.client()?;
    let report = directus_setup::report(&directus, &args.options()).await?;
    print!("{}", report_text(&report));
    println!("licence {}:", report.licence.name);
    for allowance in &report.licence.allowances {
        println!("  {allowance}");
    }
    let is_ok = report.plan.is_empty()
        && report.extensions.is_empty()
        && report.environment.is_empty()
        && !report.licence.is_exceeded();
    if is_ok {
        let is_complete = report.plan.left_out.is_empty();
        println!("{}", if is_complete { "all is well" } else { "all that was checked is well" });
        return Ok(ExitCode::SUCCESS);
    }
    if !report.plan.is_empty() {
        println!("`almijara directus init` would make {} changes", report.plan.changes.len());
    }
    Ok(ExitCode::FAILURE)
}

fn extensions(folder: &std::path::Path) -> Result<()> {
    for extension in &EXTENSIONS {
        extension
            .write(folder)
            .with_context(|| format!("writing {} into {}", extension.name, folder.display()))?;
        println!("{}/{}: {}", folder.display(), extension.name, extension.purpose);
    }
    println!("Directus reads them when it starts");
    Ok(())
}

/// Returns the report as text, a line for each finding.
fn report_text(report: &Report) -> String {
    let plan = &report.plan;
    let before = match plan.before {
        None => "was not set up before".to_owned(),
        Some(version) if version < directus_setup::VERSION => format!(
            "was set up by version {version}; this is version {}, with these changes:",
            directus_setup::VERSION
        ),
        Some(version) => format!("was set up by version {version}"),
    };
    let mut lines = vec![format!("Directus {} {before}", report.directus)];
    lines.extend(plan.changes.iter().map(ToString::to_string));
    if !plan.kept.is_empty() {
        lines.push("kept as an administrator changed it (--overwrite resets it):".to_owned());
        let kept = plan.kept.iter().map(|change| match change {
            Change::Remove(what) => format!("  {what}"),
            Change::Add(_) | Change::Set { .. } => format!("  {change}"),
        });
        lines.extend(kept);
    }
    lines.extend(report.extensions.iter().map(|missing| format!("extension {missing}")));
    lines.extend(report.environment.iter().map(|lack| format!("environment of Directus: {lack}")));
    if !plan.left_out.is_empty() {
        lines.push("left out:".to_owned());
        lines.extend(plan.left_out.iter().map(|what| format!("  {what}")));
    }
    lines.push(String::new());
    lines.join("\n")
}
