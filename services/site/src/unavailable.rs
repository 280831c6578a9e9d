//! What a visitor reads when a page can't be made.

use std::time::Duration;

use axum::response::Response;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::security::{AnswerKind, Security};

/// When to come back.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The words for who asked for a page, in English and Spanish.
const ENGLISH: &str = "<section lang=\"en-GB\"><h1>Back in a moment</h1>\
    <p>This page can't be shown just now. It will be tried again by itself in a few seconds.</p>\
    </section>";
const SPANISH: &str = "<section lang=\"es-ES\"><h1>Volvemos enseguida</h1>\
    <p>Esta página no se puede mostrar ahora mismo. Se volverá a intentar sola en unos segundos.\
    </p></section>";
/// The same for who sent something. A page that loads itself again asks for it and sends nothing: what was
/// written would be gone.
const SENT_ENGLISH: &str = "<section lang=\"en-GB\"><h1>Please send this again</h1>\
    <p>What you sent may not have arrived. Reload this page to send it again: the same words are kept \
    once.</p></section>";
const SENT_SPANISH: &str = "<section lang=\"es-ES\"><h1>Vuelva a enviarlo, por favor</h1>\
    <p>Puede que lo que ha enviado no haya llegado. Recargue esta página para enviarlo de nuevo: si es \
    lo mismo, se guarda una sola vez.</p></section>";

/// The plain page in both languages, that of `path` first.
pub fn unavailable(
    status: StatusCode,
    path: &str,
    method: &Method,
    security: &Security,
) -> Response {
    let is_spanish = path == "/es" || path.starts_with("/es/");
    let seconds = RETRY_AFTER.as_secs();
    let (english, spanish, refresh) = if *method == Method::POST {
        (SENT_ENGLISH, SENT_SPANISH, String::new())
    } else {
        (ENGLISH, SPANISH, format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">"))
    };
    let (lang, first, second) =
        if is_spanish { ("es-ES", spanish, english) } else { ("en-GB", english, spanish) };
    let page = format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         {refresh}<title>Almijara Homes</title></head>\
         <body><main>{first}<hr>{second}</main></body></html>"
    );
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::RETRY_AFTER, seconds.into());
    headers.insert(header::CONTENT_LENGTH, page.len().into());
    security.apply(&mut headers, AnswerKind::Data);
    let mut response = Response::new(if *method == Method::HEAD { "".into() } else { page.into() });
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
