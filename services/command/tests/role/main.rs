//! Tests of the role from outside: enquiries in, mails and items out, with real Postgres and NATS, and
//! with a mail server that refuses, stalls and does not answer.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

mod accounts;
mod alerts;
mod authenticator;
mod backlog;
mod bounces;
mod browser;
mod changing_homes;
mod concurrency;
mod consents;
mod enquiries;
mod export;
mod mailboxes;
mod mails;
mod moved_searches;
mod operators;
mod passkeys;
mod passwords;
mod renamed_parameters;
mod renamed_places;
mod renewals;
mod restored_endings;
mod retention;
mod searches;
mod storage;
mod valuations;
mod without_account;
mod world;
