//! The HTTP client for the content service.

use std::time::Duration;

/// How long an idle connection is reused: less than the five seconds after which Node, on which Directus
/// runs, closes an idle connection. A request sent at that moment fails, and one that changes something
/// is not retried. The margin is for busy machines, where the client's idle time starts later than the
/// service's.
const IDLE_LIMIT: Duration = Duration::from_secs(3);

/// Returns a builder of a client for the content service. The caller sets the response timeout.
pub fn content_service_client() -> reqwest::ClientBuilder {
    reqwest::Client::builder().pool_idle_timeout(IDLE_LIMIT).no_proxy()
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::{Router, extract::ConnectInfo, routing::get};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn an_idle_connection_is_not_reused_after_the_idle_limit() {
        crate::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let caller =
            get(|ConnectInfo(caller): ConnectInfo<SocketAddr>| async move { caller.to_string() });
        let router = Router::new().route("/", caller);
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        let client = content_service_client().build().expect("a client");
        let ask = async || {
            let answer = client.get(format!("http://{address}/")).send().await;
            answer.expect("an answer").text().await.expect("the peer address")
        };
        let before = ask().await;
        // Just longer than the idle limit.
        tokio::time::sleep(IDLE_LIMIT + Duration::from_secs(1)).await;
        assert_ne!(ask().await, before);
    }
}
