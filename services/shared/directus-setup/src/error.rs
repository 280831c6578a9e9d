//! Errors of a set-up.

use std::error::Error as StdError;

use reqwest::StatusCode;

/// What is wrong with a response or a file.
type Cause = Box<dyn StdError + Send + Sync>;

/// Why a Directus could not be read or set up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be reached, the connection broke, or the call timed out.
    #[error("Directus can't be reached")]
    Unreachable(#[source] reqwest::Error),
    /// It did not answer a ping in time.
    #[error("Directus did not answer in {seconds} s")]
    NotReady {
        /// How long the set-up waited.
        seconds: u64,
    },
    /// It rejected a call.
    #[error("{call} was answered {status} {code}: {message}")]
    Refused {
        /// Method and path.
        call: String,
        /// The error status.
        status: StatusCode,
        /// Directus's error code.
        code: String,
        /// Directus's explanation.
        message: String,
    },
    /// A response does not match Directus's documentation.
    #[error("the answer to {call} can't be understood")]
    Malformed {
        /// Method and path.
        call: String,
        /// What is wrong with it.
        source: Cause,
    },
    /// It is too old for this set-up.
    #[error("Directus is {found}; the set-up needs 12.2 or newer of major version 12")]
    WrongVersion {
        /// Its version.
        found: String,
    },
    /// It truncates lists.
    #[error(
        "Directus's QUERY_LIMIT_MAX is {limit}, but the set-up and sync read complete lists: start it without that limit first"
    )]
    ShortLists {
        /// The maximum number of rows in a list.
        limit: u64,
    },
    /// It was set up by a newer program.
    #[error(
        "this Directus was set up by version {found} of the set-up, and this program knows {known}: use the newer program"
    )]
    SetUpByNewer {
        /// The recorded version.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// Something of another kind exists where one of the model's parts should be.
    #[error(
        "{what} is {found} in this Directus and has to be {wanted}; rename or delete it there first"
    )]
    InTheWay {
        /// The collection or field.
        what: String,
        /// The existing kind.
        found: String,
        /// The wanted kind.
        wanted: String,
    },
    /// A required field can't be added to existing items.
    #[error(
        "{what} is required, but this Directus has items without it; add and fill it there first, or rename or delete the collection"
    )]
    Unfilled {
        /// The field.
        what: String,
    },
    /// The additions would exceed the licence.
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
        /// How many would be added.
        added: u64,
    },
    /// A description embedded in the program is invalid.
    #[error("the set-up's own {what} is wrong")]
    Data {
        /// Which one.
        what: String,
        /// What is wrong with it.
        source: Cause,
    },
    /// The sample content can't be read.
    #[error("{path} can't be read")]
    Content {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: Cause,
    },
}
