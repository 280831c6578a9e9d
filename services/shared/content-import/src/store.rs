//! Reads and writes homes, places and files in Directus. Calls are retried while Directus is busy, for two
//! minutes at most.

use std::{collections::BTreeMap, future::Future, time::Duration};

use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use contracts::Rule;
use directus_setup::{Directus, Error as Refusal};
use reqwest::{
    StatusCode,
    multipart::{Form, Part},
};
use serde_json::{Value, json};

use crate::{Error, compare::Flat, memory::Memory, pictures::Picture};

/// How many homes are read by one call.
const PAGE_SIZE: usize = 200;
const MIN_PAUSE: Duration = Duration::from_millis(if cfg!(test) { 1 } else { 500 });
const MAX_PAUSE: Duration = Duration::from_secs(20);
const MAX_RETRIES: usize = 9;
/// The fields of a home that are read in addition to those with rules.
const EXTRA_FIELDS: &str = "id,imported,floor_plan,translations.id,translations.languages_code,\
                     translations.title,translations.summary,translations.description,images.id,\
                     images.sort,images.directus_files_id";

/// A home as stored in Directus.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stored {
    pub id: i64,
    pub fields: Flat,
    pub memory: Option<Memory>,
    /// The row ids of its texts, by language.
    pub texts: BTreeMap<String, i64>,
    /// The row ids of its pictures with their files, in order.
    pub pictures: Vec<(i64, String)>,
}

impl Stored {
    fn from_row(row: &Value) -> Option<Self> {
        let mut stored = Self {
            id: row["id"].as_i64()?,
            memory: Memory::from_value(&row["imported"]),
            ..Self::default()
        };
        for rule in Rule::of("properties") {
            stored.fields.insert(rule.field.to_owned(), row[rule.field].clone());
        }
        stored.fields.insert("floor_plan".to_owned(), row["floor_plan"].clone());
        for text in row["translations"].as_array().into_iter().flatten() {
            let Some(code) = text["languages_code"].as_str() else { continue };
            if let Some(id) = text["id"].as_i64() {
                stored.texts.insert(code.to_owned(), id);
            }
            for field in ["title", "summary", "description"] {
                let name = format!("translations.{code}.{field}");
                stored.fields.insert(name, text[field].clone());
            }
        }
        let rows = row["images"].as_array().into_iter().flatten();
        let mut pictures: Vec<_> = rows
            .filter_map(|row| {
                let file = row["directus_files_id"].as_str()?.to_owned();
                Some((row["sort"].as_i64().unwrap_or(i64::MAX), row["id"].as_i64()?, file))
            })
            .collect();
        pictures.sort();
        stored.pictures = pictures.into_iter().map(|(_, id, file)| (id, file)).collect();
        Some(stored)
    }

    pub fn reference(&self) -> &str {
        self.fields.get("ref").and_then(Value::as_str).unwrap_or_default()
    }

    pub fn status(&self) -> &str {
        self.fields.get("status").and_then(Value::as_str).unwrap_or_default()
    }
}

/// Returns every home in `directus`.
pub async fn homes(directus: &Directus) -> Result<Vec<Stored>, Error> {
    let mut homes: Vec<Stored> = Vec::new();
    loop {
        let after = homes.last().map_or(0, |home| home.id);
        let page = page(directus, &json!({ "id": { "_gt": after } })).await?;
        let rows = page.as_array().map(Vec::as_slice).unwrap_or_default();
        homes.extend(rows.iter().filter_map(Stored::from_row));
        if rows.len() < PAGE_SIZE {
            return Ok(homes);
        }
    }
}

/// Returns the current state of a home, if it still exists.
pub async fn home(directus: &Directus, id: i64) -> Result<Option<Stored>, Error> {
    let page = page(directus, &json!({ "id": { "_eq": id } })).await?;
    Ok(page.get(0).and_then(Stored::from_row))
}

/// Returns the first homes that match `filter`.
async fn page(directus: &Directus, filter: &Value) -> Result<Value, Error> {
    let rule_fields: Vec<&str> = Rule::of("properties").map(|rule| rule.field).collect();
    let fields = format!("{EXTRA_FIELDS},{}", rule_fields.join(","));
    let (filter, limit) = (filter.to_string(), PAGE_SIZE.to_string());
    let query =
        [("fields", fields.as_str()), ("filter", &filter), ("sort", "id"), ("limit", &limit)];
    let page = with_retries(|| directus.get("/items/properties", &query)).await;
    page.map_err(|error| match error {
        // Directus answers so if a field does not exist.
        Refusal::Refused { status: StatusCode::FORBIDDEN, .. } => Error::NotSetUp,
        error => error.into(),
    })
}

/// Returns every place in `directus`, with its names.
pub async fn places(directus: &Directus) -> Result<Vec<Value>, Error> {
    let query = [("fields", "id,slug,status,translations.languages_code,translations.name")];
    Ok(with_retries(|| directus.list("/items/locations", &query)).await?)
}

/// Adds a place, and returns its id.
pub async fn add_place(directus: &Directus, place: &Value) -> Result<i64, Error> {
    let row = with_retries(|| directus.post("/items/locations?fields=id", place)).await?;
    Ok(row["id"].as_i64().unwrap_or_default())
}

/// Returns whether `directus` has the file.
pub async fn has_file(directus: &Directus, file: &str) -> Result<bool, Error> {
    let filter = json!({ "id": { "_eq": file } }).to_string();
    let query = [("fields", "id"), ("filter", filter.as_str())];
    let found = with_retries(|| directus.get("/files", &query)).await?;
    Ok(found.as_array().is_some_and(|rows| !rows.is_empty()))
}

/// Uploads a picture to `directus`, unless it has the file.
pub async fn add_file(directus: &Directus, picture: &Picture) -> Result<(), Error> {
    if has_file(directus, &picture.file).await? {
        return Ok(());
    }
    let sent = with_retries(|| async { directus.upload(form(picture)?).await.map(|_| ()) }).await;
    // The same picture may have been uploaded from another address meanwhile.
    if matches!(sent, Err(Refusal::Refused { .. })) && has_file(directus, &picture.file).await? {
        return Ok(());
    }
    Ok(sent?)
}

fn form(picture: &Picture) -> Result<Form, Refusal> {
    let bytes: Bytes = picture.bytes.clone();
    let part = Part::stream(bytes).file_name(picture.name.clone()).mime_str(picture.mime);
    let part = part.map_err(Refusal::Unreachable)?;
    let fields = [
        ("id", picture.file.clone()),
        ("title", picture.name.clone()),
        ("type", picture.mime.to_owned()),
        ("filename_download", picture.name.clone()),
    ];
    let form = fields.into_iter().fold(Form::new(), |form, (name, value)| form.text(name, value));
    // The file goes last: Directus ignores fields that follow it.
    Ok(form.part("file", part))
}

pub async fn create_home(directus: &Directus, home: &Value) -> Result<(), Refusal> {
    with_retries(|| directus.post("/items/properties?fields=id", home)).await.map(|_| ())
}

pub async fn change_home(directus: &Directus, id: i64, change: &Value) -> Result<(), Refusal> {
    let path = format!("/items/properties/{id}?fields=id");
    with_retries(|| directus.patch(&path, change)).await.map(|_| ())
}

/// Retries `call` while Directus is busy. Other failures are not retried, because Directus may have done
/// what it was asked.
async fn with_retries<T, F>(call: impl FnMut() -> F) -> Result<T, Refusal>
where
    F: Future<Output = Result<T, Refusal>>,
{
    let backoff = ExponentialBuilder::default()
        .with_min_delay(MIN_PAUSE)
        .with_max_delay(MAX_PAUSE)
        .with_max_times(MAX_RETRIES)
        .with_jitter();
    let is_busy = |error: &Refusal| {
        matches!(
            error,
            Refusal::Refused {
                status: StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE,
                ..
            }
        )
    };
    call.retry(backoff).when(is_busy).await
}

#[cfg(test)]
pub mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    /// Makes a call that fails `times` times with `status` and then succeeds. Also returns how often it was
    /// made.
    async fn refused(status: StatusCode, times: usize) -> (Result<(), Refusal>, usize) {
        let calls = AtomicUsize::new(0);
        let answer = with_retries(|| async {
            if calls.fetch_add(1, Ordering::Relaxed) < times {
                return Err(Refusal::Refused {
                    call: "POST /items/properties".to_owned(),
                    status,
                    code: String::new(),
                    message: String::new(),
                });
            }
            Ok(())
        })
        .await;
        (answer, calls.into_inner())
    }

    #[tokio::test]
    async fn a_call_is_retried_only_while_directus_is_busy() {
        let (answer, calls) = refused(StatusCode::TOO_MANY_REQUESTS, 3).await;
        assert_eq!((answer.is_ok(), calls), (true, 4));
        let (answer, calls) = refused(StatusCode::SERVICE_UNAVAILABLE, 1).await;
        assert_eq!((answer.is_ok(), calls), (true, 2));
        let (answer, calls) = refused(StatusCode::BAD_REQUEST, 1).await;
        assert_eq!((answer.is_ok(), calls), (false, 1));
    }

    /// Starts a server that gives `answers` one after the other, and returns a client of it.
    pub async fn directus(answers: Vec<(&'static str, &'static str)>) -> Directus {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            for (status, body) in answers {
                let (mut stream, _) = listener.accept().await.expect("a call");
                let mut request = Vec::new();
                // A form ends with its boundary, an item with its brace, a GET request with its head.
                let is_complete = |request: &[u8]| {
                    if request.starts_with(b"GET") {
                        request.ends_with(b"\r\n\r\n")
                    } else {
                        request.ends_with(b"--\r\n") || request.ends_with(b"}")
                    }
                };
                while !is_complete(&request) {
                    let read = stream.read_buf(&mut request).await.expect("a part of it");
                    assert_ne!(read, 0, "half a call: {}", String::from_utf8_lossy(&request));
                }
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                stream.write_all(answer.as_bytes()).await.expect("it is read");
            }
        });
        Directus::new(url.parse().expect("an address"), "none".into()).expect("a client")
    }

    #[tokio::test]
    async fn a_picture_that_was_uploaded_concurrently_counts_as_added() {
        let picture = Picture {
            file: "f1".to_owned(),
            bytes: Bytes::from_static(b"a picture"),
            mime: "image/gif",
            name: "picture.gif".to_owned(),
        };
        let none = ("200 OK", r#"{"data":[]}"#);
        let refusal = ("400 Bad Request", r#"{"errors":[{"message":"not unique"}]}"#);
        let one = ("200 OK", r#"{"data":[{"id":"f1"}]}"#);
        for (last, is_there) in [(one, true), (none, false)] {
            let directus = directus(vec![none, refusal, last]).await;
            assert_eq!(add_file(&directus, &picture).await.is_ok(), is_there);
        }
    }

    #[test]
    fn pictures_are_sorted_whatever_order_their_rows_have() {
        let row = json!({ "id": 7, "ref": "A-1", "imported": null, "images": [
            { "id": 3, "sort": 2, "directus_files_id": "b" },
            { "id": 4, "sort": null, "directus_files_id": "c" },
            { "id": 5, "sort": 1, "directus_files_id": "a" },
            { "id": 6, "sort": 3, "directus_files_id": null },
        ]});
        let home = Stored::from_row(&row).expect("a home");
        let files: Vec<_> = home.pictures.iter().map(|(_, file)| file.as_str()).collect();
        assert_eq!(files, ["a", "b", "c"]);
        assert_eq!((home.reference(), home.status()), ("A-1", ""));
    }
}
