//! Sets up a Directus 12, new or in use, as Almijara needs it: schema, rules, access, flows, bookmarks and
//! dashboard for editors, and texts in both languages.
//!
//! [`plan()`] computes all changes and [`apply`] makes them. Missing parts are added. Existing parts that the
//! code owns (rules, flows) are corrected; all other changes by an administrator stay and are reported.
//! Nothing is deleted unless requested. A second run does nothing.

mod access;
mod client;
mod content;
mod data;
mod environment;
mod error;
mod extensions;
mod fields;
mod figures;
mod flows;
mod licence;
mod model;
mod plan;
mod previews;
mod rows;
mod same;
mod schema;
mod tables;
mod texts;
mod validation;
mod views;

use std::path::PathBuf;

use secrecy::SecretString;
use serde_json::{Value, json};
use url::Url;

pub use self::{
    client::Directus,
    error::Error,
    extensions::{EXTENSIONS, Extension},
    licence::{Allowance, Licence},
    plan::{Change, Plan, VERSION},
    tables::{Column, Table, content_tables},
};
use self::{model::Model, plan::SetupStep, schema::Current};

/// The optional parts of a set-up.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The token with which sync reads content.
    pub content_token: Option<SecretString>,
    /// The token with which enquiries are submitted.
    pub enquiries_token: Option<SecretString>,
    /// The token with which old enquiries are erased.
    pub erase_token: Option<SecretString>,
    /// The token with which the live status is written for editors.
    pub live_status_token: Option<SecretString>,
    /// The token with which drafts are read for previews.
    pub preview_token: Option<SecretString>,
    /// The token with which the operators' console creates redirects.
    pub console_token: Option<SecretString>,
    /// The public URL of the site, where drafts are previewed.
    pub site: Option<Url>,
    /// Whether changes of enquiries are posted to the write side.
    pub posts_enquiry_changes: bool,
    /// An account to create.
    pub editor: Option<Account>,
    /// A folder of sample content.
    pub content: Option<PathBuf>,
    /// Whether changes by an administrator are reset.
    pub overwrite: bool,
}

/// An account for the Studio.
#[derive(Clone, Debug)]
pub struct Account {
    /// The email address.
    pub email: String,
    /// The password.
    pub password: SecretString,
    /// The language of the Studio, for example `es-ES`; the Studio's default if `None`.
    pub language: Option<String>,
}

/// The state of a Directus.
#[derive(Debug)]
pub struct Report {
    /// Its version.
    pub directus: String,
    /// The changes that a set-up would make, and those that it would leave.
    pub plan: Plan,
    /// The limits of its licence.
    pub licence: Licence,
    /// Almijara's extensions that it does not run, with what to do about it.
    pub extensions: Vec<String>,
    /// What its environment lacks, with what follows.
    pub environment: Vec<String>,
}

/// The key of the Studio translation that records the version of the set-up. Nothing displays it.
const VERSION_KEY: &str = "almijara_setup_version";
/// The version that is recorded while a set-up of an empty Directus is unfinished.
const UNFINISHED: u32 = 0;
/// The id of that translation, if this program creates it at the start of a set-up.
const RECORD_ID: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0301";

/// Returns the plan for `directus`, without changing anything.
///
/// # Errors
/// Fails if Directus can't be read, truncates lists, has a conflicting collection, field or relation, has a
/// licence that does not allow the additions, or was set up by a newer program.
pub async fn plan(directus: &Directus, options: &Options) -> Result<Plan, Error> {
    Ok(report(directus, options).await?.plan)
}

/// Returns the complete state of `directus`, without changing anything.
///
/// # Errors
/// As [`plan()`].
pub async fn report(directus: &Directus, options: &Options) -> Result<Report, Error> {
    let info = directus.get("/server/info", &[]).await?;
    let version = licence::check_version(&info)?;
    licence::check_lists(&info)?;
    let (record, before) = version_before(directus).await?;
    let mut model = Model::new()?;
    let site = options.site.as_ref().map(previews::origin_of);
    if let Some(site) = &site {
        model.preview_on(site);
    }
    let content: Vec<String> = model.content().map(str::to_owned).collect();
    let content: Vec<&str> = content.iter().map(String::as_str).collect();
    let current = Current::read(directus).await?;
    let licence = Licence::read(directus, current.tables()).await?;

    let mut plan = Plan::new(before, options.overwrite);
    plan.is_resumed = before.is_none() && record.is_some();
    let has_some = model.collections.iter().any(|collection| current.has(&collection.name));
    let begins = before.is_none() && record.is_none() && !has_some;
    if begins {
        plan.step(SetupStep::Post { path: "/translations", body: version_row(UNFINISHED) });
    }
    let tables = schema::plan(directus, &model, &current, &mut plan).await?;
    let seats = access::plan(directus, &content, options, &mut plan).await?;
    let mut texts = std::mem::take(&mut model.texts);
    views::plan(directus, &mut texts, &mut plan).await?;
    views::words(directus, &texts, &mut plan).await?;
    match &site {
        Some(site) => previews::plan(directus, site, &mut plan).await?,
        None => plan.left_out.push("previews: not checked without SITE_ORIGIN".to_owned()),
    }
    let folder = options.content.as_deref();
    content::languages(directus, &current, folder, &mut plan).await?;
    if let Some(folder) = folder {
        content::plan(directus, &current, folder, &mut plan).await?;
    }
    figures::plan(directus, &current, &mut plan).await?;
    // The flows are planned after the sample content, so that it does not trigger a thousand events.
    let (flows, of_flows) =
        flows::plan(directus, &content, options.posts_enquiry_changes, &mut plan).await?;
    licence.check(&[("collections", tables), ("seats", seats), ("flows", flows)])?;
    if before != Some(VERSION) {
        plan.add(format!("version {VERSION} of the set-up, recorded"));
        let row = record.as_ref().and_then(|record| record["id"].as_str());
        plan.step(record_version(row.or(begins.then_some(RECORD_ID))));
    }
    let extensions = extensions::missing(directus).await?;
    let environment = environment::missing(directus, &of_flows, site.as_deref()).await?;
    Ok(Report { directus: version, plan, licence, extensions, environment })
}

/// Executes the steps of `plan` in order. If it fails half-way, the next run does the rest.
///
/// # Errors
/// Fails if Directus rejects a call or can't be reached.
pub async fn apply(directus: &Directus, plan: &Plan) -> Result<(), Error> {
    for step in &plan.steps {
        match step {
            SetupStep::Schema(snapshot) => schema::apply(directus, snapshot).await?,
            SetupStep::Post { path, body } => {
                directus.post(path, body).await?;
            }
            SetupStep::Patch { path, body } => {
                directus.patch(path, body).await?;
            }
            SetupStep::Delete { path } => {
                directus.delete(path).await?;
            }
            SetupStep::Content { folder, collections, files } => {
                content::apply(directus, folder, collections, *files).await?;
            }
            SetupStep::Flow { id, flow, operation, exists, has_operation } => {
                flows::apply(directus, id, flow, operation, (*exists, *has_operation)).await?;
            }
        }
    }
    Ok(())
}

/// Returns the row that records the version, and the version with which a set-up was last completed.
async fn version_before(directus: &Directus) -> Result<(Option<Value>, Option<u32>), Error> {
    let filter = json!({ "key": { "_eq": VERSION_KEY } }).to_string();
    let mut rows = directus.list("/translations", &[("filter", &filter)]).await?;
    if let Some(record) = rows.pop() {
        let version = record["value"].as_str().and_then(|value| value.parse().ok());
        let found = version.ok_or_else(|| Error::Malformed {
            call: format!("the words {VERSION_KEY}"),
            source: format!("{} is no version of the set-up", record["value"]).into(),
        })?;
        if found > VERSION {
            return Err(Error::SetUpByNewer { found, known: VERSION });
        }
        return Ok((Some(record), (found > UNFINISHED).then_some(found)));
    }
    // The first version did not record itself.
    let filter = json!({ "id": { "_eq": access::FIRST_POLICY } }).to_string();
    let first = directus.list("/policies", &[("fields", "id"), ("filter", &filter)]).await?;
    Ok((None, (!first.is_empty()).then_some(1)))
}

fn record_version(row: Option<&str>) -> SetupStep {
    match row {
        Some(id) => SetupStep::Patch {
            path: format!("/translations/{id}"),
            body: json!({ "value": VERSION.to_string() }),
        },
        None => SetupStep::Post { path: "/translations", body: version_row(VERSION) },
    }
}

fn version_row(version: u32) -> Value {
    json!({ "id": RECORD_ID, "key": VERSION_KEY, "language": "en-US", "value": version.to_string() })
}
