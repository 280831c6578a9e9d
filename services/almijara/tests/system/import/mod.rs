//! An agency's own homes come into an empty Directus: what the feed of one site says is what another
//! site's content holds, once, whatever stops it and whatever editors do meanwhile.
//!
//! One Directus and one site, and so one test: each part goes on where the one before it stopped.

mod agency;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use self::agency::{Agency, home_of, without_images, without_pictures_after};
use crate::stack::{self, Options, Stack, root};

/// Homes whose pictures are fetched: scaling takes its time.
const WITH_PICTURES: usize = 4;
/// Homes of the sample content that are for sale at a price that is told.
const OFFERED: usize = 103;
/// Those of them that have a floor plan.
const WITH_FLOOR_PLAN: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_s_homes_are_imported() -> Result<()> {
    let stack = Stack::start_with_sample(Options::default()).await?;
    let whole = |status, feed: &str| status == 200 && feed.matches("<property>").count() == OFFERED;
    let feed = stack.page_once("/feeds/kyero.xml", "every home for sale", whole).await?;
    let feed = without_pictures_after(&feed, WITH_PICTURES);
    let agency = Agency::start().await?;

    a_feed_is_fetched_from_its_address(&agency, &stack.url("/feeds/kyero.xml")).await?;
    nothing_is_written_unasked(&agency, &feed).await?;
    what_was_stopped_half_way_is_completed(&agency, &feed).await?;
    every_home_is_what_the_feed_was_made_of(&agency).await?;
    the_same_feed_again_writes_nothing(&agency, &feed).await?;
    a_feed_that_says_nothing_of_pictures_takes_none_away(&agency, &feed).await?;
    a_change_is_one_field_and_an_editor_s_stays(&agency, &feed).await?;
    a_picture_that_could_not_be_had_is_tried_again(&agency, &feed).await?;
    a_home_that_has_left_is_archived_when_asked(&agency, &feed).await?;
    a_table_is_imported_by_its_mapping(&agency).await?;
    stack.stop().await?;
    Ok(())
}

async fn a_feed_is_fetched_from_its_address(agency: &Agency, address: &str) -> Result<()> {
    let (_, told) = agency.import_from(address, &["--allow-private-addresses"]).await?;
    ensure!(told.contains(&format!("{OFFERED} homes of the source `127.0.0.1`")), "{told}");
    // An address that leads into the network behind is refused, unless it is meant.
    let (whole, told) = agency.import_from(address, &[]).await?;
    ensure!(!whole && !told.contains("homes of the source"), "{told}");
    let (whole, told) =
        agency.import_from(&format!("{address}l"), &["--allow-private-addresses"]).await?;
    ensure!(!whole && told.contains("404"), "{told}");
    Ok(())
}

async fn nothing_is_written_unasked(agency: &Agency, feed: &str) -> Result<()> {
    let (whole, told) = agency.import(feed, &["--create-places"]).await?;
    ensure!(whole, "{told}");
    for words in ["nothing was written", "+ place Nerja", "to make", "pictures to fetch"] {
        ensure!(told.contains(words), "{words}: {told}");
    }
    ensure!(agency.homes().await?.is_empty(), "a dry run has made homes");
    // Without its places each home is refused, and what to do is said.
    let (whole, told) = agency.import(feed, &["--apply"]).await?;
    ensure!(!whole && told.contains("? no place is called Nerja"), "{told}");
    ensure!(agency.homes().await?.is_empty(), "a refused home was made");
    Ok(())
}

async fn what_was_stopped_half_way_is_completed(agency: &Agency, feed: &str) -> Result<()> {
    let mut first = agency.command(feed, &["--apply", "--create-places"])?.spawn()?;
    let begun = Instant::now();
    while agency.homes().await?.len() < WITH_PICTURES + 3 {
        ensure!(begun.elapsed() < stack::patient(Duration::from_mins(5)), "no home is made");
        ensure!(first.try_wait()?.is_none(), "it has ended already");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    first.kill().await?;
    let made = agency.homes_at_rest().await?;
    let all = feed.matches("<property>").count();
    ensure!(made < all, "it was not stopped half way: {made} of {all}");
    let (whole, told) = agency.import(feed, &["--apply", "--create-places"]).await?;
    ensure!(whole, "{told}");
    ensure!(agency.homes().await?.len() == all, "homes are missing or there twice: {told}");
    let places = agency.read("/items/locations?limit=-1&fields=slug").await?;
    let places = places.as_array().map_or(0, Vec::len);
    ensure!(places == 14, "a place that was made is made again: {places}");
    Ok(())
}

/// The oracle: what the sample content holds, less what the format can't say.
async fn every_home_is_what_the_feed_was_made_of(agency: &Agency) -> Result<()> {
    let source = std::fs::read(root().join("deploy/content/properties.json"))?;
    let source: Vec<Value> = serde_json::from_slice(&source)?;
    let places = std::fs::read(root().join("deploy/content/locations.json"))?;
    let places: Vec<Value> = serde_json::from_slice(&places)?;
    let homes = agency.homes().await?;
    let mut checked = 0;
    for original in &source {
        let is_in_the_feed = original["status"] == "published"
            && original["listing_status"] == "for_sale"
            && !original["price"].is_null();
        let found = homes.iter().find(|home| home["ref"] == original["ref"]);
        ensure!(found.is_some() == is_in_the_feed, "{} should be there or not", original["ref"]);
        let Some(found) = found else { continue };
        let (expected, found) = home_of(original, found, &places);
        ensure!(found == expected, "{}: {found:#}\n{expected:#}", original["ref"]);
        checked += 1;
    }
    ensure!(checked == OFFERED, "only {checked} homes were compared");
    let pictures =
        homes.iter().filter(|home| home["images"].as_array().is_some_and(|it| !it.is_empty()));
    ensure!(pictures.count() == WITH_PICTURES, "pictures are missing, or a plan is among them");
    let plans = homes.iter().filter(|home| !home["floor_plan"].is_null()).count();
    ensure!(plans == WITH_FLOOR_PLAN, "{plans} homes have their floor plan");
    Ok(())
}

async fn the_same_feed_again_writes_nothing(agency: &Agency, feed: &str) -> Result<()> {
    let before = agency.homes().await?;
    let (whole, told) = agency.import(feed, &["--apply"]).await?;
    ensure!(whole && told.contains("nothing to do"), "{told}");
    ensure!(agency.homes().await? == before, "something was written");
    Ok(())
}

async fn a_feed_that_says_nothing_of_pictures_takes_none_away(
    agency: &Agency,
    feed: &str,
) -> Result<()> {
    let before = agency.homes().await?;
    let silent = without_images(feed);
    let (whole, told) = agency.import(&silent, &["--apply", "--allow-mass-removal"]).await?;
    ensure!(whole && told.contains("nothing to do"), "{told}");
    ensure!(agency.homes().await? == before, "something was written");
    Ok(())
}

async fn a_change_is_one_field_and_an_editor_s_stays(agency: &Agency, feed: &str) -> Result<()> {
    let before = agency.homes().await?;
    let home = before.first().context("a home")?;
    let own = json!({ "bedrooms": 9, "listing_status": "under_offer" });
    agency.update(home, own).await?;
    let reference = home["ref"].as_str().context("a reference")?;
    let at = feed.find(&format!("<ref>{reference}</ref>")).context("it is in the feed")?;
    let (start, rest) = feed.split_at(at);
    let price = home["price"].to_string();
    let cheaper =
        format!("{start}{}", rest.replacen(&format!("<price>{price}<"), "<price>77000<", 1));
    let (whole, told) = agency.import(&cheaper, &["--apply"]).await?;
    let line = format!(
        "~ {reference}: price {price} → 77000; as an editor has it: bedrooms, listing_status"
    );
    ensure!(whole && told.contains(&line), "{told}");
    let after = agency.homes().await?;
    let mut expected = home.clone();
    expected["price"] = json!(77_000);
    expected["bedrooms"] = json!(9);
    expected["listing_status"] = json!("under_offer");
    ensure!(as_seen(&after[0]) == as_seen(&expected), "{:#}\n{expected:#}", after[0]);
    let others = |homes: &[Value]| homes[1..].to_vec();
    ensure!(others(&after) == others(&before), "another home was written");
    // The price of before comes back with the feed of before.
    let (whole, told) = agency.import(feed, &["--apply"]).await?;
    ensure!(whole && told.contains(&format!("price 77000 → {price}")), "{told}");
    Ok(())
}

/// Without what changes with every write.
fn as_seen(home: &Value) -> Value {
    let mut home = home.clone();
    home["imported"] = Value::Null;
    home["date_updated"] = Value::Null;
    home["user_updated"] = Value::Null;
    home
}

async fn a_picture_that_could_not_be_had_is_tried_again(agency: &Agency, feed: &str) -> Result<()> {
    let home = "<images>\n    <image id=\"1\">";
    let broken = feed.replacen(
        home,
        &format!("<images>\n    <image id=\"0\">\n      <url>{}none.jpg</url>\n    </image>\n    <image id=\"1\">", agency.url()),
        1,
    );
    ensure!(broken != feed, "the feed is written otherwise");
    let before = agency.homes().await?;
    for _ in 0..2 {
        let (whole, told) = agency.import(&broken, &["--apply"]).await?;
        ensure!(!whole && told.contains("none.jpg can't be had"), "{told}");
        ensure!(told.contains("the next run tries again"), "{told}");
    }
    let shown = |homes: &[Value]| -> Vec<Value> {
        homes.iter().map(|home| home["images"].clone()).collect()
    };
    ensure!(shown(&agency.homes().await?) == shown(&before), "the others are not as they were");
    // Nor does what is shown go where all pictures have another address and none is to be had there.
    let moved = feed.replace("/media/", "/moved/");
    ensure!(moved != feed, "the feed is written otherwise");
    let (whole, told) = agency.import(&moved, &["--apply"]).await?;
    ensure!(!whole && told.contains("the next run tries again"), "{told}");
    ensure!(shown(&agency.homes().await?) == shown(&before), "pictures went without others");
    // A picture of this machine is not asked for where that is not allowed.
    let (whole, told) = agency.import_publicly(&broken, &["--apply"]).await?;
    ensure!(!whole && told.contains("no public address"), "{told}");
    Ok(())
}

async fn a_home_that_has_left_is_archived_when_asked(agency: &Agency, feed: &str) -> Result<()> {
    let (start, rest) = feed.split_once("<property>").context("a home")?;
    let (gone, rest) = rest.split_once("</property>").context("its end")?;
    let less = format!("{start}{rest}");
    let (reference, _) =
        gone.split_once("<ref>").and_then(|it| it.1.split_once("</ref>")).context("a ref")?;
    let status = async || -> Result<Value> {
        let homes = agency.homes().await?;
        let home = homes.iter().find(|home| home["ref"] == reference);
        Ok(home.context("it is there")?["status"].clone())
    };
    let (whole, told) = agency.import(&less, &["--apply"]).await?;
    ensure!(
        whole && told.contains(&format!("- {reference}: has left the feed, and stays")),
        "{told}"
    );
    ensure!(status().await? == "published", "it went unasked");
    let (whole, told) = agency.import(&less, &["--apply", "--archive-gone"]).await?;
    ensure!(whole && told.contains("1 archived"), "{told}");
    ensure!(status().await? == "archived", "it is still there");
    let empty = format!("{start}</root>");
    let (whole, told) = agency.import(&empty, &["--apply", "--archive-gone"]).await?;
    ensure!(!whole && told.contains("more than a fifth"), "an empty feed removes homes: {told}");
    let (whole, told) = agency.import(feed, &["--apply"]).await?;
    ensure!(whole, "{told}");
    ensure!(status().await? == "published", "it did not come back");
    Ok(())
}

async fn a_table_is_imported_by_its_mapping(agency: &Agency) -> Result<()> {
    let table = "Referencia;Tipo;Zona;Precio;Superficie;Dormitorios;Certificado;Título;Descripción;Extras;Fotos\n\
                 CSV 1;Casa mata;Nerja;249.500,00 €;98,5;3;En trámite;Casa con patio;Luz y calma.;Ascensor|Vistas al mar;\n\
                 CSV 2;Castillo;Nerja;mucho;98;3;D;Castillo;;;\n";
    let folder = root().join("deploy/docs/import-mapping.toml");
    let mapping = folder.to_str().context("a path")?;
    let (whole, told) = agency.table(table, mapping, &["--apply"]).await?;
    ensure!(!whole, "a wrong line was taken: {told}");
    for words in [
        "! CSV-2 (line 3): can't be taken",
        "kind (column `Tipo`) must be a kind",
        "price (column `Precio`) must be a whole number",
        "1 home made",
    ] {
        ensure!(told.contains(words), "{words}: {told}");
    }
    let homes = agency.homes().await?;
    let home = homes.iter().find(|home| home["ref"] == "CSV-1").context("it was made")?;
    for (field, value) in [
        ("kind", json!("village-house")),
        ("price", json!(249_500)),
        ("built_m2", json!(99)),
        ("energy_rating", json!("in_process")),
        ("features", json!(["lift"])),
        ("views", json!(["sea"])),
    ] {
        ensure!(home[field] == value, "{field}: {home:#}");
    }
    let (_, told) = agency.table(table, mapping, &["--apply"]).await?;
    ensure!(told.contains("nothing to do"), "{told}");
    Ok(())
}
