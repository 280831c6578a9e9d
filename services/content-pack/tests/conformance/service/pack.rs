//! The content pack.

use content_pack::Config;
use local_servers::free_port;
use runtime::Process;

use super::{Editor, Service, TOKEN, WEBHOOK_SECRET, folder::Folder, receiver::Receiver};

/// Starts the content pack on the current runtime.
pub async fn start() -> Service {
    let (receiver, webhook_url) = Receiver::start().await;
    let folder = Folder::copy();
    let port = free_port().expect("a free port");
    let config = Config {
        host: [127, 0, 0, 1].into(),
        port,
        content_dir: folder.path().to_owned(),
        content_token: TOKEN.into(),
        webhook_url: Some(webhook_url),
        webhook_secret: WEBHOOK_SECRET.into(),
    };
    let process = Process::new();
    content_pack::run(config, &process).await.expect("the pack starts");
    let url = format!("http://127.0.0.1:{port}/").parse().expect("an address");
    wait_until_ready(&url).await;
    Service::new(url, receiver, Editor::Folder(folder))
}

async fn wait_until_ready(url: &url::Url) {
    let ping = url.join("server/ping").expect("a path");
    testkit::eventually("the pack answers", async || reqwest::get(ping.clone()).await.ok()).await;
}
