//! The role as its users meet it: webhooks in, the log out, over real Postgres and NATS and a
//! content service that stalls, fails, forbids and lies.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

mod capture;
mod claims;
mod collections;
mod complete;
mod content;
mod doubles;
mod health;
mod history;
mod leads;
mod live_status;
mod menus;
mod operators;
mod parking;
mod placeholders;
mod places;
mod prices;
mod reconcile;
mod relay;
mod role;
mod webhooks;
