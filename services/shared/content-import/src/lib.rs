//! Brings an agency's homes into the content service, from a Kyero feed or a table.
//!
//! What a feed says becomes [`Listing`]s; [`plan`] compares them with what Directus holds and says what
//! would be done, and [`apply`] does it, one home after the other and each in one transaction. So whatever
//! stops it, the next run does the rest, and the same feed twice changes nothing.
//!
//! With each home Directus keeps a memory of what the feed said last (the field `imported`). A field is
//! written where the feed says something else than it did, and only there: what an editor has changed
//! since stays until the feed changes that field too.

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
    apply::{Done, Progress, apply},
    compare::Change,
    csv::{Mapping, read_csv},
    error::Error,
    kyero::read_kyero,
    listing::{Feed, Listing},
    pictures::{FetchLimits, Fetcher},
    plan::{HomePlan, NewPlace, Options, Plan, Step, plan},
    words::{Kinds, fold},
};
