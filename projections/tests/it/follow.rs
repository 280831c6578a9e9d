//! The role as it runs: following, a new epoch, a rebuild beside it.

use contracts::{Epoch, Sequence, content::Snapshot};
use event_log::{EventLog, Publisher};
use runtime::Process;
use sqlx::{Executor as _, PgPool};
use testkit::{Database, Nats, eventually};

use crate::fixtures::{dump, home, id, removed, shown, upserted};

struct Running {
    nats: Nats,
    database: Database,
    pool: PgPool,
    publisher: Publisher,
    process: Process,
}

impl Running {
    async fn start(name: &str) -> Self {
        let nats = Nats::start().await;
        let database = testkit::postgres().await.database(name).await;
        let log = EventLog::connect(&nats.url(), "test").await.expect("nats answers");
        let publisher = log.publisher();
        publisher.recreate(Epoch(0)).await.expect("the stream can be made");
        let process = Process::new();
        let running = Self { pool: database.pool(), nats, database, publisher, process };
        running.start_role(&running.process).await;
        running
    }

    async fn start_role(&self, process: &Process) {
        let config =
            projections::Config { database_url: self.database.url(), nats_url: self.nats.url() };
        projections::run(config, process).await.expect("the role starts");
    }

    async fn publish(&self, epoch: u32, event: &contracts::Event) -> Sequence {
        let published = self.publisher.publish(event, Epoch(epoch), None).await;
        published.expect("the event can be published")
    }

    async fn wait_for(&self, position: Sequence) {
        eventually(&format!("the read models stand at {position}"), async || {
            let found: Option<i64> =
                sqlx::query_scalar("select sequence from read.checkpoint where live")
                    .fetch_optional(&self.pool)
                    .await
                    .ok()?;
            (found? >= position.to_i64()).then_some(())
        })
        .await;
    }
}

fn priced(key: &str, version: i64, price: i64) -> contracts::Event {
    upserted(&id(key), version, Snapshot::Properties(home(&format!("AH-{key}"), "nerja", price)))
}

#[tokio::test]
async fn a_new_epoch_is_read_from_its_start_and_changes_only_what_is_newer() {
    let running = Running::start("epoch").await;
    running.publish(0, &priced("1", 1, 100)).await;
    running.publish(0, &priced("2", 1, 100)).await;
    let end = running.publish(0, &removed(&id("2"), 2)).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(100))));

    running.publisher.recreate(Epoch(1)).await.expect("the stream can be made anew");
    running.publish(1, &priced("1", 1, 100)).await;
    running.publish(1, &priced("2", 1, 100)).await;
    running.publish(1, &removed(&id("2"), 2)).await;
    let end = running.publish(1, &priced("1", 2, 90)).await;
    assert_eq!(end, Sequence::new(Epoch(1), 4));
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(90))));
    assert_eq!(shown(&running.pool, "2").await, None);
    let changes: Vec<i64> = sqlx::query_scalar("select sequence from read.change order by 1")
        .fetch_all(&running.pool)
        .await
        .expect("the feed can be read");
    assert_eq!(changes, [1, 2, 3, end.to_i64()], "what was known is not told again");
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_rebuild_swaps_in_the_same_rows_while_the_role_goes_on() {
    let running = Running::start("rebuild").await;
    let mut end = Sequence::START;
    for version in 1..=40 {
        end = running.publish(0, &priced("1", version, version)).await;
        end = end.max(running.publish(0, &priced("2", version, version)).await);
    }
    running.wait_for(end).await;
    let rows_before = shown(&running.pool, "1").await;
    // A row that no message wrote: the rebuild must not keep it.
    running
        .pool
        .execute("update read_0001.property set title = 'spoiled' where key = '2'")
        .await
        .expect("the table can be spoiled");

    let log = EventLog::connect(&running.nats.url(), "rebuild").await.expect("nats answers");
    let shutdown = running.process.shutdown();
    let live = projections::rebuild(&running.pool, &log, &shutdown).await.expect("it is rebuilt");
    assert_eq!((live.number, live.live), (2, true));
    assert_eq!(shown(&running.pool, "1").await, rows_before);
    assert_eq!(shown(&running.pool, "2").await, Some(("Villa".to_owned(), Some(40))));

    let end = running.publish(0, &priced("1", 41, 41)).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(41))));
    let schemas: Vec<String> = sqlx::query_scalar(
        "select nspname::text from pg_namespace where nspname like 'read%' order by 1",
    )
    .fetch_all(&running.pool)
    .await
    .expect("the catalogue can be read");
    assert_eq!(schemas, ["read", "read_0002"], "the former generation is gone");
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn read_models_of_an_older_form_are_replaced_at_start() {
    let running = Running::start("older_form").await;
    let end = running.publish(0, &priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.process.clone().finish().await.expect("the role ends well");
    running
        .pool
        .execute("update read.checkpoint set model_version = model_version - 1")
        .await
        .expect("the checkpoint can be written");

    let process = Process::new();
    running.start_role(&process).await;
    let generation = eventually("a new generation is shown", async || {
        sqlx::query_scalar::<_, i32>("select generation from read.checkpoint where live")
            .fetch_one(&running.pool)
            .await
            .ok()
            .filter(|number| *number == 2)
    })
    .await;
    assert_eq!(generation, 2);
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(100))));
    process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn the_query_role_may_only_select_what_is_shown() {
    let database = testkit::postgres().await.database("grants").await;
    let pool = database.pool();
    pool.execute(
        "do $$ begin
            create role almijara_query;
         exception when duplicate_object then null; end $$",
    )
    .await
    .expect("the role can be made");
    projections::migrate(&pool).await.expect("the schema can be made");
    let mut connection = pool.acquire().await.expect("postgres answers");
    connection.execute("set role almijara_query").await.expect("the role can be taken on");
    for allowed in ["select * from read.property", "select * from read.checkpoint"] {
        connection.execute(allowed).await.expect(allowed);
    }
    for refused in
        ["delete from read.change", "select * from read_0001.property", "drop view read.page"]
    {
        let error = connection.execute(refused).await.expect_err(refused).to_string();
        assert!(error.contains("permission denied") || error.contains("must be owner"), "{error}");
    }
}

#[tokio::test]
async fn postgres_going_away_is_waited_for() {
    let running = Running::start("away").await;
    let end = running.publish(0, &priced("1", 1, 100)).await;
    running.wait_for(end).await;
    let before = dump(
        &running.pool,
        &projections::Generation {
            number: 1,
            model_version: contracts::READ_MODEL_VERSION,
            position: end,
            live: true,
        },
    )
    .await;
    assert!(!before.is_empty());
    // Every connection is cut, as by a restart.
    sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and application_name = 'projections'",
    )
    .bind(running.database.name())
    .execute(&running.pool)
    .await
    .expect("connections can be cut");
    let end = running.publish(0, &priced("1", 2, 90)).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(90))));
    running.process.finish().await.expect("the role ends well");
}
