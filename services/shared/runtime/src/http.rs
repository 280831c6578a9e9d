//! Listening.

use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Why a role could not listen or serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or not ours.
    #[error("cannot listen on {address}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
    /// Accepting connections failed.
    #[error("serving {address} failed")]
    Serve {
        /// The address.
        address: SocketAddr,
        /// The system's word.
        #[source]
        source: std::io::Error,
    },
}

/// Serves `router` on `address` until `shutdown`, then finishes the requests under way.
/// Handlers see the peer by axum's `ConnectInfo<SocketAddr>`.
pub async fn serve(
    address: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let listener =
        TcpListener::bind(address).await.map_err(|source| ServeError::Bind { address, source })?;
    tracing::debug!(%address, "listening");
    axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(shutdown.cancelled_owned())
        .await
        .map_err(|source| ServeError::Serve { address, source })
}
