//! Accounts: signing in, what is kept for whoever did, and the calls for both.

mod calls;
mod cookies;
mod details;
mod everything;
mod my_homes;
mod passkeys;
mod passwords;
mod session;
mod sign_in;
mod sign_in_mail;

pub use calls::{Accounts, Document, router};
pub use sign_in::VALID_FOR;
pub use sign_in_mail::SignInMail;
