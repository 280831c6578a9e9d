//! The change feed: what `GET /api/changes` tells, as server-sent events. The query service tells it;
//! the site follows it, and hands it on to open pages.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::Sequence;

/// The kinds of events. All but [`FeedEvent::Heartbeat`] have an id, by which a stream goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedEvent {
    /// The first of a new stream, with [`At`]: what comes is what changes from here on.
    Hello,
    /// What was missed has been told up to here: [`At`].
    Resumed,
    /// What was missed is not known any more, so that everything may have changed: [`At`].
    Reset,
    /// [`Changed`].
    Changed,
    /// [`Heartbeat`].
    Heartbeat,
}

impl FeedEvent {
    const ALL: [Self; 5] =
        [Self::Hello, Self::Resumed, Self::Reset, Self::Changed, Self::Heartbeat];

    /// Its name in the stream.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::Resumed => "resumed",
            Self::Reset => "reset",
            Self::Changed => "changed",
            Self::Heartbeat => "heartbeat",
        }
    }

    /// The kind of this `name`; none for one of a later build.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}

/// A position of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// Of the log.
    pub sequence: Sequence,
}

/// A change of what is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// The position that the read models have it from.
    pub sequence: Sequence,
    /// The tags of what it touches.
    pub tags: BTreeSet<String>,
    /// The trace that it is part of.
    pub traceparent: Option<String>,
}

/// How the query service is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// What is not ready, with the reason.
    pub failing: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_is_found_by_its_name() {
        for event in FeedEvent::ALL {
            assert_eq!(FeedEvent::named(event.name()), Some(event));
        }
        assert_eq!(FeedEvent::named("of-a-later-build"), None);
    }
}
