//! The admin calls of the roles, as the console hands them on: those that are listed here and no other,
//! what acts only for who may act, and with a line of the audit trail before and after.

mod ask;
mod list;
mod merge;
mod pass;

pub(crate) use ask::{Asked, Instance, Roles};
pub(crate) use list::Role;
pub(crate) use pass::{act, look};
