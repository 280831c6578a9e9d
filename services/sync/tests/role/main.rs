//! Tests of the complete role, from webhooks to the log, over real Postgres and NATS servers and a content
//! pack that stalls, fails, forbids and returns incomplete lists.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

mod capture;
mod claims;
mod collections;
mod complete;
mod content;
mod duplicate_redirects;
mod health;
mod history;
mod leadership;
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
