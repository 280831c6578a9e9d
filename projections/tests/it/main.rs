//! Projections on real Postgres and NATS.

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
