//! Imports an agency's homes into the content service, from a Kyero feed or a table.
//!
//! A feed is read as [`Listing`]s. [`plan()`] compares them with Directus and says what would be done, and
//! [`apply()`] does it, home by home, each in one transaction. So if an import is interrupted, the next
//! run does the rest, and importing the same feed twice changes nothing.
//!
//! With each home, Directus stores a memory of the feed's last values (the field `imported`). A field is
//! written only if the feed's value has changed since: an editor's change stays until the feed changes that
//! field too.

mod apply;
mod checks;
mod compare;
mod csv;
mod decode;
mod error;
mod kyero;
mod listing;
mod memory;
mod numbers;
mod pictures;
mod places;
mod plan;
mod report;
mod store;
mod texts;
mod titles;
mod words;

pub use self::{
    apply::{Outcome, Progress, apply},
    compare::Change,
    csv::{Mapping, read_csv},
    error::Error,
    kyero::read_kyero,
    listing::{Feed, Listing},
    pictures::{FetchLimits, Fetcher},
    plan::{HomePlan, HomeStep, NewPlace, Options, Plan, plan},
    report::counted,
    words::{Kinds, fold},
};
