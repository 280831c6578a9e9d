//! The list of homes by its parameters.

use serde_json::Value;

use crate::{
    homes::{home, publish},
    node::World,
};

/// The parameters that the API promises, with valid values.
const PARAMETERS: [&str; 29] = [
    "locale=es",
    "q=villa",
    "propertyType=House",
    "propertyType=House&propertyType=Apartment",
    "location=nerja",
    "location=nerja&location=maro",
    "status=for_sale",
    "minPrice=100000",
    "maxPrice=400000",
    "minBedrooms=3",
    "maxBedrooms=3",
    "minBathrooms=2",
    "minBuilt=100",
    "features=garden",
    "withoutFeatures=pool",
    "notLocation=maro",
    "reduced=true",
    "featured=true",
    "newBuild=false",
    "bbox=-4,36,-3,37",
    "sort=newest",
    "sort=oldest",
    "sort=price-asc",
    "sort=price-desc",
    "sort=relevance",
    "sort=reduced",
    "sort=price-per-m2",
    "page=1",
    "perPage=100",
];

async fn list(world: &World, query: &str) -> (u16, Value) {
    let answer = reqwest::get(format!("{}/api/properties?{query}", world.node.url)).await;
    let answer = answer.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_promised_parameter_is_accepted() {
    let mut world = World::start("query_lists").await;
    publish(&mut world, &[home("AH-1", 300_000, 0)]).await;
    for query in PARAMETERS {
        let (status, list) = list(&world, query).await;
        assert_eq!((status, &list["total"]), (200, &1.into()), "{query}: {list}");
    }
    for excluded in ["withoutFeatures=garden", "notLocation=nerja"] {
        assert_eq!(list(&world, excluded).await.1["total"], 0, "{excluded}");
    }
    for (former, name) in [
        ("excludedFeatures=pool", "excludedFeatures"),
        ("excludedLocation=maro", "excludedLocation"),
    ] {
        let (status, refusal) = list(&world, former).await;
        assert_eq!((status, &refusal["errors"][0]["field"]), (400, &name.into()), "{refusal}");
    }
}
