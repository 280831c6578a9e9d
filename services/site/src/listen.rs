//! Accepts and serves connections, with limits against slow or hostile clients.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{body::Body, extract::ConnectInfo, response::Response};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use runtime::{error_text, http::ServeError};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::door::Door;

/// How long a client may take to send the head of a request, which is also how long an idle connection
/// is kept.
const HEAD_LIMIT: Duration = Duration::from_secs(30);
/// How long a client may read nothing of an answer.
const WRITE_LIMIT: Duration = Duration::from_secs(30);
/// The maximum number of open connections. More wait in the kernel's backlog.
const MAX_CONNECTIONS: usize = 20_000;
/// The maximum size of a request's head.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// How long requests in flight may take after shutdown began.
const CLOSING_LIMIT: Duration = Duration::from_secs(5);
/// The pause after a connection could not be accepted (for example, for lack of file descriptors).
const ACCEPT_RETRY_PAUSE: Duration = Duration::from_millis(50);

/// Binds `address`. Connections wait in the backlog until [`listen`] accepts them.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|source| ServeError::Bind { address, source })
}

/// Serves `door` on `listener` until `shutdown`, and then for up to [`CLOSING_LIMIT`] the requests in
/// flight. Handlers get the peer's address as axum's `ConnectInfo<SocketAddr>`.
pub async fn listen(
    listener: TcpListener,
    door: Arc<Door>,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let connections = TaskTracker::new();
    let routes = door.clone().router();
    let accepting = async {
        loop {
            match accept(&listener, &permits).await {
                Ok((stream, peer, permit)) => {
                    let Some(share) = door.rate.connection(peer) else {
                        door.counters.limited.increment(1);
                        continue;
                    };
                    let answer = {
                        let (door, routes) = (door.clone(), routes.clone());
                        move |mut request: Request<Incoming>| {
                            request.extensions_mut().insert(ConnectInfo(peer));
                            let (door, routes) = (door.clone(), routes.clone());
                            async move { door.answer(routes, request.map(Body::new)).await }
                        }
                    };
                    let serving = serve(stream, answer, WRITE_LIMIT, shutdown.clone());
                    connections.spawn(async move {
                        serving.await;
                        drop((permit, share));
                    });
                }
                Err(error) => {
                    tracing::warn!(
                        error = error_text(&error),
                        "a connection could not be accepted"
                    );
                    tokio::time::sleep(ACCEPT_RETRY_PAUSE).await;
                }
            }
        }
    };
    shutdown.run_until_cancelled(accepting).await;
    drop(listener);
    connections.close();
    if timeout(CLOSING_LIMIT, connections.wait()).await.is_err() {
        tracing::debug!(open = connections.len(), "closing the open connections");
    }
    Ok(())
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = permits.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // Without this, Nagle's algorithm would hold back an event until the previous one is acknowledged.
    stream.set_nodelay(true)?;
    Ok((stream, peer, permit))
}

/// Serves one connection until the client closes it, a timeout expires, or `shutdown`.
async fn serve<S, A, F>(stream: S, answer: A, write_limit: Duration, shutdown: CancellationToken)
where
    S: AsyncRead + AsyncWrite,
    A: Fn(Request<Incoming>) -> F,
    F: Future<Output = Response>,
{
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(write_limit));
    let service = service_fn(|request| {
        let answered = answer(request);
        async move { Ok::<_, Infallible>(answered.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_LIMIT)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // Clients often disconnect in the middle of a request: this is not worth more.
        tracing::trace!(error = error_text(&error), "a connection ended");
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Answers with a body larger than all buffers between the two ends.
    async fn large_answer(_: Request<Incoming>) -> Response {
        Response::new(Body::from(vec![b'x'; 1 << 20]))
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let (server, mut client) = tokio::io::duplex(1_024);
        client.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.expect("a request");
        let serving =
            serve(server, large_answer, Duration::from_millis(50), CancellationToken::new());
        let ended = timeout(Duration::from_mins(1), serving).await;
        assert!(ended.is_ok(), "the connection is held for as long as the visitor likes");
    }

    #[tokio::test]
    async fn a_client_that_reads_gets_the_complete_answer() {
        let (server, mut client) = tokio::io::duplex(1_024);
        let request = b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
        client.write_all(request).await.expect("a request");
        let serving =
            tokio::spawn(serve(server, large_answer, WRITE_LIMIT, CancellationToken::new()));
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.expect("the answer");
        assert!(answer.len() > 1 << 20, "{} bytes", answer.len());
        serving.await.expect("an end");
    }
}
