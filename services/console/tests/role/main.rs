//! The console as operators meet it, over a real Postgres and roles that note what they are asked.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

mod acting;
mod looking;
mod migrations;
mod page;
mod proxy;
mod redirects;
mod roles;
mod signing_in;
mod storage;
mod world;
