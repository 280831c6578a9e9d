//! Brings a Directus 12, new or in use, to what Almijara needs: schema, rules, access, flows, what
//! editors find ready, and the words of both languages.
//!
//! Everything is looked at first ([`plan`]) and done then ([`apply`]). What is missing is added. Of what
//! is there, what belongs to the code (rules, flows) is set right; whatever else an administrator has
//! made otherwise stays and is told. Nothing is deleted that was not asked for. A second run does
//! nothing.

mod access;
mod client;
mod content;
mod data;
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
};
use self::{model::Model, plan::Step, schema::Current};

/// What is wanted beside what every Directus gets.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The token by which sync reads content.
    pub content_token: Option<SecretString>,
    /// The token by which enquiries are handed in.
    pub enquiries_token: Option<SecretString>,
    /// The token by which old enquiries are erased.
    pub erase_token: Option<SecretString>,
    /// The token by which editors are told what is live on the site.
    pub live_status_token: Option<SecretString>,
    /// The token by which drafts are read for previews.
    pub preview_token: Option<SecretString>,
    /// The token by which the operators' console makes redirects.
    pub console_token: Option<SecretString>,
    /// Where browsers find the site: drafts are previewed there.
    pub site: Option<Url>,
    /// Whether the write side is told of what becomes of enquiries.
    pub tells_of_enquiries: bool,
    /// Somebody who signs in.
    pub editor: Option<Account>,
    /// A folder of sample content.
    pub content: Option<PathBuf>,
    /// Whether what an administrator made otherwise is set back.
    pub overwrite: bool,
}

/// Somebody who signs in to the Studio.
#[derive(Clone, Debug)]
pub struct Account {
    /// By this address.
    pub email: String,
    /// With this password.
    pub password: SecretString,
    /// In this language of the Studio, `es-ES` say; the Studio's own where none is given.
    pub language: Option<String>,
}

/// What a Directus is like.
#[derive(Debug)]
pub struct Report {
    /// Its version.
    pub directus: String,
    /// What a set-up would do, and what it would leave.
    pub plan: Plan,
    /// What its licence allows.
    pub licence: Licence,
    /// Extensions of ours that it does not run, with what to do about it.
    pub extensions: Vec<String>,
}

/// Where the version of the set-up is recorded: a word of the Studio that nothing shows.
const VERSION_KEY: &str = "almijara_setup_version";
/// What stands there from the beginning of a set-up in an empty Directus to its end.
const BEGUN: u32 = 0;
/// The row of it, where it is ours from the beginning.
const RECORD: &str = "5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0301";

/// Looks at `directus`, and changes nothing.
///
/// # Errors
/// Where it can't be looked at, where it shortens lists, where something of another kind is in the
/// way, where its licence has no room, or where a newer program set it up.
pub async fn plan(directus: &Directus, options: &Options) -> Result<Plan, Error> {
    Ok(report(directus, options).await?.plan)
}

/// Looks at `directus` whole, and changes nothing.
///
/// # Errors
/// As [`plan`].
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
        plan.step(Step::Post { path: "/translations", body: row_of(BEGUN) });
    }
    let tables = schema::plan(directus, &model, &current, &mut plan).await?;
    let seats = access::plan(directus, &content, options, &mut plan).await?;
    let mut texts = std::mem::take(&mut model.texts);
    views::plan(directus, &mut texts, &mut plan).await?;
    views::words(directus, &texts, &mut plan).await?;
    if let Some(site) = &site {
        previews::plan(directus, site, &mut plan).await?;
    }
    let folder = options.content.as_deref();
    content::languages(directus, &current, folder, &mut plan).await?;
    if let Some(folder) = folder {
        content::plan(directus, &current, folder, &mut plan).await?;
    }
    figures::plan(directus, &current, &mut plan).await?;
    // After the sample content, so that it does not go out as a thousand events.
    let flows = flows::plan(directus, &content, options.tells_of_enquiries, &mut plan).await?;
    licence.check(&[("collections", tables), ("seats", seats), ("flows", flows)])?;
    if before != Some(VERSION) {
        plan.add(format!("version {VERSION} of the set-up, recorded"));
        let row = record.as_ref().and_then(|record| record["id"].as_str());
        plan.step(recorded(row.or(begins.then_some(RECORD))));
    }
    let extensions = extensions::missing(directus).await?;
    Ok(Report { directus: version, plan, licence, extensions })
}

/// Does what `plan` says, in its order. Where it fails half-way, the next run does the rest.
///
/// # Errors
/// Where Directus refuses something or can't be reached.
pub async fn apply(directus: &Directus, plan: &Plan) -> Result<(), Error> {
    for step in &plan.steps {
        match step {
            Step::Schema(snapshot) => schema::apply(directus, snapshot).await?,
            Step::Post { path, body } => {
                directus.post(path, body).await?;
            }
            Step::Patch { path, body } => {
                directus.patch(path, body).await?;
            }
            Step::Delete { path } => {
                directus.delete(path).await?;
            }
            Step::Content { folder, collections, files } => {
                content::apply(directus, folder, collections, *files).await?;
            }
            Step::Flow { id, flow, operation, is_there, has_operation } => {
                flows::apply(directus, id, flow, operation, (*is_there, *has_operation)).await?;
            }
        }
    }
    Ok(())
}

/// The row that records it, and the version by which a Directus was set up to the end.
async fn version_before(directus: &Directus) -> Result<(Option<Value>, Option<u32>), Error> {
    let filter = json!({ "key": { "_eq": VERSION_KEY } }).to_string();
    let mut rows = directus.list("/translations", &[("filter", &filter)]).await?;
    if let Some(record) = rows.pop() {
        let version = record["value"].as_str().and_then(|value| value.parse().ok());
        let found = version.ok_or_else(|| Error::Malformed {
            call: format!("the words {VERSION_KEY}"),
            reason: format!("{} is no version of the set-up", record["value"]),
        })?;
        if found > VERSION {
            return Err(Error::SetUpByNewer { found, known: VERSION });
        }
        return Ok((Some(record), (found > BEGUN).then_some(found)));
    }
    // The first version recorded nothing.
    let filter = json!({ "id": { "_eq": access::FIRST_POLICY } }).to_string();
    let first = directus.list("/policies", &[("fields", "id"), ("filter", &filter)]).await?;
    Ok((None, (!first.is_empty()).then_some(1)))
}

fn recorded(row: Option<&str>) -> Step {
    match row {
        Some(id) => Step::Patch {
            path: format!("/translations/{id}"),
            body: json!({ "value": VERSION.to_string() }),
        },
        None => Step::Post { path: "/translations", body: row_of(VERSION) },
    }
}

fn row_of(version: u32) -> Value {
    json!({ "id": RECORD, "key": VERSION_KEY, "language": "en-US", "value": version.to_string() })
}
