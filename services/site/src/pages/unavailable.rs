//! The page that visitors get when a page can't be rendered.

use std::time::Duration;

use axum::response::Response;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{
    pages::language::is_spanish,
    security::{AnswerKind, Security},
};

/// When clients should retry.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The texts in one language.
struct Words {
    lang: &'static str,
    title: &'static str,
    text: &'static str,
    /// The text of the link that reloads the page, if there is one.
    again: Option<&'static str>,
}

impl Words {
    fn section(&self) -> String {
        let Self { lang, title, text, again } = self;
        let link = again.map(|again| format!("<p><a href=\"\">{again}</a></p>"));
        let link = link.unwrap_or_default();
        format!("<section lang=\"{lang}\"><h1>{title}</h1><p>{text}</p>{link}</section>")
    }
}

/// The texts for a GET, in English and Spanish. The page never reloads by itself: a visitor who reads
/// slowly, or uses a screen reader, would start over again and again while the page is unavailable.
const ENGLISH: Words = Words {
    lang: "en-GB",
    title: "Back in a moment",
    text: "This page can't be shown just now. Please try again in a few seconds.",
    again: Some("Try again"),
};
const SPANISH: Words = Words {
    lang: "es-ES",
    title: "Volvemos enseguida",
    text: "Esta página no se puede mostrar ahora mismo. Vuelva a intentarlo dentro de unos \
           segundos.",
    again: Some("Reintentar"),
};
/// The texts for a POST. There is no link, because it would request the page without sending the form,
/// and what was written would be lost.
const SENT_ENGLISH: Words = Words {
    lang: "en-GB",
    title: "Please send this again",
    text: "What you sent may not have arrived. Reload this page to send it again: if it is the \
           same, it is kept only once.",
    again: None,
};
const SENT_SPANISH: Words = Words {
    lang: "es-ES",
    title: "Vuelva a enviarlo, por favor",
    text: "Puede que lo que ha enviado no haya llegado. Recargue esta página para enviarlo de \
           nuevo: si es lo mismo, se guarda una sola vez.",
    again: None,
};

/// Returns the plain page in both languages, the language of `path` first.
pub fn unavailable(
    status: StatusCode,
    path: &str,
    method: &Method,
    security: &Security,
) -> Response {
    let (english, spanish) =
        if *method == Method::POST { (SENT_ENGLISH, SENT_SPANISH) } else { (ENGLISH, SPANISH) };
    let (first, second) = if is_spanish(path) { (spanish, english) } else { (english, spanish) };
    let page = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <title>{} / {}</title></head>\
         <body><main>{}<hr>{}</main></body></html>",
        first.lang,
        first.title,
        second.title,
        first.section(),
        second.section(),
    );
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::RETRY_AFTER, RETRY_AFTER.as_secs().into());
    headers.insert(header::CONTENT_LENGTH, page.len().into());
    security.apply(&mut headers, AnswerKind::Data);
    let mut response = Response::new(if *method == Method::HEAD { "".into() } else { page.into() });
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
