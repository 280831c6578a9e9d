//! The list of admin calls that the console forwards.

use contracts::closed_set;

closed_set!(
    /// A role that the console monitors.
    Role, "role", {
        Sync = "sync",
        Projections = "projections",
        Query = "query",
        Command = "command",
        Site = "site",
        /// It has no admin calls; only its health is monitored.
        Preview = "preview",
    }
);

impl Role {
    /// Whether the role has the call `/admin/state`. The state of command is in its jobs and metrics.
    pub const fn has_state_call(self) -> bool {
        !matches!(self, Self::Command | Self::Preview)
    }
}

/// Which instances of a role receive a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipients {
    /// One: all have the same data, or only the leader does the work.
    One,
    /// All, since each has or does its own part; the responses are merged.
    All(Merge),
}

/// How the responses of several instances are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The slowest entries of all lists.
    Slowest,
    /// Entries grouped by these fields, with their counts added up; at most this many entries.
    Counts(&'static [&'static str], usize),
    /// The latest time of each position, without the positions that an instance has not reached.
    Latest,
    /// The sum of each numeric member.
    Sum,
}

/// A call that only reads.
#[derive(Clone, Copy, Debug)]
pub struct ReadCall {
    pub name: &'static str,
    pub recipients: Recipients,
    /// The names of its query parameters.
    pub parameters: &'static [&'static str],
}

/// A call that changes something.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    pub name: &'static str,
    pub recipients: Recipients,
    /// The fields of its JSON body; empty if it has no body.
    pub fields: &'static [&'static str],
}

const fn read(name: &'static str) -> ReadCall {
    ReadCall { name, recipients: Recipients::One, parameters: &[] }
}

/// A call that returns when positions of the log were reached.
const fn reached(name: &'static str) -> ReadCall {
    ReadCall { name, recipients: Recipients::All(Merge::Latest), parameters: &["sequences"] }
}

const fn action(name: &'static str, fields: &'static [&'static str]) -> Action {
    Action { name, recipients: Recipients::One, fields }
}

const SLOWEST: Recipients = Recipients::All(Merge::Slowest);

/// The maximum lengths of merged lists: the same as the limits of a single process.
const MAX_SEARCHES: usize = 200;
const MAX_NOT_FOUND: usize = 500;

const SYNC_READS: &[ReadCall] = &[
    read("state"),
    ReadCall { name: "publishes", recipients: Recipients::One, parameters: &["limit", "before"] },
    read("parked"),
    ReadCall {
        name: "parked/item",
        recipients: Recipients::One,
        parameters: &["collection", "key"],
    },
];
const PROJECTIONS_READS: &[ReadCall] = &[
    read("state"),
    ReadCall { name: "applied", recipients: Recipients::One, parameters: &["sequences"] },
    read("dead-letters"),
];
const QUERY_READS: &[ReadCall] = &[
    ReadCall { name: "slow", recipients: SLOWEST, parameters: &[] },
    ReadCall {
        name: "empty-searches",
        recipients: Recipients::All(Merge::Counts(&["query", "locale"], MAX_SEARCHES)),
        parameters: &[],
    },
    reached("indexed"),
];
const SITE_READS: &[ReadCall] = &[
    read("state"),
    ReadCall { name: "slow-renders", recipients: SLOWEST, parameters: &[] },
    ReadCall {
        name: "not-found",
        recipients: Recipients::All(Merge::Counts(&["path"], MAX_NOT_FOUND)),
        parameters: &[],
    },
    reached("purged"),
];
const COMMAND_READS: &[ReadCall] = &[read("jobs"), read("deliveries")];

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
const SITE_ACTIONS: &[Action] = &[Action {
    name: "purge",
    recipients: Recipients::All(Merge::Sum),
    fields: &["tags", "everything"],
}];
const COMMAND_ACTIONS: &[Action] = &[action("jobs/retry", &["ids"])];

/// Returns the read calls of `role`.
const fn read_calls(role: Role) -> &'static [ReadCall] {
    match role {
        Role::Sync => SYNC_READS,
        Role::Projections => PROJECTIONS_READS,
        Role::Query => QUERY_READS,
        Role::Site => SITE_READS,
        Role::Command => COMMAND_READS,
        Role::Preview => &[],
    }
}

/// Returns the actions of `role`.
const fn actions(role: Role) -> &'static [Action] {
    match role {
        Role::Sync => SYNC_ACTIONS,
        Role::Projections => PROJECTIONS_ACTIONS,
        Role::Query | Role::Preview => &[],
        Role::Site => SITE_ACTIONS,
        Role::Command => COMMAND_ACTIONS,
    }
}

/// Finds the read call `name` of `role`.
pub fn find_read_call(role: Role, name: &str) -> Option<ReadCall> {
    read_calls(role).iter().copied().find(|call| call.name == name)
}

/// Finds the action `name` of `role`.
pub fn find_action(role: Role, name: &str) -> Option<Action> {
    actions(role).iter().copied().find(|action| action.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_calls_are_found() {
        assert!(find_read_call(Role::Sync, "publishes").is_some());
        assert!(find_read_call(Role::Sync, "parked/item").is_some());
        assert!(find_action(Role::Sync, "parked/item").is_none());
        assert!(find_action(Role::Site, "purge").is_some());
        for name in ["dead-letters/replay", "dead-letters/drop"] {
            let action = find_action(Role::Projections, name).expect("a call");
            assert_eq!(
                action.fields,
                ["subjects", "upTo"],
                "only the listed ones, none that was added later"
            );
        }
        for name in ["", "..", "metrics", "parked/retry", "state/"] {
            assert!(find_read_call(Role::Sync, name).is_none(), "{name}");
        }
        for name in ["", "state", "parked", "parked/drop/..", "delete"] {
            assert!(find_action(Role::Sync, name).is_none(), "{name}");
        }
        assert!("content-pack".parse::<Role>().is_err());
        assert!(find_read_call(Role::Preview, "state").is_none());
    }
}
