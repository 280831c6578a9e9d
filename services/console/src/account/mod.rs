//! Operators: their accounts, how they sign in, and who asks.

mod commands;
mod guesses;
mod operators;
mod proxy;
mod session;
mod sign_in;
mod totp;
mod who;

pub use commands::{Listed, Made, add, allow, list, remove, reset};

pub(crate) use guesses::Guesses;
pub(crate) use proxy::TrustedProxy;
pub(crate) use session::erase_expired;
pub(crate) use sign_in::{Tried, sign_in, sign_out};
pub(crate) use who::{Acting, Operator, Watching, Who};
