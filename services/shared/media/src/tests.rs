use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread::available_parallelism,
    time::Instant,
};

use pictures::RgbImage;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    time::sleep,
};
use uuid::Uuid;

use super::*;

const DEADLINE: Duration = Duration::from_secs(30);

/// Starts a content service that returns the same picture for every name. Returns its URL and a counter
/// of requests.
async fn content() -> (Url, Arc<AtomicUsize>) {
    let image = DynamicImage::ImageRgb8(RgbImage::new(40, 30));
    let original = pictures::encode(&image, Format::Jpeg).expect("a picture");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let requests = Arc::<AtomicUsize>::default();
    let counter = requests.clone();
    tokio::spawn(async move {
        'next: while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                if stream.read_buf(&mut request).await.expect("a part of it") == 0 {
                    continue 'next;
                }
            }
            counter.fetch_add(1, Ordering::SeqCst);
            let length = original.len();
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await.expect("it is read");
            stream.write_all(&original).await.expect("it is read");
        }
    });
    (url.parse().expect("an address"), requests)
}

#[tokio::test]
async fn waiting_pictures_do_not_hold_their_originals_in_memory() {
    runtime::install_crypto_provider();
    let (content_url, requests) = content().await;
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings {
        content_url,
        content_token: "none".into(),
        folder: folder.path().to_owned(),
        disk_bytes: 1 << 20,
        original_bytes: 64 << 20,
        decoded_bytes: 64 << 20,
        work_bytes: 64 << 20,
    };
    let media = Arc::new(Media::open(settings).await.expect("a folder"));
    let threads = available_parallelism().map_or(1, usize::from);
    let (open, gate) = mpsc::channel::<()>();
    let gate = Arc::new(Mutex::new(gate));
    let held: Vec<_> = (0..threads)
        .map(|_| {
            let (media, gate) = (media.clone(), gate.clone());
            let job = move || gate.lock().is_ok_and(|gate| gate.recv().is_err());
            tokio::spawn(async move { media.avif_workers.run(1, job).await })
        })
        .collect();
    let pictures: Vec<_> = (0..20 + threads)
        .map(|_| {
            let path = format!("/media/{}/1/160.avif", Uuid::new_v4());
            let address = Address::parse(&path).expect("an address");
            let media = media.clone();
            tokio::spawn(async move { media.scale(&address).await })
        })
        .collect();
    let until = Instant::now() + DEADLINE;
    while requests.load(Ordering::SeqCst) <= threads {
        assert!(Instant::now() < until, "no thread would have to wait for an original");
        sleep(Duration::from_millis(5)).await;
    }
    // Enough time to fetch all originals.
    sleep(Duration::from_millis(300)).await;
    assert_eq!(requests.load(Ordering::SeqCst), threads + 1);
    assert_eq!(media.load().waiting, 20);

    drop(open);
    for held in held {
        assert_eq!(held.await.expect("a task").ok(), Some(true));
    }
    for picture in pictures {
        assert!(picture.await.expect("a task").is_ok());
    }
}
