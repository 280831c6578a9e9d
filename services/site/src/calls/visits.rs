//! Records web vitals: how quickly pages appeared to real visitors, as reported by browsers once a
//! visit.
//!
//! Only histograms by kind of page and device are kept. A report does not identify the visitor, and
//! nothing of it is logged.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use metrics::{counter, histogram};
use runtime::{
    problem::{FieldError, Problem},
    read_limited, require_json,
};
use serde_json::{Map, Value, json};
use url::Url;

use crate::{
    calls::proxy_api::with_security_headers, door::Door, previews::preview::is_editor,
    security::is_from_this_site,
};

/// The maximum size of a report, in bytes. A complete one takes little more than a hundred.
const MAX_BYTES: usize = 1 << 10;
/// How long a visitor may take to send a report.
const BODY_LIMIT: Duration = Duration::from_secs(10);
/// The maximum time, ten minutes. A visitor who waits longer was doing something else.
const MAX_MILLISECONDS: f64 = 600_000.0;
/// The maximum layout shift. Even a page that shifts by twice its height each time stays far below.
const MAX_SHIFT: f64 = 100.0;
/// The maximum number of parts. No page has as many.
const MAX_RENDERED_ANEW: u64 = 1_000;
/// The kinds of pages. They are few, because each one adds a time series.
const PAGES: [&str; 5] = ["home", "list", "property", "article", "other"];

/// A browser's report of one visit. Any of the figures may be missing.
#[derive(Debug, PartialEq)]
struct Visit {
    page: &'static str,
    device: &'static str,
    /// Milliseconds until the largest part of the page was visible (Largest Contentful Paint).
    lcp: Option<f64>,
    /// Milliseconds from an interaction to its visible effect (Interaction to Next Paint).
    inp: Option<f64>,
    /// How far the page moved without interaction (Cumulative Layout Shift).
    cls: Option<f64>,
    /// How many parts React rendered again on the client, because they did not match the server's HTML.
    rendered_anew: u64,
}

/// Returns the description of `/api/vitals`, as a path item of OpenAPI.
pub fn description() -> Value {
    let time = json!({ "type": "number", "minimum": 0, "maximum": MAX_MILLISECONDS });
    let shift = json!({ "type": "number", "minimum": 0, "maximum": MAX_SHIFT });
    let count = json!({ "type": "integer", "minimum": 0, "maximum": MAX_RENDERED_ANEW });
    let refusal = |reason: &str| {
        let problem = json!({ "schema": { "$ref": "#/components/schemas/Problem" } });
        json!({ "description": reason, "content": { "application/problem+json": problem } })
    };
    json!({ "post": {
        "tags": ["visits"],
        "operationId": "visit",
        "summary": "Records how quickly a page appeared to a visitor.",
        "description": "Sent by pages of this site, once a visit: their kind, whether on a telephone, \
                        milliseconds to the largest part (`lcp`) and from an interaction to its effect \
                        (`inp`), the layout shift (`cls`), and how many parts were rendered again. \
                        Nothing identifies the visitor.",
        "requestBody": { "required": true, "content": { "application/json": { "schema": {
            "type": "object",
            "properties": {
                "page": { "type": "string", "enum": PAGES },
                "phone": { "type": "boolean" },
                "lcp": time,
                "inp": time,
                "cls": shift,
                "renderedAnew": count,
            },
            "required": ["page", "phone"],
            "additionalProperties": false,
        } } } },
        "responses": {
            "204": { "description": "The visit is recorded" },
            "400": refusal("Fields are invalid"),
            "403": refusal("The request comes from no page of this site"),
            "408": refusal("The body took too long to arrive"),
            "413": refusal("The body is too long"),
            "415": refusal("The body is not JSON"),
            "429": refusal("The sender has sent too many requests"),
        },
    } })
}

/// Handles `POST /api/vitals`.
pub async fn visit(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let answer = if is_editor(&door, &head.headers) {
        Ok(no_content())
    } else {
        read_visit(&door, &head, body).await.map(|visit| {
            visit.record();
            no_content()
        })
    };
    with_security_headers(&door, answer)
}

/// Reads a report, which has to come from a page of this site.
async fn read_visit(door: &Door, head: &Parts, body: Body) -> Result<Visit, Problem> {
    door.admit(head)?;
    if !is_from_this_site(&door.origin, &head.headers) {
        return Err(other_origin());
    }
    require_json(&head.headers)?;
    let report = read_limited(body, MAX_BYTES, BODY_LIMIT).await?;
    Visit::read(&report).map_err(Problem::invalid)
}

/// Returns the origin of the site at `public_url`, as browsers write it.
pub fn origin_of(public_url: &Url) -> String {
    public_url.origin().ascii_serialization()
}

impl Visit {
    /// Parses a report, or returns every field that is wrong.
    fn read(body: &[u8]) -> Result<Self, Vec<FieldError>> {
        let Ok(mut fields) = serde_json::from_slice::<Map<String, Value>>(body) else {
            return Err(vec![FieldError::new("body", "a JSON object")]);
        };
        let mut wrong = Vec::new();
        let page = fields.remove("page");
        let page = PAGES.into_iter().find(|&name| page.as_ref().is_some_and(|page| page == name));
        if page.is_none() {
            wrong.push(FieldError::new("page", format!("one of {}", PAGES.join(", "))));
        }
        let device = match fields.remove("phone") {
            Some(Value::Bool(true)) => Some("phone"),
            Some(Value::Bool(false)) => Some("desk"),
            _ => {
                wrong.push(FieldError::new("phone", "true or false"));
                None
            }
        };
        let mut figure = |name, max: f64| {
            let value = fields.remove(name)?;
            let figure = value.as_f64().filter(|figure| (0.0..=max).contains(figure));
            if figure.is_none() {
                wrong.push(FieldError::new(name, format!("a number from 0 to {max}")));
            }
            figure
        };
        let lcp = figure("lcp", MAX_MILLISECONDS);
        let inp = figure("inp", MAX_MILLISECONDS);
        let cls = figure("cls", MAX_SHIFT);
        let rendered_anew = fields
            .remove("renderedAnew")
            .map_or(Some(0), |value| value.as_u64().filter(|&count| count <= MAX_RENDERED_ANEW));
        if rendered_anew.is_none() {
            let expected = format!("a whole number from 0 to {MAX_RENDERED_ANEW}");
            wrong.push(FieldError::new("renderedAnew", expected));
        }
        wrong.extend(fields.into_iter().map(|(name, _)| FieldError::new(name, "no such field")));
        match (page, device, rendered_anew) {
            (Some(page), Some(device), Some(rendered_anew)) if wrong.is_empty() => {
                Ok(Self { page, device, lcp, inp, cls, rendered_anew })
            }
            _ => Err(wrong),
        }
    }

    fn record(&self) {
        let Self { page, device, .. } = *self;
        if let Some(lcp) = self.lcp {
            histogram!("site_visit_lcp_seconds", "page" => page, "device" => device)
                .record(lcp / 1_000.0);
        }
        if let Some(inp) = self.inp {
            histogram!("site_visit_inp_seconds", "page" => page, "device" => device)
                .record(inp / 1_000.0);
        }
        if let Some(cls) = self.cls {
            histogram!("site_visit_cls", "page" => page, "device" => device).record(cls);
        }
        counter!("site_visit_rendered_anew_total", "page" => page, "device" => device)
            .increment(self.rendered_anew);
    }
}

fn no_content() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn other_origin() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "other-origin", "Only pages of this site may ask this")
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    fn wrong(body: &str) -> Vec<String> {
        let wrong = Visit::read(body.as_bytes()).expect_err("a refusal");
        wrong.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn every_invalid_field_is_named() {
        assert_eq!(wrong("[]"), ["body"]);
        assert_eq!(wrong("{}"), ["page", "phone"]);
        assert_eq!(
            wrong(
                r#"{"page":"/es","phone":1,"lcp":600001,"inp":-1,"cls":"0","renderedAnew":0.5,
                "address":"/"}"#
            ),
            ["page", "phone", "lcp", "inp", "cls", "renderedAnew", "address"]
        );
        assert_eq!(wrong(r#"{"page":"home","phone":true,"cls":100.1}"#), ["cls"]);
        assert_eq!(wrong(r#"{"page":"home","phone":true,"renderedAnew":1001}"#), ["renderedAnew"]);
    }

    #[test]
    fn what_is_described_is_accepted() {
        let description = description();
        let content = &description["post"]["requestBody"]["content"]["application/json"];
        let fields = content["schema"]["properties"].as_object().expect("fields").iter();
        let report: Map<String, Value> = fields
            .map(|(name, field)| {
                let value = match field["type"].as_str() {
                    Some("string") => field["enum"][0].clone(),
                    Some("boolean") => Value::Bool(true),
                    _ => field["maximum"].clone(),
                };
                (name.clone(), value)
            })
            .collect();
        let body = Value::Object(report).to_string();
        let visit = Visit::read(body.as_bytes()).expect("a visit");
        assert_eq!((visit.page, visit.rendered_anew), ("home", MAX_RENDERED_ANEW));
    }

    #[test]
    fn the_limits_of_valid_values_are_accepted() {
        let body = r#"{"page":"list","phone":false,"lcp":600000,"inp":0,"cls":100}"#;
        let visit = Visit {
            page: "list",
            device: "desk",
            lcp: Some(600_000.0),
            inp: Some(0.0),
            cls: Some(100.0),
            rendered_anew: 0,
        };
        assert_eq!(Visit::read(body.as_bytes()).expect("a visit"), visit);
    }

    #[test]
    fn only_the_sites_own_origin_is_accepted() {
        let origin = origin_of(&"https://almijara.example/".parse().expect("a URL"));
        let is_accepted = |origins: &[&'static str]| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
            for value in origins {
                headers.append(header::ORIGIN, HeaderValue::from_static(value));
            }
            is_from_this_site(&origin, &headers)
        };
        assert!(is_accepted(&[]) && is_accepted(&["https://almijara.example"]));
        assert!(is_accepted(&["http://127.0.0.1:8080"]));
        for other in
            ["null", "", "https://almijara.example.org", "http://127.0.0.1", "127.0.0.1:8080"]
        {
            assert!(!is_accepted(&[other]), "{other}");
        }
        assert!(!is_accepted(&["https://almijara.example", "https://other.example"]));
    }
}
