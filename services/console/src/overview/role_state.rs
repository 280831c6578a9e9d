//! The answer of a role to `/admin/state`.

use admin_answers::{
    projections::ProjectionsState, query::QueryState, site::SiteState, sync::SyncState,
};

use crate::calls::Role;

/// The state that a process reports.
#[derive(Clone, Debug, Default)]
pub enum RoleState {
    /// There is no answer, or it can't be read.
    #[default]
    Unknown,
    Sync(Box<SyncState>),
    Projections(ProjectionsState),
    Query(QueryState),
    Site(SiteState),
}

impl RoleState {
    /// Parses the answer of a process of `role`.
    pub fn parse(role: Role, body: &[u8]) -> Result<Self, serde_json::Error> {
        Ok(match role {
            Role::Sync => Self::Sync(serde_json::from_slice(body)?),
            Role::Projections => Self::Projections(serde_json::from_slice(body)?),
            Role::Query => Self::Query(serde_json::from_slice(body)?),
            Role::Site => Self::Site(serde_json::from_slice(body)?),
            Role::Command | Role::Preview => Self::Unknown,
        })
    }

    pub const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    pub const fn sync(&self) -> Option<&SyncState> {
        if let Self::Sync(state) = self { Some(state) } else { None }
    }

    pub const fn projections(&self) -> Option<&ProjectionsState> {
        if let Self::Projections(state) = self { Some(state) } else { None }
    }

    pub const fn query(&self) -> Option<&QueryState> {
        if let Self::Query(state) = self { Some(state) } else { None }
    }

    pub const fn site(&self) -> Option<&SiteState> {
        if let Self::Site(state) = self { Some(state) } else { None }
    }

    /// Ranks the process: 2 if it runs a long task that an operator started, 1 if it leads, else 0.
    pub const fn rank(&self) -> u8 {
        match self {
            Self::Sync(state) if state.reconcile.running => 2,
            Self::Projections(state) if state.rebuild.running => 2,
            Self::Sync(state) if state.leads => 1,
            _ => 0,
        }
    }
}
