//! Tests the pools of connections with a real server whose host vanishes.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

use std::{future::pending, time::Duration};

use runtime::postgres::{connect, connect_to_read};
use secrecy::SecretString;
use sqlx::PgPool;
use testkit::{Database, eventually, postgres};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// The maximum number of connections of each pool.
const CONNECTIONS: u32 = 2;

/// The network between a role and Postgres.
struct Network {
    url: SecretString,
    vanished: watch::Sender<()>,
}

impl Network {
    async fn to(database: &Database) -> Self {
        let server = database.port();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let url = database.plain_url().replace(&format!(":{server}/"), &format!(":{port}/"));
        let vanished = watch::Sender::new(());
        let hosts = vanished.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut host_changes = hosts.subscribe();
                tokio::spawn(async move {
                    let mut server =
                        TcpStream::connect(("127.0.0.1", server)).await.expect("postgres answers");
                    tokio::select! {
                        _closed = copy_bidirectional(&mut client, &mut server) => {}
                        // Both ends stay open.
                        _ = host_changes.changed() => pending().await,
                    }
                });
            }
        });
        Self { url: url.into(), vanished }
    }

    /// Loses the server's host, as in a power cut: nothing passes over the present connections any more,
    /// and nobody closes them. New ones reach the server, like one that takes the host's place.
    fn lose_host(&self) {
        self.vanished.send_replace(());
    }
}

/// Opens all connections of `pool`, and returns them to it.
async fn fill(pool: &PgPool) {
    let mut opened = Vec::new();
    for _ in 0..CONNECTIONS {
        opened.push(pool.acquire().await.expect("postgres answers"));
    }
    drop(opened);
    eventually("idle connections", async || {
        (pool.num_idle() == CONNECTIONS as usize).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_to_a_host_that_vanished_do_not_occupy_the_pool() {
    let database = postgres().await.database("vanished").await;
    let network = Network::to(&database).await;
    let pool = connect(&network.url, "test", CONNECTIONS).expect("an address");
    fill(&pool).await;
    network.lose_host();
    eventually("an answer", async || {
        let statement = sqlx::query("select 1").execute(&pool);
        let answered = tokio::time::timeout(Duration::from_millis(500), statement).await;
        answered.ok()?.ok()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_vanished_fails_no_request_of_a_role_that_reads() {
    let database = postgres().await.database("vanished_to_read").await;
    let network = Network::to(&database).await;
    let pool = connect_to_read(&network.url, "test", CONNECTIONS).expect("an address");
    fill(&pool).await;
    network.lose_host();
    for _ in 0..=CONNECTIONS {
        sqlx::query("select 1").execute(&pool).await.expect("another connection is used");
    }
}
