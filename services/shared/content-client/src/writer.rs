//! What callers write into the service: items that are not content, such as enquiries and redirects.

use std::{fmt::Display, time::Duration};

use reqwest::Method;
use secrecy::SecretString;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use url::Url;

use crate::{error::Error, transport::Transport};

/// The items of one collection, for a caller whose token may do there only what it needs.
#[derive(Clone, Debug)]
pub struct Writer {
    transport: Transport,
    path: String,
    timeout: Duration,
}

impl Writer {
    /// The code of the service's error that an item with this key, or another value of which there may be
    /// only one, exists already.
    pub const NOT_UNIQUE: &str = "RECORD_NOT_UNIQUE";

    /// Creates a client of `collection` in the service at `base`. Each call may take `timeout`.
    pub fn new(
        base: Url,
        token: SecretString,
        collection: &str,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let transport = Transport::new(base, token).map_err(Error::Unreachable)?;
        Ok(Self { transport, path: format!("/items/{collection}"), timeout })
    }

    /// Creates `item`.
    pub async fn create(&self, item: &impl Serialize) -> Result<(), Error> {
        self.transport.send(Method::POST, &self.path, item, self.timeout).await
    }

    /// Updates the item with this `key`. The service answers as if it had succeeded if there is none.
    pub async fn update(&self, key: impl Display, item: &impl Serialize) -> Result<(), Error> {
        let path = format!("{}/{key}", self.path);
        self.transport.send(Method::PATCH, &path, item, self.timeout).await
    }

    /// Deletes all items that match `filter`.
    pub async fn delete(&self, filter: &Value) -> Result<(), Error> {
        let query = json!({ "query": { "filter": filter, "limit": -1 } });
        self.transport.send(Method::DELETE, &self.path, &query, self.timeout).await
    }

    /// Reads the items that match `query`.
    pub async fn read<T: DeserializeOwned>(
        &self,
        query: &[(&str, String)],
    ) -> Result<Vec<T>, Error> {
        let answer = self.transport.get(&self.path, query, self.timeout).await?;
        Ok(answer.data)
    }
}
