//! The running role: following the log, new epochs, rebuilds, and unreachable servers.

use contracts::{Epoch, LedgerId, Sequence, content::Snapshot};
use event_log::{EventLog, Lineage};
use runtime::Process;
use serde_json::json;
use sqlx::{Executor as _, PgPool};
use testkit::{
    Database, Nats, Operator, Postgres, eventually,
    log::{Log, lineage},
};

use crate::fixtures::{dump, home, id, removed, shown, upserted};

pub struct Running {
    pub nats: Nats,
    database: Database,
    pub pool: PgPool,
    pub log: Log,
    pub process: Process,
}

impl Running {
    pub async fn start(name: &str) -> Self {
        Self::start_on(testkit::postgres().await, name).await
    }

    async fn start_on(postgres: &Postgres, name: &str) -> Self {
        let nats = Nats::start().await;
        let database = postgres.database(name).await;
        let log = Log::create(&nats).await;
        let process = Operator::process();
        let running = Self { pool: database.pool(), nats, database, log, process };
        running.start_role(&running.process).await;
        running
    }

    pub async fn start_role(&self, process: &Process) {
        let config =
            projections::Config { database_url: self.database.url(), nats_url: self.nats.url() };
        projections::run(config, process).await.expect("the role starts");
    }

    pub async fn publish(&mut self, event: &contracts::Event) -> Sequence {
        self.log.publish(event).await
    }

    /// Makes the read models one version older than this build's.
    pub async fn make_older(&self) {
        self.pool
            .execute("update read.checkpoint set model_version = model_version - 1")
            .await
            .expect("the checkpoint can be written");
    }

    /// Makes Postgres refuse writes, or accept them again. Closes all connections.
    pub async fn only_reads(&mut self, on: bool) {
        self.database.set_read_only(on).await;
        // The test's own connections were closed too.
        self.pool = self.database.pool();
    }

    /// Waits until the role's readiness is `ready`.
    async fn wait_until_ready(&self, ready: bool) {
        eventually(&format!("its being ready is {ready}"), async || {
            (self.process.health().failing().is_empty() == ready).then_some(())
        })
        .await;
    }

    /// Waits until a generation that is not live has reached `position`.
    pub async fn wait_for_new(&self, position: Sequence) {
        eventually("a new generation that has read so far", async || {
            sqlx::query_scalar::<_, i64>("select max(sequence) from read.checkpoint where not live")
                .fetch_one(&self.pool)
                .await
                .ok()
                .filter(|sequence| *sequence >= position.to_i64())
        })
        .await;
    }

    pub async fn wait_for(&self, position: Sequence) {
        eventually(&format!("the read models at {position}"), async || {
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

pub fn priced(key: &str, version: i64, price: i64) -> contracts::Event {
    upserted(&id(key), version, Snapshot::Properties(home(&format!("AH-{key}"), "nerja", price)))
}

#[tokio::test]
async fn a_recreated_stream_changes_only_aggregates_with_newer_versions() {
    let mut running = Running::start("epoch").await;
    running.publish(&priced("1", 1, 100)).await;
    running.publish(&priced("2", 1, 100)).await;
    let end = running.publish(&removed(&id("2"), 2)).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(100))));

    running.log.recreate(lineage(2, &[(1, 3)])).await;
    running.publish(&priced("1", 1, 100)).await;
    running.publish(&removed(&id("2"), 2)).await;
    let end = running.publish(&priced("1", 2, 90)).await;
    assert_eq!(end, Sequence::new(Epoch(2), 3));
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(90))));
    assert_eq!(shown(&running.pool, "2").await, None);
    let changes: Vec<i64> = sqlx::query_scalar("select sequence from read.change order by 1")
        .fetch_all(&running.pool)
        .await
        .expect("the feed can be read");
    // Messages that a later one replaced in the stream before they were read are covered by that one.
    let second_epoch = Sequence::new(Epoch(2), 0).to_i64();
    let new_changes: Vec<i64> = changes.into_iter().filter(|at| *at > second_epoch).collect();
    assert_eq!(new_changes, [end.to_i64()], "known versions are not in the feed again");
    assert_eq!(generation(&running).await, 1, "nothing had to be rebuilt");
    running.process.finish().await.expect("the role ends well");
}

pub async fn generation(running: &Running) -> i32 {
    sqlx::query_scalar("select generation from read.checkpoint where live")
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoint can be read")
}

/// Recreates the log as after the restore of an older ledger, with fewer homes and lower versions, and checks
/// that the read models are rebuilt from it.
async fn check_rebuild_from_restored_log(running: &mut Running, lineage: Lineage) {
    for (key, price) in [("1", 100), ("2", 100)] {
        running.publish(&priced(key, 1, price)).await;
    }
    for (key, price) in [("1", 400), ("2", 400), ("3", 400)] {
        running.publish(&priced(key, 4, price)).await;
    }
    let end = running.publish(&priced("3", 5, 500)).await;
    running.wait_for(end).await;

    let unfinished = Lineage { complete: false, ..lineage.clone() };
    running.log.recreate(unfinished).await;
    running.publish(&priced("1", 2, 222)).await;
    let fresh = running.publish(&priced("2", 1, 100)).await;
    // The log is not complete yet, so nothing may be removed from the read models so far.
    eventually("a new generation that has read so far", async || {
        sqlx::query_scalar::<_, i64>("select max(sequence) from read.checkpoint where not live")
            .fetch_one(&running.pool)
            .await
            .ok()
            .filter(|sequence| *sequence >= fresh.to_i64())
    })
    .await;
    assert_eq!(shown(&running.pool, "3").await, Some(("Villa".to_owned(), Some(500))));
    running.log.set_lineage(lineage).await;
    running.wait_for(fresh).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(222))));
    assert_eq!(shown(&running.pool, "2").await, Some(("Villa".to_owned(), Some(100))));
    assert_eq!(shown(&running.pool, "3").await, None, "it was created after the restored copy");
    let end = running.publish(&priced("1", 3, 333)).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(333))));
    assert_eq!(generation(running).await, 2);
    running.process.clone().finish().await.expect("the role ends well");
}

#[tokio::test]
async fn versions_that_a_restored_ledger_reuses_are_shown() {
    let mut running = Running::start("restored").await;
    let other = Lineage { ledger: LedgerId(uuid::Uuid::from_u128(2)), ..lineage(2, &[]) };
    check_rebuild_from_restored_log(&mut running, other).await;
}

#[tokio::test]
async fn read_models_that_are_ahead_of_ledger_and_stream_are_rebuilt() {
    let mut running = Running::start("ahead").await;
    // Ledger and stream were restored together, from a copy that ends at the second message.
    check_rebuild_from_restored_log(&mut running, lineage(2, &[(1, 2)])).await;
}

#[tokio::test]
async fn a_rebuild_swaps_in_the_same_rows_while_the_role_follows_the_log() {
    let mut running = Running::start("rebuild").await;
    let mut end = Sequence::START;
    for version in 1..=40 {
        end = running.publish(&priced("1", version, version)).await;
        end = end.max(running.publish(&priced("2", version, version)).await);
    }
    running.wait_for(end).await;
    let rows_before = shown(&running.pool, "1").await;
    // A change that no message made: the rebuild must not retain it.
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
    let counted: f32 = sqlx::query_scalar(
        "select reltuples from pg_class where oid = 'read_0002.property'::regclass",
    )
    .fetch_one(&running.pool)
    .await
    .expect("the catalogue can be read");
    assert!(counted > 0.0, "the planner has statistics for the first query");

    let end = running.publish(&priced("1", 41, 41)).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(41))));
    let schemas: Vec<String> = sqlx::query_scalar(
        "select nspname::text from pg_namespace where nspname like 'read%' order by 1",
    )
    .fetch_all(&running.pool)
    .await
    .expect("the catalogue can be read");
    assert_eq!(schemas, ["read", "read_0001", "read_0002"], "the former generation is retained");
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn read_models_of_an_older_version_are_rebuilt_by_one_of_two_processes() {
    let mut running = Running::start("older_form").await;
    let mut end = running.publish(&priced("1", 1, 100)).await;
    // Enough homes for the rebuild to take some time.
    for key in 2..500 {
        end = running.publish(&priced(&key.to_string(), 1, 100)).await;
    }
    running.wait_for(end).await;
    running.process.clone().finish().await.expect("the role ends well");
    running.make_older().await;

    let processes = [Process::new(), Process::new()];
    for process in &processes {
        running.start_role(process).await;
    }
    for process in &processes {
        eventually("it follows the new generation", async || {
            let live =
                sqlx::query_scalar::<_, i32>("select generation from read.checkpoint where live")
                    .fetch_one(&running.pool)
                    .await
                    .ok()?;
            (live > 1 && process.health().failing().is_empty()).then_some(())
        })
        .await;
    }
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(100))));
    let made: i32 = sqlx::query_scalar("select max(generation) from read.checkpoint")
        .fetch_one(&running.pool)
        .await
        .expect("the checkpoints can be read");
    assert_eq!(made, 2, "one of them fills it for both");
    for process in processes {
        process.finish().await.expect("the role ends well");
    }
}

#[tokio::test]
async fn read_models_of_an_older_version_are_replaced_despite_new_dead_letters() {
    let mut running = Running::start("older_form_letter").await;
    running.publish(&priced("1", 1, 100)).await;
    let mut broken = home("AH-2", "nerja", 100);
    if let Some(text) = &mut broken.text.en {
        text.title = "a \0 in a title".to_owned();
    }
    let end = running.publish(&upserted(&id("2"), 1, Snapshot::Properties(broken))).await;
    running.wait_for(end).await;
    let dropped = projections::dead_letters::discard(&running.pool, None, None)
        .await
        .expect("it can be dropped");
    assert_eq!(dropped, 1);
    running.process.clone().finish().await.expect("the role ends well");
    running.make_older().await;

    let process = Process::new();
    running.start_role(&process).await;
    eventually("it follows the new generation", async || {
        let is_ready = process.health().failing().is_empty();
        (is_ready && generation(&running).await == 2).then_some(())
    })
    .await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(100))));
    let letters =
        projections::dead_letters::list(&running.pool).await.expect("the letters can be read");
    assert_eq!(letters.len(), 1, "the rebuild stored the letter again");
    process.finish().await.expect("the role ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fill_job_continues_at_its_position_when_the_log_answers_again() {
    let mut running = Running::start("filling_waits").await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.process.clone().finish().await.expect("the role ends well");
    running.make_older().await;
    // A log that is not complete can't be caught up with.
    running.log.set_lineage(Lineage { complete: false, ..lineage(1, &[]) }).await;
    let process = Operator::process();
    running.start_role(&process).await;
    running.wait_for_new(end).await;
    // This marks the generation, because a new one would have the same number.
    running
        .pool
        .execute("update read_0002.property set title = 'Filled once' where key = '1'")
        .await
        .expect("the table can be written");

    running.nats.freeze();
    wait_until_job_waits(&Operator::of(&process).await).await;
    running.nats.thaw();
    running.log.set_lineage(lineage(1, &[])).await;
    eventually("it follows the new generation", async || {
        let is_ready = process.health().failing().is_empty();
        (is_ready && generation(&running).await == 2).then_some(())
    })
    .await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Filled once".to_owned(), Some(100))));
    process.finish().await.expect("the role ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fill_job_whose_generation_is_already_live_succeeds() {
    let mut running = Running::start("filling_shown").await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    running.log.set_lineage(Lineage { complete: false, ..lineage(1, &[]) }).await;
    let operator = Operator::of(&running.process).await;
    operator.act("/admin/rebuild", &json!({})).await;
    running.wait_for_new(end).await;
    running.nats.freeze();
    wait_until_job_waits(&operator).await;
    running
        .pool
        .execute(
            "update read.checkpoint set live = false, former = true where live;
             update read.checkpoint set live = true where generation = 2",
        )
        .await
        .expect("the checkpoints can be written");
    running.nats.thaw();
    let error = eventually("it has ended", async || {
        let job = operator.get("/admin/state").await["rebuild"].take();
        (job["running"] == false).then(|| job["error"].clone())
    })
    .await;
    assert!(error.is_null(), "{error}");
    running.process.finish().await.expect("the role ends well");
}

/// Waits until a running fill job reports what it waits for.
async fn wait_until_job_waits(operator: &Operator) {
    eventually("what the fill job waits for", async || {
        let job = operator.get("/admin/state").await["rebuild"].take();
        (job["running"] == true && job["error"].is_string()).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_query_role_may_only_select_from_the_read_schema() {
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
async fn the_role_recovers_from_a_postgres_restart() {
    let mut running = Running::start("away").await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    let before = dump(
        &running.pool,
        &projections::Generation {
            number: 1,
            model_version: read_models::READ_MODEL_VERSION,
            checkpoint: contracts::Checkpoint::START,
            live: true,
        },
    )
    .await;
    assert!(!before.is_empty());
    // Closes all connections, like a restart.
    sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and application_name = 'projections'",
    )
    .bind(running.database.name())
    .execute(&running.pool)
    .await
    .expect("connections can be cut");
    let end = running.publish(&priced("1", 2, 90)).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(90))));
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_log_makes_the_role_not_ready() {
    let mut running = Running::start("frozen_log").await;
    let position = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(position).await;
    running.wait_until_ready(true).await;
    running.nats.freeze();
    running.wait_until_ready(false).await;
    eventually("the reason", async || {
        let failing = running.process.health().failing();
        failing.get("read models").is_some_and(|why| why.contains("did not answer")).then_some(())
    })
    .await;
    running.nats.thaw();
    running.wait_until_ready(true).await;
    let position = running.publish(&priced("1", 2, 90)).await;
    running.wait_for(position).await;
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_database_makes_the_role_not_ready() {
    let postgres = Postgres::start().await;
    let mut running = Running::start_on(&postgres, "frozen_database").await;
    let position = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(position).await;
    running.wait_until_ready(true).await;
    // This is detected even while there is nothing to write.
    postgres.freeze().await;
    running.wait_until_ready(false).await;
    let position = running.publish(&priced("1", 2, 90)).await;
    postgres.thaw().await;
    running.wait_until_ready(true).await;
    running.wait_for(position).await;
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn read_models_ahead_of_a_restored_log_are_rebuilt_before_anything_is_published() {
    let mut running = Running::start("ahead").await;
    running.log.recreate(lineage(2, &[])).await;
    for version in 1..=3 {
        running.publish(&priced("1", version, 100 * version)).await;
    }
    let undone = running.publish(&priced("2", 1, 100)).await;
    running.wait_for(undone).await;
    // Ledger and stream were restored to their state of an epoch before. Until a relay leads the stream,
    // its lineage does not state what was lost.
    running.log.recreate(lineage(1, &[])).await;
    running.publish(&priced("1", 1, 100)).await;
    running.wait_until_ready(false).await;
    assert!(shown(&running.pool, "2").await.is_some(), "it is shown until the loss is known");
    // A relay becomes the leader, and publishes nothing.
    let led = Lineage { born: Epoch(1), ..lineage(3, &[(1, 1)]) };
    running.log.set_lineage(led).await;
    eventually("the lost changes being removed", async || {
        let shown = shown(&running.pool, "1").await? == ("Villa".to_owned(), Some(100));
        (shown && self::shown(&running.pool, "2").await.is_none()).then_some(())
    })
    .await;
    running.process.finish().await.expect("the role ends well");
}
