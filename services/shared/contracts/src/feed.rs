//! The change feed: what `GET /api/changes` tells, as server-sent events. The query service tells it;
//! the site follows it, and hands it on to open pages.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Sequence, Tag};

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
    /// When it was captured, by the ledger's clock; none where that is not known any more.
    #[serde(default)]
    pub captured_at: Option<DateTime<Utc>>,
}

/// Those of a change's `tags` by which what shows the very thing that changed is told from what only
/// lists such things, or shows the place that it is at.
pub fn own_tags(tags: &BTreeSet<String>) -> BTreeSet<&str> {
    let read = || tags.iter().filter_map(|text| Some((text.as_str(), text.parse().ok()?)));
    let homes = |(text, tag): (_, Tag)| matches!(tag, Tag::Property(_)).then_some(text);
    let homes: BTreeSet<_> = read().filter_map(homes).collect();
    if !homes.is_empty() {
        return homes;
    }
    read().filter_map(|(text, tag)| (!tag.is_list()).then_some(text)).collect()
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

    #[test]
    fn a_change_has_tags_of_its_own_and_tags_of_what_it_is_part_of() {
        for (tags, own) in [
            (&["list:properties", "location:nerja", "property:A"][..], &["property:A"][..]),
            (&["list:locations", "location:nerja"], &["location:nerja"]),
            (&["article:a", "list:articles"], &["article:a"]),
            (&["team"], &["team"]),
            (&["of a later build"], &[]),
        ] {
            let tags: BTreeSet<_> = tags.iter().map(ToString::to_string).collect();
            assert_eq!(own_tags(&tags), own.iter().copied().collect(), "{tags:?}");
        }
    }
}
