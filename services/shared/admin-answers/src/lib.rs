//! The answers of the roles' admin calls. The roles make them; the console reads the states, and forwards
//! all others to its pages, whose TypeScript types are generated from these types.
//!
//! The console and the roles may be of different builds. Unknown fields are ignored. A field that older
//! builds don't send is no `Option` and has `#[serde(default)]`, which makes it optional in TypeScript.
//! `tests/golden/` has the states that older builds send. A state that can't be read all the same is shown
//! as unknown, with the reason, and not as one without work.

pub mod actions;
pub mod checks;
pub mod command;
pub mod projections;
pub mod query;
pub mod site;
pub mod sync;
