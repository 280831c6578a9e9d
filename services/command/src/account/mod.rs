//! Accounts: sign-in, stored data, and the calls for both.

mod calls;
mod cookies;
mod details;
mod export;
mod my_homes;
mod passkeys;
mod passwords;
mod session;
mod sign_in;
mod sign_in_mail;

pub use calls::{Accounts, Document, LENGTHS, router};
pub use sign_in::VALID_FOR;
pub use sign_in_mail::SignInMail;
