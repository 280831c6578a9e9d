//! Tests of fetching, and of refusing to.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;

/// A picture of one pixel.
const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\
\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// A server with an answer for each path.
async fn server() -> String {
    runtime::install_crypto_provider();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 1024];
            let read = stream.read(&mut request).await.unwrap_or_default();
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            let answer = match path.split('?').next().unwrap_or_default() {
                "/sea-view.gif" => body(GIF),
                "/again.php" => redirect_to("/sea-view.gif"),
                "/wide.gif" => body(&[&GIF[..6], b"\x01\x40", &GIF[8..]].concat()),
                "/round" => redirect_to("/round"),
                "/file" => redirect_to("file:///etc/passwd"),
                "/page.jpg" => body(b"<html>not found</html>"),
                "/huge.jpg" => format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    1_u64 << 40
                )
                .into_bytes()
                .into_iter()
                .chain(std::iter::repeat_n(0, MAX_PICTURE_BYTES + 1))
                .collect(),
                _ => b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_vec(),
            };
            // The client closes the connection when it has read enough.
            let _closed = stream.write_all(&answer).await;
        }
    });
    address
}

fn body(bytes: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", bytes.len());
    [head.as_bytes(), bytes].concat()
}

fn redirect_to(path: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 302 Found\r\nlocation: {path}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
    .into_bytes()
}

#[tokio::test]
async fn a_picture_is_fetched_within_its_limits() {
    let server = server().await;
    let fetcher = Fetcher::new(FetchLimits { allow_private: true }).expect("a client");
    let picture = fetcher.picture(&format!("{server}/sea-view.gif")).await.expect("a picture");
    assert_eq!((picture.mime, picture.name.as_str()), ("image/gif", "sea-view.gif"));
    let again = fetcher.picture(&format!("{server}/again.php")).await.expect("a picture");
    assert_eq!(again.file, picture.file, "the same picture is the same file");
    for (path, words) in [
        ("/none.jpg", "the server answered 404"),
        ("/page.jpg", "it is no JPEG"),
        ("/huge.jpg", "larger than 32 MB"),
        ("/wide.gif", "16385 × 1 pixels"),
        ("/round", "redirected too often"),
        ("/file", "the server answered 302"),
    ] {
        let refused = fetcher.picture(&format!("{server}{path}")).await.expect_err(path);
        assert!(refused.contains(words), "{path}: {refused}");
    }
    let refused = fetcher.picture("none").await.expect_err("no address");
    assert!(refused.contains("not a valid address"), "{refused}");
}

#[tokio::test]
async fn private_addresses_are_refused() {
    let server = server().await;
    let fetcher = Fetcher::new(FetchLimits::default()).expect("a client");
    let port = server.rsplit(':').next().unwrap_or_default().to_owned();
    for address in
        [format!("{server}/sea-view.gif"), format!("http://localhost:{port}/sea-view.gif")]
    {
        let refused = fetcher.picture(&address).await.expect_err("it is of this machine");
        assert!(refused.contains("not a public address"), "{address}: {refused}");
    }
}

#[test]
fn secrets_are_removed_from_an_address() {
    let url = "https://user:word@feeds.example/kyero.xml?token=word#a".parse().expect("an address");
    assert_eq!(without_query(&url), "https://feeds.example/kyero.xml");
}
