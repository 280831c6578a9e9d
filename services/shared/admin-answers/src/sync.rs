//! The answers of sync.

use chrono::{DateTime, Utc};
use contracts::{Collection, Locale, Violation, rules::OtherRule};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The state of the role.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncState {
    /// The ledger's id; `None` before a relay led for the first time.
    #[schema(value_type = Option<String>)]
    pub ledger: Option<Uuid>,
    /// The current epoch.
    pub epoch: Option<u32>,
    /// Whether this process's relay is the leader.
    pub leads: bool,
    /// The log; `None` while NATS is unreachable, and if there is no stream.
    pub stream: Option<StreamState>,
    /// The versions that wait to be published.
    pub outbox: OutboxState,
    /// The hints that wait to be resolved.
    pub inbox: InboxState,
    /// The items that wait to be read.
    pub dirty: DirtyState,
    /// The circuit breaker for the content service.
    pub breaker: BreakerState,
    /// What an operator has paused.
    pub paused: PausedSteps,
    /// The comparison of everything that was last requested from this process.
    pub reconcile: ReconcileProgress,
    /// The tasks that currently fail.
    pub troubles: Vec<Trouble>,
}

/// The stream that is the log.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreamState {
    /// The number of its messages.
    pub messages: u64,
    /// Their size.
    pub bytes: u64,
    /// The number of the last one.
    pub last_sequence: u64,
}

/// The versions that wait to be published.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutboxState {
    /// New versions.
    pub fresh: i64,
    /// Versions that are published again into a new stream.
    pub refill: i64,
}

/// The hints that wait to be resolved.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxState {
    /// Their number.
    pub unresolved: i64,
    /// The age of the oldest of them.
    pub oldest_seconds: Option<f64>,
}

/// The items that wait to be read.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DirtyState {
    /// Their number.
    pub count: i64,
    /// The time since the first of them was due; a failure postpones an item.
    pub oldest_seconds: Option<f64>,
}

/// A circuit breaker. Open means that requests are suspended after failures.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BreakerState {
    /// Whether it is open.
    pub open: bool,
    /// Why it is open.
    pub reason: Option<String>,
}

/// The steps that an operator can pause.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PausedSteps {
    /// Whether reading what was hinted at is paused.
    pub capture: bool,
    /// Whether publishing what was recorded is paused.
    pub relay: bool,
}

/// The progress of a comparison of everything.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReconcileProgress {
    /// Whether it is running.
    pub running: bool,
    /// When it started.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// The number of items compared.
    pub seen: usize,
    /// How many of them differed.
    pub differing: usize,
    /// How many were missing in the content service.
    pub missing: usize,
    /// Why some collections could not be compared.
    pub error: Option<String>,
}

/// A task on a collection that currently fails.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trouble {
    /// The collection.
    pub collection: String,
    /// The name of the task.
    pub task: String,
    /// Since when it fails.
    pub since: DateTime<Utc>,
    /// Why it fails.
    pub reason: String,
}

/// A page of publishes, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Publishes {
    /// The publishes.
    pub items: Vec<Publish>,
    /// The value of `before` for the next page; none on the last page.
    pub next: Option<i64>,
}

/// A version, and what became of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Publish {
    /// Its number, in ascending order of time.
    pub id: i64,
    /// The item's collection.
    pub collection: String,
    /// Its key there.
    pub key: String,
    /// The version.
    pub version: i64,
    /// `upserted` or `removed`.
    pub change: String,
    /// The name that visitors know it by; none for a removal.
    pub title: Option<String>,
    /// When the webhook for it arrived; none if it was found without one.
    pub hinted_at: Option<DateTime<Utc>>,
    /// When it was recorded.
    pub captured_at: DateTime<Utc>,
    /// When the log first accepted it.
    pub published_at: Option<DateTime<Utc>>,
    /// Its position in the log; none while it waits.
    pub sequence: Option<i64>,
    /// Why the log rejects it.
    pub refused: Option<String>,
    /// The trace of its publish.
    pub trace_id: Option<String>,
    /// Whether a newer version was recorded that the log does not reject: the site will show that one.
    #[serde(default)]
    pub overtaken: bool,
    /// None if the site was not seen to show it.
    pub live: Option<Live>,
}

/// Where the site shows a version.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Live {
    /// Since when.
    pub since: Option<DateTime<Utc>>,
    /// From the webhook until then.
    pub milliseconds: Option<i64>,
    /// The addresses of its pages.
    pub addresses: Vec<String>,
}

/// Everything that waits for a correction.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParkedList {
    /// Items that can't be recorded.
    pub items: Vec<ListedItem>,
    /// Hints that can't be resolved.
    pub hints: Vec<UnresolvedHint>,
    /// Items that the site shows without a picture that they name.
    pub left_out: Vec<WithoutPicture>,
    /// Versions that the log can't take.
    pub refused: Vec<RefusedVersion>,
}

/// An item that can't be recorded, beside what the site shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedItem {
    /// The item.
    #[serde(flatten)]
    pub item: ParkedItem,
    /// The fields that break a rule; none about a person.
    pub differences: Vec<ParkedDifference>,
}

/// A field that keeps an item from being recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParkedDifference {
    /// Its name in the content service.
    pub field: String,
    /// Its value as JSON, shortened.
    pub parked: String,
    /// Its value in the version that the site shows; none if there is no such version or it lacks the
    /// field.
    pub last_good: Option<String>,
}

/// An item that can't be recorded as it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParkedItem {
    /// Its collection.
    pub collection: String,
    /// Its key there.
    pub key: String,
    /// The rules that it breaks.
    pub violations: Vec<Violation>,
    /// Since when it is parked.
    pub first_at: DateTime<Utc>,
    /// When it was last read.
    pub last_at: DateTime<Utc>,
    /// How many reads in a row found it like this.
    pub tries: i32,
    /// When it is read again, unless a hint comes before.
    pub next_try: Option<DateTime<Utc>>,
    /// The trace of the change that caused this, or else of the read that found it.
    pub trace_id: Option<String>,
}

impl ParkedItem {
    /// Returns whether it is about a person. The values of its fields are then only for those who manage
    /// the content.
    pub fn is_of_a_person(&self) -> bool {
        self.collection == Collection::Team.name()
    }

    /// Returns whether its only violation is a publication day in the future: that is planned, not a
    /// mistake.
    pub fn awaits_publication_day(&self) -> bool {
        let future_day = OtherRule::FutureDay.words_in(Locale::En);
        matches!(self.violations.as_slice(), [only] if only.rule == future_day)
    }
}

/// A hint that can't be resolved into aggregates.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnresolvedHint {
    /// Its id.
    pub id: i64,
    /// The collection that it is about.
    pub collection: String,
    /// The keys; none for the whole collection.
    pub keys: Vec<String>,
    /// Why it can't be resolved.
    pub failure: String,
    /// When it was received.
    pub received_at: DateTime<Utc>,
    /// The number of failed attempts.
    pub tries: i32,
    /// When it is tried again.
    pub next_try: DateTime<Utc>,
}

/// An item that the site shows without one or more of its pictures.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithoutPicture {
    /// Its collection.
    pub collection: String,
    /// Its key there.
    pub key: String,
    /// The fields whose files can't be shown.
    pub pictures: Vec<Violation>,
    /// Since when it is shown without one of its pictures.
    pub since: DateTime<Utc>,
}

/// A recorded version that the log rejects, and that no later version has replaced. The site shows the
/// last version before it that the log accepted. It is retried whenever the stream is rebuilt, since a
/// later build may be able to publish it; if that fails again, the stream gets the version before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedVersion {
    /// The aggregate's collection.
    pub collection: String,
    /// Its key there.
    pub key: String,
    /// The version.
    pub version: i64,
    /// Why the log rejects it.
    pub reason: String,
    /// When it was recorded.
    pub since: DateTime<Utc>,
}

/// A parked item beside its last good version.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParkedComparison {
    /// The fields that differ; those that break a rule come first.
    pub fields: Vec<ComparedField>,
    /// The number of further fields that differ.
    pub more: usize,
    /// Whether the complete item could be compared, and not only the fields that break a rule.
    pub whole: bool,
    /// Whether it is about a person: then its values are withheld.
    pub personal: bool,
}

/// A field that breaks a rule, or whose value has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedField {
    /// Its name in the content service.
    pub field: String,
    /// Its value as JSON, shortened; none if it is null.
    pub now: Option<String>,
    /// Its value in the version that the site shows.
    pub last_good: Option<String>,
    /// Whether it breaks a rule.
    pub broken: bool,
}
