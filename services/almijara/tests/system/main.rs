//! System tests of a complete `almijara up`, as visitors, editors and operators use it. Each has its own
//! ports and folders, so they can run in parallel.
#![allow(clippy::expect_used, reason = "a test that can't go on must fail")]

mod api_description;
mod backup;
mod browser;
mod cluster;
mod editor_journey;
mod editors_day;
mod enquiries;
mod failpoints;
mod faults;
mod history;
mod import;
mod map_pin;
mod operator_journey;
mod pages;
mod plain_stack;
mod recovery;
mod slips;
mod stack;
mod trace;
mod upgrade;
mod visitor;
