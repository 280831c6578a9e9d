//! What operators see of pending mails and items: enough to fix them, and no personal data.

use http::StatusCode;
use serde_json::json;
use testkit::{Operator, eventually};

use crate::{
    alerts::{Content, house},
    world::{World, enquiry, serve},
};

const CALLS: [&str; 2] = ["/admin/jobs", "/admin/deliveries"];

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_mail_is_listed_without_personal_data_and_retried() {
    let world = World::start().await;
    let operator = Operator::of(&world.process).await;
    for path in CALLS {
        assert_eq!(operator.ask(path, None).await.0, StatusCode::UNAUTHORIZED, "{path}");
    }
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
    world.published().await;
    assert_eq!(
        operator.get("/admin/jobs").await,
        json!({ "waiting": 0, "failed": 0, "items": [] })
    );
    sqlx::query(
        "update visitor.job set state = 'failed', attempts = 58, done_at = null,
             last_error = case kind when 'visitor_mail' then 'ann@x.example does not exist'
                                    else 'the mail server answers 552' end
         where kind in ('office_mail', 'visitor_mail')",
    )
    .execute(&world.pool)
    .await
    .expect("postgres answers");

    let jobs = operator.get("/admin/jobs").await;
    assert_eq!((&jobs["waiting"], &jobs["failed"]), (&json!(0), &json!(2)), "{jobs}");
    let items = jobs["items"].as_array().expect("a list");
    let of = |kind: &str| items.iter().find(|job| job["kind"] == kind).expect("the job");
    let office = of("office_mail");
    assert_eq!((&office["state"], &office["tries"]), (&json!("failed"), &json!(58)));
    assert_eq!(office["failure"], "the mail server answers 552");
    assert!(office["nextTry"].is_null() && office["createdAt"].is_string(), "{office}");
    assert_eq!(of("visitor_mail")["failure"], "other");
    for path in CALLS {
        let answer = operator.get(path).await.to_string();
        assert!(!answer.contains("Ann") && !answer.contains("x.example"), "{answer}");
    }
    let deliveries = operator.get("/admin/deliveries").await;
    assert_eq!(deliveries["enquiries"], json!({ "lastDay": 1, "lastHour": 1 }));
    let mails = deliveries["jobs"].as_array().expect("a list");
    let office_mails = json!({ "kind": "office_mail", "done": 0, "waiting": 0, "failed": 1 });
    assert!(mails.contains(&office_mails), "{deliveries}");
    assert_eq!(deliveries["events"], json!({ "waiting": 0, "oldestSeconds": null }));
    assert_eq!(deliveries["alerts"]["savedSearches"], 0, "{deliveries}");
    assert!(
        mails.contains(&json!({ "kind": "content_item", "done": 1, "waiting": 0, "failed": 0 }))
    );

    for wrong in [json!({ "ids": [] }), json!({ "kind": "office_mail" })] {
        let (status, _) = operator.post("/admin/jobs/retry", &wrong).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let sent = world.mails_to("office@almijara.example").len();
    let retried = operator.act("/admin/jobs/retry", &json!({ "ids": [office["id"]] })).await;
    assert_eq!(retried["retried"], 1);
    world.settled().await;
    assert_eq!(world.mails_to("office@almijara.example").len(), sent + 1);
    let left = operator.get("/admin/jobs").await;
    assert_eq!(left["failed"], 1, "what was not listed is left as it is: {left}");
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_are_not_handled_here_are_not_listed() {
    let mut world = World::start().await;
    world.process.clone().finish().await.expect("it ends");
    let mut config = world.config();
    config.enquiries_token = None;
    world.start_role_with(config).await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    eventually("the mails are sent", async || {
        (world.count("visitor.job where state = 'done'").await == 2).then_some(())
    })
    .await;
    assert_eq!(
        world.count("visitor.job where state = 'due'").await,
        1,
        "without a token there is no item"
    );
    let operator = Operator::of(&world.process).await;
    let nothing = json!({ "waiting": 0, "failed": 0, "items": [] });
    assert_eq!(operator.get("/admin/jobs").await, nothing);
    let deliveries = operator.get("/admin/deliveries").await;
    assert_eq!(deliveries["jobs"].as_array().map(Vec::len), Some(2), "{deliveries}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_ends_when_its_tables_are_dropped_and_the_next_one_creates_them() {
    let mut world = World::start().await;
    // Postgres may abort this statement to resolve a deadlock with the role.
    eventually("it is dropped", async || {
        sqlx::query("drop schema if exists visitor cascade").execute(&world.pool).await.ok()
    })
    .await;
    let why =
        testkit::wait_for_failure(std::mem::replace(&mut world.process, Operator::process())).await;
    assert!(why.contains("the tables of the schema visitor are gone"), "{why}");
    world.start_role().await;
    assert_eq!(world.send(&enquiry(), None).await.0, StatusCode::CREATED);
    world.settled().await;
}

/// Prometheus detects an increase only after it has seen a first value.
#[tokio::test]
async fn job_counters_start_at_zero() {
    runtime::metrics::install(command::METRICS);
    let world = World::start().await;
    let url = serve(world.process.router()).await;
    let answer = reqwest::get(format!("{url}/metrics")).await.expect("an answer");
    let figures = answer.text().await.expect("text");
    for kind in command::JobKind::ALL {
        for counted in ["jobs_done", "jobs_uncertain", "mails_bounced"] {
            let counted = format!("command_{counted}_total{{kind=\"{}\"}} ", kind.name());
            assert!(figures.contains(&counted), "{counted} is missing:\n{figures}");
        }
    }
}

#[tokio::test]
async fn searches_that_have_become_unreadable_are_measured() {
    runtime::metrics::install(command::METRICS);
    let world = World::start().await;
    let operator = Operator::of(&world.process).await;
    let mut content = Content::start(&world).await;
    content.wait_until_read(&world).await;
    let ann = world.signed_in("ann@x.example").await;
    ann.save_search("kind=villa", "daily").await;
    sqlx::query("update visitor.saved_search set address = 'kind=castle', changed_at = now()")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    // Searches are read again when something is published. The roles of other tests, which have none that is
    // unreadable, set the same gauge then.
    for price in 1..60 {
        content.publish(&house("AH-1", price)).await;
        content.wait_until_read(&world).await;
        let unreadable = operator.metric("command_saved_searches_unreadable").await;
        if unreadable.is_some_and(|searches| searches > 0.0) {
            return;
        }
    }
    panic!("the alert SearchesUnreadable would not fire");
}
