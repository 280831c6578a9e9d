//! Which calls there are.

use std::fmt;

/// A role that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Sync,
    Projections,
    Query,
    Command,
    Site,
    /// It takes no calls: whether it is ready is all that is asked of it.
    Preview,
}

impl Role {
    /// Every one of them, in the order of the flow.
    pub const ALL: [Self; 6] =
        [Self::Sync, Self::Projections, Self::Query, Self::Site, Self::Command, Self::Preview];

    /// As it is called everywhere.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sync => "sync",
            Self::Projections => "projections",
            Self::Query => "query",
            Self::Command => "command",
            Self::Site => "site",
            Self::Preview => "preview",
        }
    }

    /// Whether it answers `/admin/state`. What the write side does is told by its jobs, and by what it
    /// measures.
    pub const fn tells_its_state(self) -> bool {
        !matches!(self, Self::Command | Self::Preview)
    }

    /// The one that is called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What of several instances is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// One: each knows the same, or one alone does the work.
    One,
    /// All, since each knows or does its own part; the answers are made one.
    All(Together),
}

/// How the answers of several are made one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// The slowest of all lists.
    Slowest,
    /// The lists' counts added up by these fields, so many entries at the most.
    Counted(&'static [&'static str], usize),
    /// Of each position the latest moment: what all have done is done.
    Latest,
    /// Each member that is a number, added up.
    Sum,
}

/// A call that looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub name: &'static str,
    pub whom: Whom,
    /// Its parameters.
    pub parameters: &'static [&'static str],
}

/// A call that acts.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    pub name: &'static str,
    pub whom: Whom,
    /// The fields of what is sent; none where nothing is.
    pub fields: &'static [&'static str],
}

const fn look(name: &'static str) -> Look {
    Look { name, whom: Whom::One, parameters: &[] }
}

/// A call that tells when positions of the log were reached.
const fn reached(name: &'static str) -> Look {
    Look { name, whom: Whom::All(Together::Latest), parameters: &["sequences"] }
}

const fn action(name: &'static str, fields: &'static [&'static str]) -> Action {
    Action { name, whom: Whom::One, fields }
}

const SLOWEST: Whom = Whom::All(Together::Slowest);

/// The most entries of a list of what was counted: as each process has.
const MAX_SEARCHES: usize = 200;
const MAX_NOT_FOUND: usize = 500;

const SYNC_LOOKS: &[Look] = &[
    look("state"),
    Look { name: "publishes", whom: Whom::One, parameters: &["limit", "before"] },
    look("parked"),
    Look { name: "parked/item", whom: Whom::One, parameters: &["collection", "key"] },
];
const PROJECTIONS_LOOKS: &[Look] = &[
    look("state"),
    Look { name: "applied", whom: Whom::One, parameters: &["sequences"] },
    look("dead-letters"),
];
const QUERY_LOOKS: &[Look] = &[
    Look { name: "slow", whom: SLOWEST, parameters: &[] },
    Look {
        name: "empty-searches",
        whom: Whom::All(Together::Counted(&["query", "locale"], MAX_SEARCHES)),
        parameters: &[],
    },
    reached("indexed"),
];
const SITE_LOOKS: &[Look] = &[
    look("state"),
    Look { name: "slow-renders", whom: SLOWEST, parameters: &[] },
    Look {
        name: "not-found",
        whom: Whom::All(Together::Counted(&["path"], MAX_NOT_FOUND)),
        parameters: &[],
    },
    reached("purged"),
];
const COMMAND_LOOKS: &[Look] = &[look("jobs"), look("deliveries")];

const SYNC_ACTIONS: &[Action] = &[
    action("parked/retry", &["items", "hints"]),
    action("parked/drop", &["hints"]),
    action("reconcile", &["allowMassRemoval"]),
    action("pause", &["what"]),
    action("resume", &["what"]),
];
const PROJECTIONS_ACTIONS: &[Action] = &[
    action("dead-letters/replay", &["subjects", "upTo"]),
    action("dead-letters/drop", &["subjects", "upTo"]),
    action("rebuild", &[]),
    action("swap-back", &[]),
    action("pause", &[]),
    action("resume", &[]),
];
const SITE_ACTIONS: &[Action] =
    &[Action { name: "purge", whom: Whom::All(Together::Sum), fields: &["tags", "everything"] }];
const COMMAND_ACTIONS: &[Action] = &[action("jobs/retry", &["ids"])];

/// The calls of `role` that look.
const fn looks(role: Role) -> &'static [Look] {
    match role {
        Role::Sync => SYNC_LOOKS,
        Role::Projections => PROJECTIONS_LOOKS,
        Role::Query => QUERY_LOOKS,
        Role::Site => SITE_LOOKS,
        Role::Command => COMMAND_LOOKS,
        Role::Preview => &[],
    }
}

/// The calls of `role` that act.
const fn actions(role: Role) -> &'static [Action] {
    match role {
        Role::Sync => SYNC_ACTIONS,
        Role::Projections => PROJECTIONS_ACTIONS,
        Role::Query | Role::Preview => &[],
        Role::Site => SITE_ACTIONS,
        Role::Command => COMMAND_ACTIONS,
    }
}

/// The call of `role` that looks and is called `name`.
pub fn look_named(role: Role, name: &str) -> Option<Look> {
    looks(role).iter().copied().find(|look| look.name == name)
}

/// The call of `role` that acts and is called `name`.
pub fn action_named(role: Role, name: &str) -> Option<Action> {
    actions(role).iter().copied().find(|action| action.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_listed_is_a_call() {
        assert!(look_named(Role::Sync, "publishes").is_some());
        assert!(look_named(Role::Sync, "parked/item").is_some());
        assert!(action_named(Role::Sync, "parked/item").is_none());
        assert!(action_named(Role::Site, "purge").is_some());
        for name in ["dead-letters/replay", "dead-letters/drop"] {
            let action = action_named(Role::Projections, name).expect("a call");
            assert_eq!(action.fields, ["subjects", "upTo"], "those of a list, and no later one");
        }
        for name in ["", "..", "metrics", "parked/retry", "state/"] {
            assert!(look_named(Role::Sync, name).is_none(), "{name}");
        }
        for name in ["", "state", "parked", "parked/drop/..", "delete"] {
            assert!(action_named(Role::Sync, name).is_none(), "{name}");
        }
        assert!(Role::ALL.into_iter().all(|role| Role::named(role.name()) == Some(role)));
        assert_eq!(Role::named("content-pack"), None);
        assert!(look_named(Role::Preview, "state").is_none());
    }
}
