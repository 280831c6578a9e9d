//! Forwards admin calls to the roles: only those that are listed here. Actions need a caller who may
//! act, and are recorded in the audit trail before and after.

mod forward;
mod list;
mod merge;
mod roles;

pub(crate) use forward::{act, read};
pub(crate) use list::Role;
pub(crate) use roles::{Instance, RoleResponse, Roles};
