//! The client of the content service.

use std::time::Duration;

/// Less than the five seconds after which Node, on which Directus runs, closes a connection at rest: a
/// request that is sent just then fails, and what changes something is not sent a second time. A busy
/// machine notes that a connection rests later than the service does.
const IDLE_LIMIT: Duration = Duration::from_secs(3);

/// The beginnings of a client of the content service; how long that may take to answer is its owner's to
/// say.
pub fn content_service() -> reqwest::ClientBuilder {
    reqwest::Client::builder().pool_idle_timeout(IDLE_LIMIT).no_proxy()
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::{Router, extract::ConnectInfo, routing::get};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_connection_that_rested_is_not_used_again() {
        crate::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let caller =
            get(|ConnectInfo(caller): ConnectInfo<SocketAddr>| async move { caller.to_string() });
        let router = Router::new().route("/", caller);
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        let client = content_service().build().expect("a client");
        let ask = async || {
            let answer = client.get(format!("http://{address}/")).send().await;
            answer.expect("an answer").text().await.expect("who asked")
        };
        let before = ask().await;
        // Until it has rested for long enough, and not a moment less.
        tokio::time::sleep(IDLE_LIMIT + Duration::from_secs(1)).await;
        assert_ne!(ask().await, before);
    }
}
