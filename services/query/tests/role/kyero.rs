//! The feed for portals.

use contracts::{
    Version,
    content::{
        Embed, EmbedService, EnergyLabel, EnergyRating, ListingStatus, Particulars, Picture,
        Property, PropertyKind, PropertyText,
    },
};
use event_log::Lineage;
use serde_json::json;
use testkit::{eventually, log::lineage};
use uuid::Uuid;

use crate::{
    homes::{home, offered_as, publish, withdrawn},
    node::World,
    settings::settings,
};

/// Starts a node of an agency in the province of Granada.
async fn world_in_granada(name: &str) -> World {
    let mut world = World::start(name).await;
    let position = world.log.publish(&settings(1, json!({ "province": "Granada" }))).await;
    world.wait_for(position).await;
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_has_the_current_version_of_each_home_for_sale() {
    let mut world = world_in_granada("query_kyero").await;
    let mut villa = home("AH-1", 300_000, 0);
    // Word processors write line breaks like this.
    villa.location.name.en = Some("Ner\u{b}ja".to_owned());
    villa.energy = Some(EnergyLabel {
        rating: EnergyRating::D,
        exemption: None,
        consumption: Some(158.0),
        emissions: None,
        emissions_rating: Some(EnergyRating::Exempt),
    });
    villa.text.es = Some(PropertyText {
        title: "Villa con jardín".to_owned(),
        summary: String::new(),
        description: "<p>Mar &amp; sol</p><p>Todo\u{1} el año</p>".to_owned(),
    });
    villa.particulars = Particulars {
        video: Some(Embed { service: EmbedService::Vimeo, id: "76979871".to_owned() }),
        tour: Some(Embed { service: EmbedService::Matterport, id: "SxQL3iGyoDo".to_owned() }),
        ..Particulars::default()
    };
    let plan = villa.images.first().cloned();
    villa.floor_plan = plan.map(|plan| Picture { file: Uuid::from_u128(9), ..plan });
    let on_request = Property { price: None, ..home("AH-2", 0, 0) };
    let sold = Property { status: ListingStatus::Sold, ..home("AH-3", 100_000, 0) };
    let office = Property { kind: PropertyKind::Office, ..home("AH-4", 90_000, 0) };
    publish(&mut world, &[villa.clone(), on_request, sold, office]).await;

    let feed = read(&world, "").await;
    assert_eq!(references(&feed), ["AH-1", "AH-4"]);
    let first = &feed[..feed.find("</property>").expect("a home")];
    for element in [
        "<price>300000</price>",
        "<price_freq>sale</price_freq>",
        "<type>Villa</type>",
        "<town>Nerja</town>",
        "<province>Granada</province>",
        "<latitude>36.73</latitude>",
        "<plot>900</plot>",
        "<consumption>D</consumption>",
        "<emissions>X</emissions>",
        "<en>https://almijara.example/property-for-sale/nerja/AH-1</en>",
        "<es>https://almijara.example/es/property-for-sale/nerja/AH-1</es>",
        "<en>Villa AH-1\n\nWith a garden</en>",
        "<es>Villa con jardín\n\nMar &amp; sol\n\nTodo el año</es>",
        "<feature>Garden</feature>",
        "/media/00000000-0000-0000-0000-000000000001/1/1920.jpg</url>",
        "<video_url>https://vimeo.com/76979871</video_url>",
        "<virtual_tour_url>https://my.matterport.com/show/?m=SxQL3iGyoDo</virtual_tour_url>",
    ] {
        assert!(first.contains(element), "{element} is missing:\n{first}");
    }
    let (views, plan) = first.split_once("<image id=\"4\">").expect("a picture after the three");
    assert!(plan.contains("/00000000-0000-0000-0000-000000000009/1/1920.jpg</url>"), "{plan}");
    assert!(plan.contains("<floorplan/>") && !views.contains("<floorplan/>"), "{first}");
    let other = &feed[first.len()..];
    assert!(other.contains("<type>Commercial</type>"), "{other}");
    for element in ["<video_url>", "<virtual_tour_url>", "<tags>"] {
        assert!(!other.contains(element), "{element} belongs to the other home:\n{other}");
    }

    // A portal reads a home again if its date has changed, and deletes a home that is missing.
    villa.price = Some(280_000);
    let reduced = world.log.publish(&offered_as(&villa, Version(2))).await;
    world.wait_for(reduced).await;
    let feed = read(&world, "").await;
    assert!(
        feed.contains("<date>1970-01-01 00:00:04</date>"),
        "version 2, plus two seconds for FORM: {feed}"
    );
    assert!(feed.contains("<price>280000</price>"), "{feed}");
    let gone = world.log.publish(&withdrawn("AH-4")).await;
    world.wait_for(gone).await;
    assert_eq!(references(&read(&world, "").await), ["AH-1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_has_the_homes_that_its_filters_select() {
    let mut world = world_in_granada("query_kyero_filters").await;
    let offer = Property { status: ListingStatus::UnderOffer, ..home("AH-2", 200_000, 1) };
    let sold = Property { status: ListingStatus::Sold, ..home("AH-4", 250_000, 3) };
    publish(&mut world, &[home("AH-1", 300_000, 0), offer, home("AH-3", 100_000, 2), sold]).await;
    for (query, expected) in [
        ("", &["AH-3", "AH-1"][..]),
        ("?minPrice=150000", &["AH-1"]),
        ("?status=for_sale&status=under_offer", &["AH-3", "AH-2", "AH-1"]),
        ("?status=for_sale&status=sold", &["AH-3", "AH-1"]),
        // Empty: a portal then shows no home of this agency.
        ("?minPrice=900000", &[]),
        // The words match nothing, but they are not dropped: the feed does not have all villas.
        ("?q=pet+friendly+villa", &[]),
        // A phrase that sellers use, and not an exclusion.
        ("?q=no+chain", &[]),
    ] {
        assert_eq!(references(&read(&world, query).await), expected, "{query}");
    }
    for (query, field) in [
        ("?status=let", "status"),
        ("?minPrice=x", "minPrice"),
        ("?page=2", "page"),
        // Such a feed would have homes that were ruled out.
        ("?q=villa+no+stairs", "q"),
    ] {
        let answer = get(&world, query).await;
        assert_eq!(answer.status(), 400, "{query}");
        let problem: serde_json::Value = answer.json().await.expect("a problem");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_without_a_province_is_refused() {
    let mut world = World::start("query_kyero_province").await;
    publish(&mut world, &[home("AH-1", 300_000, 0)]).await;
    let refusal = get(&world, "").await;
    assert_eq!(refusal.status(), 503);
    let problem: serde_json::Value = refusal.json().await.expect("a problem");
    assert!(problem["detail"].as_str().is_some_and(|it| it.contains("province")), "{problem}");
    for (version, province) in [(1, "Granada"), (2, "Murcia")] {
        let fields = json!({ "province": province });
        let position = world.log.publish(&settings(version, fields)).await;
        world.wait_for(position).await;
        let feed = read(&world, "").await;
        assert!(feed.contains(&format!("<province>{province}</province>")), "{feed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_may_lack_homes_serves_no_feed() {
    let mut world = world_in_granada("query_kyero_ready").await;
    publish(&mut world, &[home("AH-1", 300_000, 0)]).await;
    let check = world.node.process.health().check("read models filled");
    assert_eq!(get(&world, "").await.status(), 503, "portals would delete what it lacks");
    check.ready();
    assert_eq!(references(&read(&world, "").await), ["AH-1"]);
    // The log is being refilled.
    world.log.set_lineage(Lineage { complete: false, ..lineage(1, &[]) }).await;
    wait_for_status(&world, 503).await;
    world.log.set_lineage(lineage(1, &[])).await;
    wait_for_status(&world, 200).await;
    // The index has a home that the read models lack.
    world.stop_projections().await;
    world.log.publish(&offered_as(&home("AH-2", 200_000, 1), Version(1))).await;
    wait_for_status(&world, 503).await;
    world.start_projections().await;
    wait_for_status(&world, 200).await;
    assert_eq!(references(&read(&world, "").await), ["AH-2", "AH-1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_whose_reference_changes_while_a_feed_is_read_is_in_it() {
    let mut world = world_in_granada("query_kyero_renamed").await;
    let mut villa = home("AH-1", 300_000, 0);
    villa.text.es = villa.text.en.clone();
    publish(&mut world, &[villa, home("AH-2", 200_000, 1), home("AH-3", 100_000, 2)]).await;
    // The read models change between the search in the index and the reading of the homes.
    sqlx::raw_sql(
        "update read_0001.property set reference = 'AH-10' where key = 'AH-1';
         delete from read_0001.property where key = 'AH-2'",
    )
    .execute(&world.pool)
    .await
    .expect("the rows");
    let feed = read(&world, "").await;
    assert_eq!(references(&feed), ["AH-3", "AH-10"], "a portal deletes only the home that is gone");
    assert!(feed.contains("<es>Villa AH-1"), "{feed}");
}

/// Waits until the feed is answered with `status`.
async fn wait_for_status(world: &World, status: u16) {
    eventually(&format!("the feed answers {status}"), async || {
        (get(world, "").await.status() == status).then_some(())
    })
    .await;
}

async fn get(world: &World, query: &str) -> reqwest::Response {
    let url = format!("{}/feeds/kyero.xml{query}", world.node.url);
    reqwest::get(url).await.expect("an answer")
}

async fn read(world: &World, query: &str) -> String {
    let answer = get(world, query).await;
    assert_eq!(answer.status(), 200, "{query}");
    assert_eq!(answer.headers()["content-type"], "application/xml; charset=utf-8");
    let feed = answer.text().await.expect("a feed");
    assert!(feed.starts_with("<?xml") && feed.ends_with("</root>\n"), "it is complete");
    feed
}

fn references(feed: &str) -> Vec<&str> {
    let after = feed.split("<ref>").skip(1);
    after.filter_map(|rest| Some(rest.split_once("</ref>")?.0)).collect()
}
