//! The admin API: dead letters, pausing and resuming, rebuilding and swapping back.

use contracts::content::Snapshot;
use event_log::EventLog;
use projections::Error;
use serde_json::{Value, json};
use sqlx::Executor as _;
use testkit::{Operator, eventually, log::lineage};

use crate::{
    dead_letters::waiting_for_locks,
    fixtures::{home, id, shown, store_dead_letter, upserted},
    follow::{Running, generation, priced},
};

/// The status of a call that is not possible now.
const CONFLICT: u16 = 409;

/// Waits until the role's state matches `wanted`, and returns it.
pub async fn state(operator: &Operator, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    eventually(what, async || Some(operator.get("/admin/state").await).filter(&wanted)).await
}

/// Starts the role with home 1 at a price of 100.
pub async fn with_a_home(name: &str) -> (Running, Operator) {
    let mut running = Running::start(name).await;
    let end = running.publish(&priced("1", 1, 100)).await;
    running.wait_for(end).await;
    let operator = Operator::of(&running.process).await;
    (running, operator)
}

#[tokio::test]
async fn the_time_when_a_position_was_applied_is_reported() {
    let mut running = Running::start("op_applied").await;
    let operator = Operator::of(&running.process).await;
    let first = running.publish(&priced("1", 1, 100)).await;
    let second = running.publish(&priced("2", 1, 90)).await;
    running.wait_for(second).await;
    let (first, second) = (first.to_i64(), second.to_i64());
    let path = format!("/admin/applied?sequences={second},{first},{}", second + 1);
    let applied = operator.get(&path).await;
    let applied = applied.as_array().expect("a list");
    let sequences: Vec<_> = applied.iter().filter_map(|one| one["sequence"].as_i64()).collect();
    assert_eq!(sequences, [first, second], "positions that are not applied yet are omitted");
    assert!(applied.iter().all(|one| one["at"].is_string()), "{applied:?}");
    for wrong in ["", "?sequences=", "?sequences=1,x", "?sequences=1&limit=2"] {
        let path = format!("/admin/applied{wrong}");
        let (status, _) = operator.ask(&path, Some(testkit::ADMIN_TOKEN)).await;
        assert_eq!(status.as_u16(), 400, "{wrong}");
    }
    let many = vec!["1"; 201].join(",");
    let path = format!("/admin/applied?sequences={many}");
    assert_eq!(operator.ask(&path, Some(testkit::ADMIN_TOKEN)).await.0.as_u16(), 400);
}

#[tokio::test]
async fn dead_letters_are_listed_with_their_differences_and_only_listed_ones_are_acted_on() {
    let (running, operator) = with_a_home("op_letters").await;
    for path in ["/admin/state", "/admin/dead-letters"] {
        assert_eq!(operator.ask(path, None).await.0.as_u16(), 401, "{path}");
    }
    for key in ["2", "3", "4"] {
        store_dead_letter(&running.pool, 1, &priced(key, 1, 200)).await;
    }
    store_dead_letter(&running.pool, 1, &priced("1", 2, 90)).await;
    let letters = operator.get("/admin/dead-letters").await;
    let letters = letters.as_array().expect("a list");
    let of = |key: &str| {
        let subject = format!("content.properties.{key}");
        letters.iter().find(|letter| letter["subject"] == *subject).expect("the letter")
    };
    assert_eq!((letters.len(), &of("2")["error"]), (4, &json!("the disk was full")));
    assert_eq!(of("2")["traceId"], format!("{:032x}", 7));
    let price = json!({ "field": "en.price", "message": "90", "shown": "100" });
    let changes = of("1")["differences"].as_array().expect("a list");
    assert!(changes.contains(&price), "{changes:?}");
    assert!(of("2")["differences"].as_array().is_some_and(|all| all[0]["shown"].is_null()));

    let wrong = [
        json!({}),
        json!({ "subjects": [], "upTo": 1 }),
        json!({ "subjects": ["content.properties.2"] }),
        json!({ "all": true }),
    ];
    for wrong in wrong {
        for path in ["/admin/dead-letters/replay", "/admin/dead-letters/drop"] {
            assert_eq!(operator.post(path, &wrong).await.0.as_u16(), 400, "{path}: {wrong}");
        }
    }
    let listed =
        |key: &str| json!({ "subjects": [format!("content.properties.{key}")], "upTo": 1 });
    let newer = json!({ "subjects": ["content.properties.3"], "upTo": 0 });
    let dropped = operator.act("/admin/dead-letters/drop", &newer).await;
    assert_eq!(dropped["dropped"], 0, "it is newer than the operator's list");
    let replayed = operator.act("/admin/dead-letters/replay", &listed("2")).await;
    assert_eq!(replayed["replayed"], 1);
    assert!(shown(&running.pool, "2").await.is_some());
    assert!(shown(&running.pool, "3").await.is_none(), "other letters stay");
    let dropped = operator.act("/admin/dead-letters/drop", &listed("3")).await;
    assert_eq!(dropped["dropped"], 1);
    let left =
        projections::dead_letters::list(&running.pool).await.expect("the letters can be read");
    let left: Vec<&str> = left.iter().map(|letter| letter.subject.as_str()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.contains(&"content.properties.4") && left.contains(&"content.properties.1"));
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_pause_survives_a_restart_and_resuming_applies_everything_since() {
    runtime::metrics::install(projections::METRICS);
    let (mut running, operator) = with_a_home("op_pause").await;
    store_dead_letter(&running.pool, 1, &priced("9", 1, 900)).await;
    operator.act("/admin/pause", &json!({})).await;
    running.publish(&priced("1", 2, 90)).await;
    let end = running.publish(&priced("2", 1, 200)).await;
    let paused = state(&operator, "a lag of two", |state| state["lag"] == 2).await;
    assert_eq!(paused["paused"], true);
    running.process.clone().finish().await.expect("the role ends well");

    running.process = Operator::process();
    running.start_role(&running.process).await;
    let operator = Operator::of(&running.process).await;
    let health = running.process.health().clone();
    eventually("the pause in the health details", async || health.details().remove("paused")).await;
    eventually("the role being ready while paused", async || {
        health.failing().is_empty().then_some(())
    })
    .await;
    let listed = json!({ "subjects": ["content.properties.9"], "upTo": 1 });
    for path in ["/admin/dead-letters/replay", "/admin/rebuild"] {
        let (status, answer) = operator.post(path, &listed).await;
        assert_eq!(status.as_u16(), CONFLICT, "{path}: {answer}");
    }
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(100))));
    assert_eq!(shown(&running.pool, "2").await, None);
    running
        .pool
        .execute("update read.checkpoint set paused_since = now() - interval '1 hour' where live")
        .await
        .expect("postgres answers");
    eventually("the limit of the alert StepPaused", async || {
        let paused = operator.metric("almijara_projection_paused_seconds").await;
        paused.filter(|seconds| *seconds > 1_800.0)
    })
    .await;

    operator.act("/admin/resume", &json!({})).await;
    running.wait_for(end).await;
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(90))));
    assert_eq!(shown(&running.pool, "2").await, Some(("Villa".to_owned(), Some(200))));
    eventually("empty health details", async || health.details().is_empty().then_some(())).await;
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_rebuild_is_not_swapped_in_while_following_is_paused() {
    let (mut running, operator) = with_a_home("op_pause_rebuild").await;
    running.log.set_lineage(unfinished()).await;
    operator.act("/admin/rebuild", &json!({})).await;
    state(&operator, "all being read", |it| it["rebuild"]["done"] == 1).await;
    operator.act("/admin/pause", &json!({})).await;
    let end = running.publish(&priced("1", 2, 90)).await;
    running.log.set_lineage(lineage(1, &[])).await;
    running.wait_for_new(end).await;
    let found = state(&operator, "it waiting", |it| it["rebuild"]["error"].is_string()).await;
    assert_eq!(found["rebuild"]["running"], true, "{found}");
    assert_eq!(found["rebuild"]["error"], "following the log is paused");
    assert_eq!(listed(&found), [(2, false, false), (1, true, false)], "{found}");
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(100))));
    let log = EventLog::connect(&running.nats.url(), "rebuild").await.expect("nats answers");
    let refused = projections::rebuild(&running.pool, &log, &running.process.shutdown()).await;
    assert!(matches!(refused, Err(Error::Paused)), "{refused:?}");

    operator.act("/admin/resume", &json!({})).await;
    let found = state(&operator, "its end", |it| it["rebuild"]["running"] == false).await;
    assert_eq!(found["rebuild"]["error"], Value::Null, "{found}");
    assert_eq!(listed(&found), [(2, true, false), (1, false, true)], "{found}");
    assert_eq!(found["paused"], false);
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(90))));
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_pause_takes_effect_during_a_swap() {
    let (running, operator) = with_a_home("op_pause_swap").await;
    running
        .pool
        .execute(
            "insert into read.checkpoint (generation, model_version, sequence, ledger)
             select 2, model_version, sequence, ledger from read.checkpoint",
        )
        .await
        .expect("the checkpoint is written");
    let mut swapping = running.pool.begin().await.expect("postgres answers");
    for statement in [
        "update read.checkpoint set live = false where generation = 1",
        "update read.checkpoint set live = true where generation = 2",
    ] {
        sqlx::query(statement).execute(&mut *swapping).await.expect("the lock is free");
    }
    let shown = async {
        waiting_for_locks(&running.pool, 1).await;
        swapping.commit().await.expect("postgres answers");
    };
    let nothing = json!({});
    tokio::join!(operator.act("/admin/pause", &nothing), shown);
    assert_eq!(operator.get("/admin/state").await["paused"], true);
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_rebuild_reports_its_progress_and_the_former_generation_can_be_swapped_back() {
    let (mut running, operator) = with_a_home("op_rebuild").await;
    let (status, _) = operator.post("/admin/swap-back", &json!({})).await;
    assert_eq!(status.as_u16(), 422, "there is nothing to go back to");
    let end = running.publish(&priced("2", 1, 200)).await;
    running.wait_for(end).await;
    // This marks the rows of the first generation.
    running
        .pool
        .execute("update read_0001.property set title = 'spoiled' where key = '2'")
        .await
        .expect("the table can be spoiled");

    // A log that is not complete can't be caught up with.
    running.log.set_lineage(unfinished()).await;
    operator.act("/admin/rebuild", &json!({})).await;
    let (status, _) = operator.post("/admin/rebuild", &json!({})).await;
    assert_eq!(status.as_u16(), CONFLICT, "one is running");
    let found = state(&operator, "all being read", |it| it["rebuild"]["done"] == 2).await;
    assert_eq!(
        (&found["rebuild"]["running"], &found["rebuild"]["kind"]),
        (&json!(true), &json!("rebuild"))
    );
    assert_eq!(generation(&running).await, 1, "the live generation is shown meanwhile");
    running.log.set_lineage(lineage(1, &[])).await;
    let found = state(&operator, "its end", |it| it["rebuild"]["running"] == false).await;
    assert_eq!((&found["rebuild"]["error"], &found["rebuild"]["left"]), (&Value::Null, &json!(0)));
    assert_eq!(listed(&found), [(2, true, false), (1, false, true)], "{found}");
    assert_eq!(shown(&running.pool, "2").await, Some(("Villa".to_owned(), Some(200))));

    // Swapping back first applies what was published since to the former generation.
    let end = running.publish(&priced("1", 2, 90)).await;
    running.wait_for(end).await;
    operator.act("/admin/swap-back", &json!({})).await;
    let found = state(&operator, "the first being live", |it| {
        it["rebuild"]["running"] == false && it["rebuild"]["kind"] == "swap-back"
    })
    .await;
    assert_eq!(found["rebuild"]["error"], Value::Null, "{found}");
    assert_eq!(listed(&found), [(2, false, true), (1, true, false)], "{found}");
    assert_eq!(shown(&running.pool, "1").await, Some(("Villa".to_owned(), Some(90))));
    assert_eq!(shown(&running.pool, "2").await, Some(("spoiled".to_owned(), Some(200))));

    let end = running.publish(&priced("1", 3, 80)).await;
    running.wait_for(end).await;
    operator.act("/admin/rebuild", &json!({})).await;
    let found = state(&operator, "the third being live", |it| {
        it["rebuild"]["running"] == false && it["rebuild"]["kind"] == "rebuild"
    })
    .await;
    assert_eq!(listed(&found), [(3, true, false), (1, false, true)], "{found}");
    let schemas: Vec<String> = sqlx::query_scalar(
        "select nspname::text from pg_namespace where nspname like 'read%' order by 1",
    )
    .fetch_all(&running.pool)
    .await
    .expect("the catalogue can be read");
    assert_eq!(schemas, ["read", "read_0001", "read_0003"], "one former generation is retained");
    running.process.finish().await.expect("the role ends well");
}

#[tokio::test]
async fn a_rebuild_waits_for_a_long_query_and_keeps_what_it_has_filled() {
    let (running, operator) = with_a_home("op_read_for_long").await;
    let mut reader = running.pool.begin().await.expect("postgres answers");
    sqlx::query("select from read.property")
        .execute(&mut *reader)
        .await
        .expect("the view can be read");
    operator.act("/admin/rebuild", &json!({})).await;
    waiting_for_locks(&running.pool, 1).await;
    // Its lock timeout lets others pass.
    waiting_for_locks(&running.pool, 0).await;
    reader.rollback().await.expect("postgres answers");
    let found = state(&operator, "its end", |it| it["rebuild"]["endedAt"].is_string()).await;
    assert_eq!(found["rebuild"]["error"], Value::Null, "{found}");
    assert_eq!(listed(&found), [(2, true, false), (1, false, true)], "{found}");
    running.process.finish().await.expect("the role ends well");
}

/// The lineage of the tests' log while it is still being filled.
pub fn unfinished() -> event_log::Lineage {
    event_log::Lineage { complete: false, ..lineage(1, &[]) }
}

/// Returns the generations in `state`: the number, whether it is live, and whether it can be swapped back.
pub fn listed(state: &Value) -> Vec<(u64, bool, bool)> {
    let generations = state["generations"].as_array().expect("a list").iter();
    let listed = generations.map(|it| {
        let is = |name: &str| it[name].as_bool().expect("a flag");
        (it["number"].as_u64().expect("a number"), is("live"), is("canSwapBack"))
    });
    listed.collect()
}

#[tokio::test]
async fn a_rebuild_with_more_dead_letters_than_the_live_generation_is_not_swapped_in() {
    let (mut running, operator) = with_a_home("op_worse").await;
    let mut broken = home("AH-2", "nerja", 100);
    if let Some(text) = &mut broken.text.en {
        text.title = "a \0 in a title".to_owned();
    }
    let end = running.publish(&upserted(&id("2"), 1, Snapshot::Properties(broken))).await;
    running.wait_for(end).await;
    let dropped = json!({ "subjects": ["content.properties.2"], "upTo": end });
    assert_eq!(operator.act("/admin/dead-letters/drop", &dropped).await["dropped"], 1);
    operator.act("/admin/rebuild", &json!({})).await;
    let found = state(&operator, "its end", |it| it["rebuild"]["endedAt"].is_string()).await;
    let error = found["rebuild"]["error"].as_str().expect("why not");
    assert!(error.contains("put 1 messages aside"), "{error}");
    assert_eq!(listed(&found), [(1, true, false)], "{found}");
    running.process.finish().await.expect("the role ends well");
}
