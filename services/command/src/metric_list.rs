//! The metrics of this role.

use metrics::Unit;
use runtime::metrics::{Metric, REQUESTS};

/// The metrics of this role, besides those that all roles have.
pub const METRICS: &[Metric] = &[
    REQUESTS,
    Metric::counter("command_enquiries_total", &["kind"], "Enquiries stored"),
    Metric::counter(
        "command_enquiries_limited_total",
        &[],
        "Enquiries refused because one address sent too many",
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
        "For how long the oldest delivery of an enquiry has been due; 0 if none is",
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
        "Mails that may or may not have arrived, after a second try",
    ),
    Metric::seconds(
        "command_job_seconds",
        &[
            0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0, 14_400.0, 86_400.0,
            172_800.0,
        ],
        &["kind", "outcome"],
        "From when a mail or an item was queued until it was delivered (done) or given up (failed)",
    ),
    Metric::counter(
        "command_mails_bounced_total",
        &["kind"],
        "Mails that came back after a server had accepted them",
    ),
    Metric::counter("command_sign_ins_total", &[], "Sign-ins"),
    Metric::counter(
        "command_sign_ins_limited_total",
        &[],
        "Sign-in mails refused because there were too many",
    ),
    Metric::counter(
        "command_erased_total",
        &["key"],
        "Rows erased because their retention period was over",
    ),
    Metric::gauge("command_saved_searches", Unit::Count, &[], "Saved searches that are matched"),
    Metric::gauge(
        "command_saved_searches_unreadable",
        Unit::Count,
        &[],
        "Unreadable saved searches whose owners want mails",
    ),
    Metric::gauge(
        "command_alerts_lag_messages",
        Unit::Count,
        &[],
        "Messages of the log that are not matched with saved searches yet",
    ),
    Metric::seconds(
        "command_match_seconds",
        &[0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0],
        &[],
        "How long matching a change with all saved searches took",
    ),
];
