//! Tests the projections with real Postgres and NATS servers.

#![allow(clippy::expect_used, reason = "a test may end here")]

mod dead_letters;
mod feed;
mod fixtures;
mod follow;
mod generations;
mod operators;
mod replay;
mod rows;
mod verify;
