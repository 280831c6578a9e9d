//! The errors of planning and applying an import.

use std::error::Error as StdError;

/// What is wrong with an input.
type Cause = Box<dyn StdError + Send + Sync>;

/// Why an import fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or an address can't be read.
    #[error("{what} can't be read")]
    Unreadable {
        /// The file or address.
        what: String,
        /// Why.
        source: Cause,
    },
    /// What was read is not a valid feed.
    #[error("{at} can't be understood")]
    NotAFeed {
        /// Where in it.
        at: String,
        /// What is wrong there.
        source: Cause,
    },
    /// The mapping of a table can't be used.
    #[error("the mapping can't be used")]
    Mapping(#[source] Cause),
    /// So many homes would be archived that the feed is more likely wrong.
    #[error(
        "{gone} of {all} homes of this source have left the feed, which is more than a fifth: \
         nothing was done; --allow-mass-removal archives them"
    )]
    TooManyGone {
        /// How many are not in it.
        gone: usize,
        /// How many there were.
        all: usize,
    },
    /// So many homes would lose their pictures that the feed is more likely wrong.
    #[error(
        "{without} of {all} homes of this source that show the feed's pictures no longer have any in it, \
         which is more than a fifth: nothing was done; --allow-mass-removal removes them"
    )]
    TooManyWithoutPictures {
        /// How many have none in it.
        without: usize,
        /// How many show some.
        all: usize,
    },
    /// A call to Directus failed.
    #[error(transparent)]
    Directus(#[from] directus_setup::Error),
    /// Directus lacks the field that stores the memory of an import.
    #[error("this Directus lacks the field `imported`: run `almijara directus init` first")]
    NotSetUp,
}

impl Error {
    pub(crate) fn not_a_feed(at: impl Into<String>, source: impl Into<Cause>) -> Self {
        Self::NotAFeed { at: at.into(), source: source.into() }
    }

    pub(crate) fn mapping(source: impl Into<Cause>) -> Self {
        Self::Mapping(source.into())
    }
}
