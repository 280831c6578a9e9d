//! A Postgres that answers and takes no writes: the role says so, and whoever only reads is answered.

use http::StatusCode;
use sqlx::PgConnection;
use testkit::eventually;

use crate::role::{World, enquiry};

impl World {
    /// Waits until the role says of Postgres something with `words` in it.
    async fn says_of_postgres(&self, words: &str) {
        let health = self.process.health();
        eventually("the role says why it is not ready", async || {
            health.failing().get("database")?.contains(words).then_some(())
        })
        .await;
    }

    async fn is_ready(&self) {
        let health = self.process.health();
        eventually("the role is ready", async || health.failing().is_empty().then_some(())).await;
    }
}

async fn execute(connection: &mut PgConnection, statement: &'static str) {
    sqlx::raw_sql(statement).execute(connection).await.expect("postgres answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_that_can_only_be_read_answers_who_reads_and_is_told_of() {
    let world = World::start().await;
    let ann = world.signed_in("ann@x.example").await;
    world.settled().await;
    sqlx::query("update visitor.session set seen_at = now() - interval '2 hours'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    world.database.only_reads(true).await;
    world.says_of_postgres("read-only").await;
    eventually("who is signed in is known", async || ann.who().await).await;

    world.database.only_reads(false).await;
    world.is_ready().await;
    eventually("an enquiry is taken", async || {
        (world.send(&enquiry(), None).await.0 == StatusCode::CREATED).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_without_room_is_told_of_until_it_takes_writes() {
    let world = World::start().await;
    let mut postgres = world.pool.acquire().await.expect("postgres answers");
    // As a full disk answers what needs more room, and nothing else.
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
    world.says_of_postgres("no space left").await;
    let there_is_room = "drop event trigger no_table; drop trigger no_row on visitor.enquiry";
    execute(&mut postgres, there_is_room).await;
    world.is_ready().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
}
