//! Listening to visitors, who are not all friendly or quick.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, extract::ConnectInfo};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use runtime::http::ServeError;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

/// How long a visitor may take for the head of a request, and keep a connection without one.
const HEAD_LIMIT: Duration = Duration::from_secs(30);
/// The most connections. More wait in the system's own queue.
const MOST_CONNECTIONS: usize = 20_000;
/// The longest head.
const MOST_HEAD_BYTES: usize = 64 << 10;
/// How long the requests under way have when the door closes.
const CLOSING_LIMIT: Duration = Duration::from_secs(5);
/// The pause after a connection that could not be taken (no file descriptors, for one).
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// Serves `router` on `address` until `shutdown`, then for a moment what is under way.
/// Handlers see the peer by axum's `ConnectInfo<SocketAddr>`.
pub async fn listen(
    address: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let listener =
        TcpListener::bind(address).await.map_err(|source| ServeError::Bind { address, source })?;
    tracing::debug!(%address, "listening");
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let connections = TaskTracker::new();
    let accepting = async {
        loop {
            match next(&listener, &places).await {
                Ok((stream, peer, place)) => {
                    let serving = serve(stream, peer, router.clone(), shutdown.clone());
                    connections.spawn(async move {
                        serving.await;
                        drop(place);
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

async fn serve(stream: TcpStream, peer: SocketAddr, router: Router, shutdown: CancellationToken) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_LIMIT)
        .max_buf_size(MOST_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
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
        tracing::trace!(%peer, %error, "a connection ended");
    }
}
