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
    stream,
    timeout::{REQUEST_TIMEOUT, in_time},
    visitor,
};

/// The maximum pause between two attempts to connect.
const MAX_PAUSE: Duration = Duration::from_secs(1);
/// How often a silent server is asked whether it is there. The client leaves it for another one when two of
/// these questions are unanswered and the third is due.
const PING_INTERVAL: Duration = Duration::from_secs(2);

/// A connection to NATS that reconnects automatically. Clones share it.
#[derive(Clone, Debug)]
pub struct EventLog {
    client: Client,
    context: Context,
    /// On how many servers its streams are stored; `None` if not configured.
    replicas: Option<usize>,
}

impl EventLog {
    /// Connects to `url` (`nats://user:password@host:port`) under the client name `name`. A cluster is
    /// given as several such URLs separated by commas, with the credentials in the first.
    ///
    /// An unreachable server is not an error: the client connects as soon as the server is up.
    pub async fn connect(url: &SecretString, name: &str) -> Result<Self, Error> {
        let Servers { addresses, user } = parse_servers(url.expose_secret())?;
        let mut options = ConnectOptions::new()
            .name(name)
            .retry_on_initial_connect()
            .max_reconnects(None)
            .connection_timeout(REQUEST_TIMEOUT)
            .ping_interval(PING_INTERVAL)
            .request_timeout(Some(REQUEST_TIMEOUT))
            .reconnect_delay_callback(|tries| {
                MAX_PAUSE.min(
                    Duration::from_millis(20)
                        .saturating_mul(u32::try_from(tries).unwrap_or(u32::MAX)),
                )
            })
            .event_callback(async |event| match event {
                Event::Connected => tracing::info!("connected to nats"),
                Event::Disconnected => tracing::warn!("lost the connection to nats"),
                other => tracing::debug!(event = %other, "nats"),
            });
        if let Some((name, password)) = user {
            options = options.user_and_password(name, password);
        }
        let client = options.connect(&addresses[..]).await.map_err(Error::unavailable)?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(REQUEST_TIMEOUT);
        Ok(Self { client, context, replicas: None })
    }

    /// Has this connection create its streams on `replicas` servers of a cluster, as [`stream_replicas`]
    /// reads them.
    #[must_use]
    pub fn with_replicas(self, replicas: u8) -> Self {
        Self { replicas: Some(usize::from(replicas)), ..self }
    }

    /// Returns the writing side of the log, for the leading relay only.
    pub fn publisher(&self) -> Publisher {
        Publisher::new(self.context.clone(), self.replicas.unwrap_or(1))
    }

    /// Returns a reader of the messages after `checkpoint`.
    pub fn reader(&self, checkpoint: Checkpoint) -> Reader {
        Reader::new(self.context.clone(), checkpoint)
    }

    /// Returns the current state of the stream; `None` if there is no stream.
    pub async fn stream_state(&self) -> Result<Option<StreamState>, Error> {
        stream::state(&self.context).await
    }

    /// Sends a hint with `position` to the subscribers of `subject`. It may be lost.
    pub async fn hint(&self, subject: &'static str, position: Sequence) -> Result<(), Error> {
        let publish = self.client.publish(subject, position.to_string().into());
        let sent = async {
            publish.await.map_err(Error::unavailable)?;
            self.client.flush().await.map_err(Error::unavailable)
        };
        in_time("a hint was not sent", sent).await?
    }

    /// Subscribes to the hints on `subject`, across reconnections too.
    pub async fn hints(&self, subject: &'static str) -> Result<Hints, Error> {
        let subscriber = in_time("no subscription", self.client.subscribe(subject))
            .await?
            .map_err(Error::unavailable)?;
        Ok(Hints::new(subscriber))
    }

    /// Creates the stream `VISITOR` if it is missing. Returns since when it has all events: it has none from
    /// before its creation, and may have dropped some when it was full. Without the stream, publishing an
    /// event waits for an acknowledgement until it times out, because with a subscriber on the subject the
    /// server does not report "no responders".
    pub async fn ensure_visitor_stream(&self) -> Result<DateTime<Utc>, Error> {
        visitor::ensure_stream(&self.context, self.replicas).await
    }

    /// Publishes `event` to the stream `VISITOR` and waits for the acknowledgement.
    pub async fn publish_visitor_event(&self, event: &VisitorEvent) -> Result<(), Error> {
        visitor::publish(&self.context, event).await
    }

    /// Returns the retained events of `kind`, the oldest first.
    pub async fn visitor_records(&self, kind: &str) -> Result<Vec<VisitorRecord>, Error> {
        visitor::records_of(&self.context, kind).await
    }

    /// Subscribes to the events of visitors, across reconnections too. Each event may be lost.
    pub async fn visitor_events(&self) -> Result<VisitorEvents, Error> {
        visitor::subscribe(&self.client).await
    }
}

/// Parses how many servers store a stream. A clap value parser.
///
/// # Errors
/// Any number but 1, 3 and 5: an even one stops as soon as half of the servers are lost, so it is no safer
/// than the odd one below it.
pub fn stream_replicas(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(replicas @ (1 | 3 | 5)) => Ok(replicas),
        _ => Err("it has to be 1, 3 or 5".to_owned()),
    }
}

/// The servers' addresses, and the credentials to connect with.
#[derive(Debug)]
struct Servers {
    addresses: Vec<ServerAddr>,
    user: Option<(String, String)>,
}

/// Parses `nats://user:password@host:port`, or several of these separated by commas.
fn parse_servers(text: &str) -> Result<Servers, Error> {
    let wrong = |reason: &str| Error::InvalidUrl(reason.into());
    let mut addresses = Vec::new();
    let mut user = None;
    for address in text.split(',') {
        let url = Url::parse(address.trim()).map_err(|error| Error::InvalidUrl(error.into()))?;
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
    fn servers_of_a_cluster_are_separated_by_commas() -> Result<(), Error> {
        let parsed = parse_servers("nats://sync:p%40ss@a:4222, nats://b,tls://c:4333")?;
        let addresses: Vec<_> =
            parsed.addresses.iter().map(|address| (address.host(), address.port())).collect();
        assert_eq!(addresses, [("a", 4222), ("b", 4222), ("c", 4333)]);
        assert_eq!(parsed.user, Some(("sync".to_owned(), "p@ss".to_owned())));
        assert_eq!(parse_servers("nats://a")?.user, None);
        Ok(())
    }

    #[test]
    fn an_invalid_nats_address_is_refused_without_quoting_its_password() {
        for wrong in ["", "almijara", "http://u:word@a:4222", "nats://u:word@a,", "nats:///x"] {
            let refusal = parse_servers(wrong).expect_err(wrong);
            assert!(matches!(refusal, Error::InvalidUrl(_)), "{refusal:?}");
            assert!(!format!("{refusal:?}").contains("word"), "{refusal:?}");
        }
    }
}
