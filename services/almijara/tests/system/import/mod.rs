//! Imports an agency's homes into an empty Directus: the feed of one site becomes another site's
//! content, without duplicates, even if the import is interrupted, and without overwriting editors'
//! changes.
//!
//! It is a single test, because it has one Directus and one site: each part continues where the one
//! before stopped.

mod agency;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use self::agency::{Agency, expected_and_actual, without_images, without_pictures_after};
use crate::stack::{self, Options, Stack, root};

/// How many homes have their pictures fetched: few, because scaling takes time.
const WITH_PICTURES: usize = 4;
/// How many homes of the sample content are for sale at a published price.
const OFFERED: usize = 103;
/// How many of them have a floor plan.
const WITH_FLOOR_PLAN: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_s_homes_are_imported() -> Result<()> {
    let stack = Stack::start_with_sample(Options::default()).await?;
    let is_complete =
        |status, feed: &str| status == 200 && feed.matches("<property>").count() == OFFERED;
    let feed = stack.page_when("/feeds/kyero.xml", "every home for sale", is_complete).await?;
    let feed = without_pictures_after(&feed, WITH_PICTURES);
    let agency = Agency::start().await?;

    a_feed_is_fetched_from_its_address(&agency, &stack.url("/feeds/kyero.xml")).await?;
    nothing_is_written_without_apply(&agency, &feed).await?;
    an_interrupted_import_is_completed(&agency, &feed).await?;
    every_home_equals_its_original(&agency).await?;
    the_same_feed_again_writes_nothing(&agency, &feed).await?;
    a_feed_without_pictures_removes_none(&agency, &feed).await?;
    only_a_changed_field_is_written_and_an_editor_s_stays(&agency, &feed).await?;
    a_picture_that_could_not_be_fetched_is_tried_again(&agency, &feed).await?;
    a_home_that_left_the_feed_is_archived_on_request(&agency, &feed).await?;
    a_table_is_imported_by_its_mapping(&agency).await?;
    stack.stop().await?;
    Ok(())
}

async fn a_feed_is_fetched_from_its_address(agency: &Agency, address: &str) -> Result<()> {
    let (_, output) = agency.import_from(address, &["--allow-private-addresses"]).await?;
    ensure!(output.contains(&format!("{OFFERED} homes of the source `127.0.0.1`")), "{output}");
    // A private address is refused, unless the flag allows it.
    let (succeeded, output) = agency.import_from(address, &[]).await?;
    ensure!(!succeeded && !output.contains("homes of the source"), "{output}");
    let (succeeded, output) =
        agency.import_from(&format!("{address}l"), &["--allow-private-addresses"]).await?;
    ensure!(!succeeded && output.contains("404"), "{output}");
    Ok(())
}

async fn nothing_is_written_without_apply(agency: &Agency, feed: &str) -> Result<()> {
    let (succeeded, output) = agency.import(feed, &["--create-places"]).await?;
    ensure!(succeeded, "{output}");
    for words in ["nothing was written", "+ place Nerja", "to create", "pictures to fetch"] {
        ensure!(output.contains(words), "{words}: {output}");
    }
    ensure!(agency.homes().await?.is_empty(), "a dry run has made homes");
    // Without their places, all homes are refused, with advice.
    let (succeeded, output) = agency.import(feed, &["--apply"]).await?;
    ensure!(!succeeded && output.contains("? no place is called Nerja"), "{output}");
    ensure!(agency.homes().await?.is_empty(), "a refused home was made");
    Ok(())
}

async fn an_interrupted_import_is_completed(agency: &Agency, feed: &str) -> Result<()> {
    let mut first = agency.command(feed, &["--apply", "--create-places"])?.spawn()?;
    let started = Instant::now();
    while agency.homes().await?.len() < WITH_PICTURES + 3 {
        ensure!(started.elapsed() < stack::scaled(Duration::from_mins(5)), "no home is made");
        ensure!(first.try_wait()?.is_none(), "it has ended already");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    first.kill().await?;
    let made = agency.count_homes_when_idle().await?;
    let all = feed.matches("<property>").count();
    ensure!(made < all, "it was not stopped half way: {made} of {all}");
    let (succeeded, output) = agency.import(feed, &["--apply", "--create-places"]).await?;
    ensure!(succeeded, "{output}");
    ensure!(agency.homes().await?.len() == all, "homes are missing or there twice: {output}");
    let places = agency.read("/items/locations?limit=-1&fields=slug").await?;
    let places = places.as_array().map_or(0, Vec::len);
    ensure!(places == 14, "a place that was made is made again: {places}");
    Ok(())
}

/// Compares the homes with the sample content, except for what the format can't express.
async fn every_home_equals_its_original(agency: &Agency) -> Result<()> {
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
        let (expected, found) = expected_and_actual(original, found, &places);
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
    let (succeeded, output) = agency.import(feed, &["--apply"]).await?;
    ensure!(succeeded && output.contains("nothing to do"), "{output}");
    ensure!(agency.homes().await? == before, "something was written");
    Ok(())
}

async fn a_feed_without_pictures_removes_none(agency: &Agency, feed: &str) -> Result<()> {
    let before = agency.homes().await?;
    let silent = without_images(feed);
    let (succeeded, output) = agency.import(&silent, &["--apply", "--allow-mass-removal"]).await?;
    ensure!(succeeded && output.contains("nothing to do"), "{output}");
    ensure!(agency.homes().await? == before, "something was written");
    Ok(())
}

async fn only_a_changed_field_is_written_and_an_editor_s_stays(
    agency: &Agency,
    feed: &str,
) -> Result<()> {
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
    let (succeeded, output) = agency.import(&cheaper, &["--apply"]).await?;
    let line =
        format!("~ {reference}: price {price} → 77000; kept as edited: bedrooms, listing_status");
    ensure!(succeeded && output.contains(&line), "{output}");
    let after = agency.homes().await?;
    let mut expected = home.clone();
    expected["price"] = json!(77_000);
    expected["bedrooms"] = json!(9);
    expected["listing_status"] = json!("under_offer");
    ensure!(
        without_bookkeeping(&after[0]) == without_bookkeeping(&expected),
        "{:#}\n{expected:#}",
        after[0]
    );
    let others = |homes: &[Value]| homes[1..].to_vec();
    ensure!(others(&after) == others(&before), "another home was written");
    // Importing the earlier feed restores the earlier price.
    let (succeeded, output) = agency.import(feed, &["--apply"]).await?;
    ensure!(succeeded && output.contains(&format!("price 77000 → {price}")), "{output}");
    Ok(())
}

/// Returns a home without the fields that change with every write.
fn without_bookkeeping(home: &Value) -> Value {
    let mut home = home.clone();
    home["imported"] = Value::Null;
    home["date_updated"] = Value::Null;
    home["user_updated"] = Value::Null;
    home
}

async fn a_picture_that_could_not_be_fetched_is_tried_again(
    agency: &Agency,
    feed: &str,
) -> Result<()> {
    let home = "<images>\n    <image id=\"1\">";
    let broken = feed.replacen(
        home,
        &format!("<images>\n    <image id=\"0\">\n      <url>{}none.jpg</url>\n    </image>\n    <image id=\"1\">", agency.url()),
        1,
    );
    ensure!(broken != feed, "the feed is written otherwise");
    let before = agency.homes().await?;
    for _ in 0..2 {
        let (succeeded, output) = agency.import(&broken, &["--apply"]).await?;
        ensure!(!succeeded && output.contains("none.jpg can't be fetched"), "{output}");
        ensure!(output.contains("the next run tries again"), "{output}");
    }
    let shown = |homes: &[Value]| -> Vec<Value> {
        homes.iter().map(|home| home["images"].clone()).collect()
    };
    ensure!(shown(&agency.homes().await?) == shown(&before), "the others are not as they were");
    // Pictures also stay if all have new addresses and none can be fetched there.
    let moved = feed.replace("/media/", "/moved/");
    ensure!(moved != feed, "the feed is written otherwise");
    let (succeeded, output) = agency.import(&moved, &["--apply"]).await?;
    ensure!(!succeeded && output.contains("the next run tries again"), "{output}");
    ensure!(shown(&agency.homes().await?) == shown(&before), "pictures went without others");
    // A picture on this machine is not requested if private addresses are not allowed.
    let (succeeded, output) = agency.import_publicly(&broken, &["--apply"]).await?;
    ensure!(!succeeded && output.contains("not a public address"), "{output}");
    Ok(())
}

async fn a_home_that_left_the_feed_is_archived_on_request(
    agency: &Agency,
    feed: &str,
) -> Result<()> {
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
    let (succeeded, output) = agency.import(&less, &["--apply"]).await?;
    ensure!(
        succeeded && output.contains(&format!("- {reference}: has left the feed, and stays")),
        "{output}"
    );
    ensure!(status().await? == "published", "it was archived without the flag");
    let (succeeded, output) = agency.import(&less, &["--apply", "--archive-gone"]).await?;
    ensure!(succeeded && output.contains("1 archived"), "{output}");
    ensure!(status().await? == "archived", "it is still there");
    let empty = format!("{start}</root>");
    let (succeeded, output) = agency.import(&empty, &["--apply", "--archive-gone"]).await?;
    ensure!(
        !succeeded && output.contains("more than a fifth"),
        "an empty feed removes homes: {output}"
    );
    let (succeeded, output) = agency.import(feed, &["--apply"]).await?;
    ensure!(succeeded, "{output}");
    ensure!(status().await? == "published", "it did not come back");
    Ok(())
}

async fn a_table_is_imported_by_its_mapping(agency: &Agency) -> Result<()> {
    let table = "Referencia;Tipo;Zona;Precio;Superficie;Dormitorios;Certificado;Título;Descripción;Extras;Fotos\n\
                 CSV 1;Casa mata;Nerja;249.500,00 €;98,5;3;En trámite;Casa con patio;Luz y calma.;Ascensor|Vistas al mar;\n\
                 CSV 2;Castillo;Nerja;mucho;98;3;D;Castillo;;;\n";
    let folder = root().join("deploy/docs/import-mapping.toml");
    let mapping = folder.to_str().context("a path")?;
    let (succeeded, output) = agency.table(table, mapping, &["--apply"]).await?;
    ensure!(!succeeded, "an invalid line was imported: {output}");
    for words in [
        "! CSV-2 (line 3): can't be imported",
        "kind (column `Tipo`) must be a kind",
        "price (column `Precio`) must be a whole number",
        "1 home created",
    ] {
        ensure!(output.contains(words), "{words}: {output}");
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
    let (_, output) = agency.table(table, mapping, &["--apply"]).await?;
    ensure!(output.contains("nothing to do"), "{output}");
    Ok(())
}
