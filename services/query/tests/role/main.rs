//! A query node against a real Postgres, a real NATS and real projections.
#![expect(clippy::expect_used, reason = "a test that can't set itself up must fail loudly")]

mod addresses;
mod articles;
mod cards;
mod feed;
mod health;
mod history;
mod homes;
mod kyero;
mod lists;
mod moved;
mod node;
mod operators;
mod particulars;
mod places;
mod pounds;
mod prices;
mod settings;
mod similar;
mod suggestions;
mod words;
