//! What visitors and operators prove themselves by: passwords, and secrets that one browser or one
//! mailbox holds. Both are kept as hashes, and neither is ever printed.

mod password;
mod secret;

pub use password::{LONGEST, Password, PasswordError, Weakness};
pub use secret::Secret;
