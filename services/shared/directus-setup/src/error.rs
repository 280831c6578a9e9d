//! What can go wrong while a Directus is set up.

use reqwest::StatusCode;

/// Why a Directus could not be looked at or set up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be reached, or the connection broke, or the time was over.
    #[error("Directus can't be reached")]
    Unreachable(#[source] reqwest::Error),
    /// It did not answer a ping in time.
    #[error("Directus did not answer in {seconds} s")]
    NotReady {
        /// How long was waited for it.
        seconds: u64,
    },
    /// It does not take a call.
    #[error("{call} was answered {status} {code}: {message}")]
    Refused {
        /// Method and path.
        call: String,
        /// A status that is no success.
        status: StatusCode,
        /// Directus's word for it.
        code: String,
        /// Directus's explanation.
        message: String,
    },
    /// An answer is not what Directus's documentation says.
    #[error("the answer to {call} can't be understood: {reason}")]
    Malformed {
        /// Method and path.
        call: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It is too old for this set-up.
    #[error("Directus is {found}; the set-up needs 12.2 or newer of major version 12")]
    WrongVersion {
        /// What it says it is.
        found: String,
    },
    /// Its lists end before they are whole.
    #[error(
        "Directus's QUERY_LIMIT_MAX is {limit}, and the set-up and sync read lists whole: start it without that limit first"
    )]
    ShortLists {
        /// How many rows it gives at the most.
        limit: u64,
    },
    /// A newer program has set it up.
    #[error(
        "this Directus was set up by version {found} of the set-up, and this program knows {known}: use the newer program"
    )]
    SetUpByNewer {
        /// The version that is recorded.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// Something of another kind stands where ours should.
    #[error(
        "{what} is {found} in this Directus and has to be {wanted}; rename or delete it there first"
    )]
    InTheWay {
        /// The collection or field.
        what: String,
        /// Its kind there.
        found: String,
        /// Its kind here.
        wanted: String,
    },
    /// Items are there that a field of ours can't be added to.
    #[error(
        "{what} has to hold something, and this Directus has items that would be without it; add and fill it there first, or rename or delete the collection"
    )]
    Unfilled {
        /// The field.
        what: String,
    },
    /// The licence allows fewer than there would be.
    #[error(
        "Directus's licence allows {limit} {what}; there are {used}, and the set-up adds {added}"
    )]
    LicenceLimit {
        /// Collections, flows or seats.
        what: &'static str,
        /// How many are allowed.
        limit: u64,
        /// How many there are.
        used: u64,
        /// How many would come to them.
        added: u64,
    },
    /// A description of ours that stands in the program can't be used.
    #[error("the set-up's own {what} is wrong: {reason}")]
    Data {
        /// Which one.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The sample content can't be read.
    #[error("{path} can't be read: {reason}")]
    Content {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}
