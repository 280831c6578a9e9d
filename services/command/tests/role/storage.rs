//! A Postgres that accepts no writes: the role reports it, and reads still work.

use http::StatusCode;
use sqlx::PgConnection;
use testkit::eventually;

use crate::world::{World, enquiry};

impl World {
    /// Waits until the role's database check fails with `words` in its message.
    async fn wait_for_database_failure(&self, words: &str) {
        let health = self.process.health();
        eventually("the role says why it is not ready", async || {
            health.failing().get("database")?.contains(words).then_some(())
        })
        .await;
    }

    async fn wait_until_ready(&self) {
        let health = self.process.health();
        eventually("the role is ready", async || health.failing().is_empty().then_some(())).await;
    }
}

async fn execute(connection: &mut PgConnection, statement: &'static str) {
    sqlx::raw_sql(statement).execute(connection).await.expect("postgres answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_postgres_is_reported_and_reads_still_work() {
    let world = World::start().await;
    let ann = world.signed_in("ann@x.example").await;
    world.settled().await;
    sqlx::query("update visitor.session set seen_at = now() - interval '2 hours'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    world.database.set_read_only(true).await;
    world.wait_for_database_failure("read-only").await;
    eventually("the session is still read", async || ann.signed_in_email().await).await;

    world.database.set_read_only(false).await;
    world.wait_until_ready().await;
    eventually("an enquiry is accepted", async || {
        (world.send(&enquiry(), None).await.0 == StatusCode::CREATED).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_postgres_is_reported_until_it_accepts_writes() {
    let world = World::start().await;
    let mut postgres = world.pool.acquire().await.expect("postgres answers");
    // Behaves like a full disk: only statements that need more space fail.
    execute(
        &mut postgres,
        "create function visitor.no_row() returns trigger language plpgsql as $$
         begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$;
         create function visitor.no_table() returns event_trigger language plpgsql as $$
         begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$;
         create trigger no_row before insert on visitor.enquiry
         for each row execute function visitor.no_row();
         create event trigger no_table on ddl_command_start when tag in ('CREATE TABLE AS')
         execute function visitor.no_table()",
    )
    .await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::SERVICE_UNAVAILABLE);
    world.wait_for_database_failure("no space left").await;
    let there_is_room = "drop event trigger no_table; drop trigger no_row on visitor.enquiry";
    execute(&mut postgres, there_is_room).await;
    world.wait_until_ready().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
}
