//! The change feed: the server-sent events of `GET /api/changes`. The query service sends it; the site
//! follows it, and forwards it to open pages.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Sequence, Tag, closed_set};

closed_set!(
    /// The kinds of events. All but [`FeedEvent::Heartbeat`] have an id, from which a client can resume the
    /// stream.
    FeedEvent, "kind of event", {
        /// The first event of a new stream: the changes after this position follow. Its data is [`PositionEvent`].
        Hello = "hello",
        /// All missed changes up to this position have been sent. Its data is [`PositionEvent`].
        Resumed = "resumed",
        /// The missed changes are no longer known, so anything may have changed. Its data is [`PositionEvent`].
        Reset = "reset",
        /// A change. Its data is [`Changed`].
        Changed = "changed",
        /// The state of the query service. Its data is [`Heartbeat`].
        Heartbeat = "heartbeat",
    }
);

/// A position of the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionEvent {
    /// The position of the log.
    pub sequence: Sequence,
}

/// A change of published content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// The position from which the read models include it.
    pub sequence: Sequence,
    /// The tags of what it affects.
    pub tags: BTreeSet<String>,
    /// The trace that it belongs to.
    pub traceparent: Option<String>,
    /// When it was captured, by the ledger's clock; `None` if that is no longer known.
    #[serde(default)]
    pub captured_at: Option<DateTime<Utc>>,
}

/// Returns those of a change's `tags` that identify the changed item itself, without the tags of lists
/// that include it and of the place of a home.
pub fn own_tags(tags: &BTreeSet<String>) -> BTreeSet<&str> {
    let parsed = || tags.iter().filter_map(|text| Some((text.as_str(), text.parse().ok()?)));
    let homes = |(text, tag): (_, Tag)| matches!(tag, Tag::Property(_)).then_some(text);
    let homes: BTreeSet<_> = parsed().filter_map(homes).collect();
    if !homes.is_empty() {
        return homes;
    }
    parsed().filter_map(|(text, tag)| (!tag.is_list()).then_some(text)).collect()
}

/// The health of the query service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The checks that are not ready, each with its reason.
    pub failing: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_tags_exclude_lists_and_the_place_of_a_home() {
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
