//! The paged list of articles.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Collection, Event, Localized, SCHEMA_VERSION, Version,
    content::{Article, ArticleText, Snapshot},
};
use serde_json::json;
use uuid::Uuid;

use crate::{node::World, places::ask};

/// Returns the article `number`. Three at a time have the same time of publication.
fn article(number: i64) -> Event {
    let text = ArticleText {
        title: format!("News {number}"),
        summary: String::new(),
        body: "<p>Snow on the <em>Maroma</em>.</p><p>It melts.</p>".to_owned(),
    };
    let article = Article {
        slug: format!("news-{number}"),
        published_at: DateTime::from_timestamp(number / 3, 0),
        image: None,
        text: Localized { en: Some(text), es: None },
    };
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Articles, article.slug.clone()),
        version: Version(1),
        captured_at: DateTime::<Utc>::UNIX_EPOCH,
        change: Change::Upserted { snapshot: Box::new(Snapshot::Articles(article)) },
        offers: Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_article_is_on_one_page_of_the_news() {
    let mut world = World::start("query_news").await;
    let mut position = None;
    for number in 0..60 {
        position = Some(world.log.publish(&article(number)).await);
    }
    world.wait_for(position.expect("a position")).await;

    let first = ask(&world, "/api/articles").await;
    assert_eq!(first["total"], 60);
    assert_eq!(first["perPage"], 25);
    assert_eq!(first["items"][0]["publishedAt"], "1970-01-01T00:00:19Z");
    assert_eq!(first["items"][0]["summary"], "Snow on the Maroma.");
    assert_eq!(first["items"][0]["body"], "");
    let mut slugs = BTreeSet::new();
    for (page, count) in [(1, 25), (2, 25), (3, 10), (4, 0)] {
        let list = ask(&world, &format!("/api/articles?locale=es&page={page}")).await;
        assert_eq!(list["page"], json!(page));
        let items = list["items"].as_array().expect("articles");
        assert_eq!(items.len(), count, "{page}");
        slugs.extend(items.iter().map(|article| article["slug"].to_string()));
    }
    assert_eq!(slugs.len(), 60, "{slugs:?}");
    let all = ask(&world, "/api/articles?perPage=100").await;
    assert_eq!(all["items"].as_array().map(Vec::len), Some(60));

    for wrong in ["page=0", "page=401", "perPage=101", "colour=red"] {
        let url = format!("{}/api/articles?{wrong}", world.node.url);
        let answer = reqwest::get(url).await.expect("an answer");
        assert!(answer.status().is_client_error(), "{wrong}: {}", answer.status());
    }
}
