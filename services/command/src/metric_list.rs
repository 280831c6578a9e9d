//! The metrics of this role.

use metrics::Unit;
use runtime::metrics::{Metric, REQUESTS};

/// The metrics of this role, besides those that all roles have.
pub const METRICS: &[Metric] = &[
    REQUESTS,
    Metric::counter("command_enquiries_total", &["kind"], "Enquiries kept"),
    Metric::counter(
        "command_enquiries_limited_total",
        &[],
        "Enquiries refused for the number that came from one address",
    ),
    Metric::gauge(
        "command_jobs",
        Unit::Count,
        &["state"],
        "Mails and items that are still to be delivered (due), or can't be (failed)",
    ),
    Metric::gauge(
        "command_jobs_oldest_seconds",
        Unit::Seconds,
        &[],
        "For how long the oldest of an enquiry's deliveries has been due; 0 where none is",
    ),
    Metric::gauge(
        "command_visitor_mails_undelivered",
        Unit::Count,
        &[],
        "Mails to visitors that are tried again, or were refused within the last hour",
    ),
    Metric::counter("command_jobs_done_total", &["kind"], "Mails and items delivered"),
    Metric::counter(
        "command_jobs_uncertain_total",
        &["kind"],
        "Mails of which nobody knows whether they arrived, after a second try",
    ),
    Metric::seconds(
        "command_job_seconds",
        &[
            0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0, 14_400.0, 86_400.0,
            172_800.0,
        ],
        &["kind", "outcome"],
        "From when a mail or an item was wanted until it was delivered (done) or given up (failed)",
    ),
    Metric::counter(
        "command_mails_bounced_total",
        &["kind"],
        "Mails that came back after a server had taken them",
    ),
    Metric::counter("command_sign_ins_total", &[], "Sign-ins"),
    Metric::counter(
        "command_sign_ins_limited_total",
        &[],
        "Mails of sign-ins refused for their number",
    ),
    Metric::counter("command_erased_total", &["key"], "Rows erased because their time was over"),
    Metric::gauge("command_saved_searches", Unit::Count, &[], "Saved searches that are matched"),
    Metric::gauge(
        "command_saved_searches_unreadable",
        Unit::Count,
        &[],
        "Saved searches whose owners want mails, and that can't be read any more",
    ),
    Metric::gauge(
        "command_alerts_lag_messages",
        Unit::Count,
        &[],
        "Messages of the log that saved searches were not matched with yet",
    ),
    Metric::seconds(
        "command_match_seconds",
        &[0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0],
        &[],
        "How long matching a change with all saved searches took",
    ),
];
