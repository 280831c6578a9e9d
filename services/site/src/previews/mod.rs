//! Previews of drafts, for editors.

pub mod language;
pub mod preview;
mod query;
mod staging;
