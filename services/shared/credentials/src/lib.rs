//! Credentials of visitors and operators: passwords, and random secrets that are sent to a browser or a
//! mailbox. Both are stored as hashes, and never printed.

mod password;
mod secret;

pub use password::{MAX_PASSWORD_LENGTH, Password, PasswordError, Weakness};
pub use secret::Secret;
