//! A query node against a real Postgres, a real NATS and real projections.

mod feed;
mod health;
mod node;
