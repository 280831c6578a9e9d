//! Tests of the console, with a real Postgres, and with fake roles that record their requests.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

mod actions;
mod fake_role;
mod migrations;
mod page;
mod proxy;
mod reading;
mod redirects;
mod signing_in;
mod storage;
mod world;
