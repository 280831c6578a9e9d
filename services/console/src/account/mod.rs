//! Operators: accounts, sign-in, sessions, and the caller of a request.

mod caller;
pub mod commands;
mod operators;
mod proxy;
mod session;
mod sign_in;
mod throttle;
mod totp;

pub(crate) use caller::{ActingCaller, BackgroundCaller, Caller, Operator};
pub(crate) use proxy::TrustedProxy;
pub(crate) use session::delete_expired;
pub(crate) use sign_in::{SignInResult, sign_in, sign_out};
pub(crate) use throttle::SignInThrottle;
