//! Spans of what a call reads, from Postgres and from the index, with the attributes that OpenTelemetry
//! defines for databases. They are begun only for calls whose own span is exported.

use runtime::{error_text, postgres::with_answer_timeout, telemetry};
use sqlx::error::DatabaseError;
use tracing::{Instrument, Span, field::Empty};

/// Runs `statement`, with the timeout of all statements. `summary` is its operation and its main tables.
pub(crate) async fn read_rows<T>(
    summary: &'static str,
    statement: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let span = if telemetry::is_sampled() {
        tracing::info_span!(
            "read rows",
            otel.name = summary,
            otel.kind = "client",
            db.system.name = "postgresql",
            db.query.summary = summary,
            error.type = Empty,
        )
    } else {
        Span::none()
    };
    let read = with_answer_timeout(statement).instrument(span.clone()).await;
    if let Err(error) = &read {
        let code = error.as_database_error().and_then(DatabaseError::code);
        span.record("error.type", code.as_deref().unwrap_or("_OTHER"));
        telemetry::mark_failed(&span, &error_text(error));
    }
    read
}

/// Returns the span of an `operation` of the index.
pub(crate) fn index_span(operation: &'static str) -> Span {
    if !telemetry::is_sampled() {
        return Span::none();
    }
    tracing::info_span!(
        "search the index",
        otel.name = operation,
        db.system.name = "tantivy",
        db.operation.name = operation,
    )
}
