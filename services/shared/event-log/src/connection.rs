//! The connection to NATS.

use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, ServerAddr, jetstream, jetstream::Context};
use chrono::{DateTime, Utc};
use contracts::{Checkpoint, Sequence};
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::{
    Error, Hints, Publisher, Reader, StreamState, VisitorEvent, VisitorEvents, VisitorRecord,
    limits::{REQUEST_LIMIT, in_time},
    stream, visitor,
};

/// The longest pause between two tries to connect.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// A connection that comes back by itself. Clones share it.
#[derive(Clone, Debug)]
pub struct EventLog {
    client: Client,
    context: Context,
    /// None where nobody said on how many servers its streams are to be.
    replicas: Option<usize>,
}

impl EventLog {
    /// Connects to `url` (`nats://user:password@host:port`) under `name`. The servers of a cluster may
    /// follow each other, separated by commas; who connects stands in the first.
    ///
    /// A server that is away is no error: the connection is made as soon as it is there.
    pub async fn connect(url: &SecretString, name: &str) -> Result<Self, Error> {
        let Servers { addresses, user } = servers(url.expose_secret())?;
        let mut options = ConnectOptions::new()
            .name(name)
            .retry_on_initial_connect()
            .max_reconnects(None)
            .connection_timeout(REQUEST_LIMIT)
            .request_timeout(Some(REQUEST_LIMIT))
            .reconnect_delay_callback(|tries| {
                MAX_PAUSE.min(
                    Duration::from_millis(20)
                        .saturating_mul(u32::try_from(tries).unwrap_or(u32::MAX)),
                )
            })
            .event_callback(async |event| match event {
                Event::Connected => tracing::info!("connected to nats"),
                Event::Disconnected => tracing::warn!("nats is away"),
                other => tracing::debug!(event = %other, "nats"),
            });
        if let Some((name, password)) = user {
            options = options.user_and_password(name, password);
        }
        let client =
            options.connect(&addresses[..]).await.map_err(|error| Error::unavailable(&error))?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(REQUEST_LIMIT);
        Ok(Self { client, context, replicas: None })
    }

    /// The same, which makes its streams on `replicas` servers of a cluster.
    #[must_use]
    pub fn with_replicas(self, replicas: u8) -> Self {
        Self { replicas: Some(usize::from(replicas)), ..self }
    }

    /// The writing side; for the one relay that leads.
    pub fn publisher(&self) -> Publisher {
        Publisher::new(self.context.clone(), self.replicas.unwrap_or(1))
    }

    /// Reads the log from after `checkpoint` on.
    pub fn reader(&self, checkpoint: Checkpoint) -> Reader {
        Reader::new(self.context.clone(), checkpoint)
    }

    /// What the stream holds now; none where there is no stream.
    pub async fn stream_state(&self) -> Result<Option<StreamState>, Error> {
        stream::state(&self.context).await
    }

    /// Wakes whoever listens to `subject`, if anybody does. It may be lost.
    pub async fn hint(&self, subject: &'static str, position: Sequence) -> Result<(), Error> {
        let publish = self.client.publish(subject, position.to_string().into());
        let sent = async {
            publish.await.map_err(|error| Error::unavailable(&error))?;
            self.client.flush().await.map_err(|error| Error::unavailable(&error))
        };
        in_time("a hint was not sent", sent).await?
    }

    /// The hints on `subject` from now on, also across reconnections.
    pub async fn hints(&self, subject: &'static str) -> Result<Hints, Error> {
        let subscriber = in_time("no subscription", self.client.subscribe(subject))
            .await?
            .map_err(|error| Error::unavailable(&error))?;
        Ok(Hints::new(subscriber))
    }

    /// Makes the stream `VISITOR` where there is none; gives when it was made, for it remembers nothing of
    /// before. Where it is missing, an event that is published waits for an acknowledgement in vain:
    /// whoever listens keeps the server from saying so.
    pub async fn make_visitor_stream(&self) -> Result<DateTime<Utc>, Error> {
        visitor::make_stream(&self.context, self.replicas).await
    }

    /// Puts `event` on the stream `VISITOR`; it is there once the call is back.
    pub async fn publish_visitor_event(&self, event: &VisitorEvent) -> Result<(), Error> {
        visitor::publish(&self.context, event).await
    }

    /// What happened of `kind`, as far as the stream remembers, the oldest first.
    pub async fn visitor_records(&self, kind: &str) -> Result<Vec<VisitorRecord>, Error> {
        visitor::records_of(&self.context, kind).await
    }

    /// The events of visitors from now on, also across reconnections; each may be lost.
    pub async fn visitor_events(&self) -> Result<VisitorEvents, Error> {
        visitor::subscribe(&self.client).await
    }
}

/// Where the servers are, and as whom to connect.
#[derive(Debug)]
struct Servers {
    addresses: Vec<ServerAddr>,
    user: Option<(String, String)>,
}

/// Reads `nats://user:password@host:port`, or several of that with commas between them.
fn servers(text: &str) -> Result<Servers, Error> {
    let wrong = |reason: &str| Error::InvalidUrl(reason.to_owned());
    let mut addresses = Vec::new();
    let mut user = None;
    for address in text.split(',') {
        let url = Url::parse(address.trim()).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(url.scheme(), "nats" | "tls") {
            return Err(wrong("it has to begin with nats:// or tls://"));
        }
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or_else(|| wrong("it names no host"))?;
        let server = format!("{}://{host}:{}", url.scheme(), url.port().unwrap_or(4222));
        addresses.push(server.parse().map_err(|_| wrong("its host can't be read"))?);
        if user.is_none() && !url.username().is_empty() {
            let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
            user = Some((decoded(url.username()), decoded(url.password().unwrap_or_default())));
        }
    }
    Ok(Servers { addresses, user })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_is_its_servers_with_commas_between_them() -> Result<(), Error> {
        let read = servers("nats://sync:p%40ss@a:4222, nats://b,tls://c:4333")?;
        let addresses: Vec<_> =
            read.addresses.iter().map(|address| (address.host(), address.port())).collect();
        assert_eq!(addresses, [("a", 4222), ("b", 4222), ("c", 4333)]);
        assert_eq!(read.user, Some(("sync".to_owned(), "p@ss".to_owned())));
        assert_eq!(servers("nats://a")?.user, None);
        Ok(())
    }

    #[test]
    fn what_is_no_address_of_nats_is_refused_without_its_password() {
        for wrong in ["", "almijara", "http://u:word@a:4222", "nats://u:word@a,", "nats:///x"] {
            let refusal = servers(wrong).expect_err(wrong).to_string();
            assert!(refusal.starts_with("NATS_URL is not an address of NATS: "), "{refusal}");
            assert!(!refusal.contains("word"), "{refusal}");
        }
    }
}
