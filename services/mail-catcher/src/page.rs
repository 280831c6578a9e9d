//! Shows the mails: as pages for people, and as JSON for tests.

use axum::{
    Json, Router,
    extract::{Path, State},
    response::{Html, IntoResponse, Response},
    routing::{get, put},
};
use http::{HeaderName, HeaderValue, StatusCode, header};
use minijinja::{Environment, context, value::Serde};

use crate::store::{Answer, Mail, Mails};

/// Allows inline styles, and images and frames of this server, but no scripts.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-src 'self'; \
     frame-ancestors 'self'",
);

/// Returns all routes.
pub fn router(mails: Mails) -> Router {
    Router::new()
        .route("/", get(list))
        .route("/mails/{id}", get(show))
        .route("/mails/{id}/html", get(html))
        .route("/mails/{id}/attachments/{number}", get(attachment))
        .route("/api/messages", get(messages).delete(delete_all))
        .route("/api/answer", put(set_answer).delete(reset_answer))
        .route("/healthz", get(|| async { "alive\n" }))
        .with_state(mails)
}

async fn list(State(mails): State<Mails>) -> Response {
    page("list.html", include_str!("list.html"), context! { mails => Serde(mails.all()) })
}

async fn show(State(mails): State<Mails>, Path(id): Path<u64>) -> Response {
    match mails.get(id) {
        Some(mail) => {
            page("mail.html", include_str!("mail.html"), context! { mail => Serde(mail) })
        }
        None => (StatusCode::NOT_FOUND, "There is no such mail\n").into_response(),
    }
}

/// Returns the HTML part of a mail, for a sandboxed frame.
async fn html(State(mails): State<Mails>, Path(id): Path<u64>) -> Response {
    let Some(mail) = mails.get(id) else { return StatusCode::NOT_FOUND.into_response() };
    with_policy(Html(mail.html).into_response())
}

/// Returns an attachment, counted from 0. Pictures are displayed; other files are downloaded.
async fn attachment(
    State(mails): State<Mails>,
    Path((id, number)): Path<(u64, usize)>,
) -> Response {
    let Some(file) = mails.get(id).and_then(|mail| mail.attachments.get(number).cloned()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind =
        ["image/jpeg", "image/png", "image/webp"].into_iter().find(|it| *it == file.media_type);
    let kind = [(header::CONTENT_TYPE, kind.unwrap_or("application/octet-stream"))];
    with_policy((kind, file.content).into_response())
}

async fn messages(State(mails): State<Mails>) -> Json<Vec<Mail>> {
    Json(mails.all())
}

async fn delete_all(State(mails): State<Mails>) -> StatusCode {
    mails.clear();
    StatusCode::NO_CONTENT
}

async fn set_answer(State(mails): State<Mails>, Json(answer): Json<Answer>) -> StatusCode {
    mails.answer(Some(answer));
    StatusCode::NO_CONTENT
}

async fn reset_answer(State(mails): State<Mails>) -> StatusCode {
    mails.answer(None);
    StatusCode::NO_CONTENT
}

fn page(name: &str, template: &str, values: minijinja::Value) -> Response {
    match Environment::new().render_named_str(name, template, values) {
        Ok(page) => with_policy(Html(page).into_response()),
        Err(error) => {
            (StatusCode::INTERNAL_SERVER_ERROR, runtime::error_text(&error)).into_response()
        }
    }
}

fn with_policy(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    let no_sniffing = HeaderValue::from_static("nosniff");
    headers.insert(HeaderName::from_static("x-content-type-options"), no_sniffing);
    response
}
