//! The connection to NATS.

use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, jetstream, jetstream::Context};
use contracts::{Checkpoint, Sequence};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::{
    Error, Hints, Publisher, Reader, StreamState, VisitorEvent, VisitorEvents, VisitorRecord,
    stream, visitor,
};

/// The longest that a request to the server may take.
pub(crate) const REQUEST_LIMIT: Duration = Duration::from_secs(3);
/// The longest pause between two tries to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A connection that comes back by itself. Clones share it.
#[derive(Clone, Debug)]
pub struct EventLog {
    client: Client,
    context: Context,
}

impl EventLog {
    /// Connects to `url` (`nats://user:password@host:port`) under `name`.
    ///
    /// A server that is away is no error: the connection is made as soon as it is there.
    pub async fn connect(url: &SecretString, name: &str) -> Result<Self, Error> {
        let parsed = Url::parse(url.expose_secret())
            .map_err(|error| Error::InvalidUrl(error.to_string()))?;
        let host =
            parsed.host_str().ok_or_else(|| Error::InvalidUrl("it names no host".to_owned()))?;
        let scheme = parsed.scheme();
        let server = format!("{scheme}://{host}:{}", parsed.port().unwrap_or(4222));
        let mut options = ConnectOptions::new()
            .name(name)
            .retry_on_initial_connect()
            .max_reconnects(None)
            .connection_timeout(REQUEST_LIMIT)
            .request_timeout(Some(REQUEST_LIMIT))
            .reconnect_delay_callback(|tries| {
                LONGEST_PAUSE.min(
                    Duration::from_millis(20)
                        .saturating_mul(u32::try_from(tries).unwrap_or(u32::MAX)),
                )
            })
            .event_callback(async |event| match event {
                Event::Connected => tracing::info!("connected to nats"),
                Event::Disconnected => tracing::warn!("nats is away"),
                other => tracing::debug!(event = %other, "nats"),
            });
        if !parsed.username().is_empty() {
            let password = parsed.password().unwrap_or_default().to_owned();
            options = options.user_and_password(parsed.username().to_owned(), password);
        }
        let client = options.connect(server).await.map_err(|error| Error::unavailable(&error))?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(REQUEST_LIMIT);
        Ok(Self { client, context })
    }

    /// Whether the connection stands now.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    /// The writing side; for the one relay that leads.
    pub fn publisher(&self) -> Publisher {
        Publisher::new(self.context.clone())
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
        tokio::time::timeout(REQUEST_LIMIT, sent)
            .await
            .map_err(|_| Error::Unavailable("a hint was not sent in time".to_owned()))?
    }

    /// The hints on `subject` from now on, also across reconnections.
    pub async fn hints(&self, subject: &'static str) -> Result<Hints, Error> {
        let subscribe = self.client.subscribe(subject);
        let subscriber = tokio::time::timeout(REQUEST_LIMIT, subscribe)
            .await
            .map_err(|_| Error::Unavailable("no subscription in time".to_owned()))?
            .map_err(|error| Error::unavailable(&error))?;
        Ok(Hints::new(subscriber))
    }

    /// Makes the stream `VISITOR` where there is none. Where it is missing, an event that is published
    /// waits for an acknowledgement in vain: whoever listens keeps the server from saying so.
    pub async fn make_visitor_stream(&self) -> Result<(), Error> {
        visitor::make_stream(&self.context).await
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
