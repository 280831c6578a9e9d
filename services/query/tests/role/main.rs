//! A query node against a real Postgres, a real NATS and real projections.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

mod cards;
mod feed;
mod health;
mod history;
mod homes;
mod kyero;
mod moved;
mod news;
mod node;
mod operators;
mod particulars;
mod places;
mod pounds;
mod prices;
mod searched;
mod similar;
mod words;
