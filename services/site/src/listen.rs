//! Listening to visitors, who are not all friendly or quick.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{body::Body, extract::ConnectInfo, response::Response};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use runtime::http::ServeError;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::door::Door;

/// How long a visitor may take for the head of a request, and keep a connection without one.
const HEAD_LIMIT: Duration = Duration::from_secs(30);
/// How long a visitor may take nothing of an answer that waits for them.
const WRITE_LIMIT: Duration = Duration::from_secs(30);
/// The most connections. More wait in the system's own queue.
const MAX_CONNECTIONS: usize = 20_000;
/// The longest head.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// How long the requests under way have when the door closes.
const CLOSING_LIMIT: Duration = Duration::from_secs(5);
/// The pause after a connection that could not be taken (no file descriptors, for one).
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// Takes `address`; connections wait there until [`listen`] answers them.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|source| ServeError::Bind { address, source })
}

/// Answers by `door` on `listener` until `shutdown`, then for a moment what is under way.
/// Handlers see the peer by axum's `ConnectInfo<SocketAddr>`.
pub async fn listen(
    listener: TcpListener,
    door: Arc<Door>,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let connections = TaskTracker::new();
    let routes = door.clone().router();
    let accepting = async {
        loop {
            match next(&listener, &places).await {
                Ok((stream, peer, place)) => {
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
                        drop((place, share));
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(AFTER_FAILURE).await;
                }
            }
        }
    };
    shutdown.run_until_cancelled(accepting).await;
    drop(listener);
    connections.close();
    if timeout(CLOSING_LIMIT, connections.wait()).await.is_err() {
        tracing::debug!(open = connections.len(), "connections are cut");
    }
    Ok(())
}

async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // An event for an open page must not wait for the answer to the one before.
    stream.set_nodelay(true)?;
    Ok((stream, peer, place))
}

/// Serves one connection to its end: the visitor's, or that of their patience with us or ours with
/// them.
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
        // Visitors leave in the middle of things: that is no news.
        tracing::trace!(%error, "a connection ended");
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// As much as no buffer between the two ends holds.
    async fn much(_: Request<Incoming>) -> Response {
        Response::new(Body::from(vec![b'x'; 1 << 20]))
    }

    #[tokio::test]
    async fn who_reads_nothing_is_let_go() {
        let (ours, mut theirs) = tokio::io::duplex(1_024);
        theirs.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.expect("a request");
        let serving = serve(ours, much, Duration::from_millis(50), CancellationToken::new());
        let ended = timeout(Duration::from_mins(1), serving).await;
        assert!(ended.is_ok(), "the connection is held for as long as the visitor likes");
    }

    #[tokio::test]
    async fn who_reads_has_all_of_it() {
        let (ours, mut theirs) = tokio::io::duplex(1_024);
        let request = b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
        theirs.write_all(request).await.expect("a request");
        let serving = tokio::spawn(serve(ours, much, WRITE_LIMIT, CancellationToken::new()));
        let mut answer = Vec::new();
        theirs.read_to_end(&mut answer).await.expect("the answer");
        assert!(answer.len() > 1 << 20, "{} bytes", answer.len());
        serving.await.expect("an end");
    }
}
