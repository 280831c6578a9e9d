//! The role as visitors and the office meet it: enquiries in, mails and items out, over real Postgres,
//! NATS and a mail server that refuses, stalls and goes silent.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

mod accounts;
mod adoption;
mod alerts;
mod at_once;
mod authenticator;
mod backlog;
mod bounces;
mod browser;
mod changing_homes;
mod consents;
mod endings;
mod enquiries;
mod everything;
mod mailboxes;
mod mails;
mod operators;
mod passkeys;
mod passwords;
mod renamed_places;
mod renewals;
mod retention;
mod role;
mod searches;
mod storage;
mod valuations;
mod without_account;
