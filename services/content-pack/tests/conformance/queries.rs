//! Queries: the same URL returns the same items.

use serde_json::{Value, json};

use crate::service::{Service, TOKEN};

async fn data(service: &Service, path: &str) -> Value {
    let (status, mut answer) = service.get(path, Some(TOKEN)).await;
    assert_eq!(status, 200, "{path}: {answer}");
    answer["data"].take()
}

async fn ids(service: &Service, path: &str) -> Vec<i64> {
    let data = data(service, path).await;
    let rows = data.as_array().expect("a list");
    rows.iter().filter_map(|row| row["id"].as_i64()).collect()
}

/// Selects the first eight properties, which no case changes.
const UNCHANGED: &str = "filter[_and][0][id][_lte]=8";

pub async fn filters_select_the_same_items(service: &Service) {
    for (filter, expected) in [
        ("filter[_and][1][status][_eq]=draft", vec![2]),
        ("filter[_and][1][status][_neq]=published", vec![2, 3]),
        ("filter[_and][1][id][_in]=1,3,5", vec![1, 3, 5]),
        ("filter[_and][1][id][_nin]=1,2,3,4", vec![5, 6, 7, 8]),
        ("filter[_and][1][price][_gt]=600000", vec![7]),
        ("filter[_and][1][price][_gte]=600000", vec![6, 7]),
        ("filter[_and][1][price][_lt]=300000", vec![2]),
        ("filter[_and][1][price][_lte]=300000", vec![2, 3]),
        ("filter[_and][1][price][_null]=true", vec![8]),
        ("filter[_and][1][location][_null]=true", vec![5]),
        ("filter[_and][1][sort][_nnull]=true&filter[_and][2][reduced][_eq]=true", vec![1]),
        ("filter[_and][1][location][slug][_eq]=maro", vec![8]),
        ("filter[_and][1][location][status][_neq]=published", vec![4]),
        (
            "filter[_and][1][_or][0][status][_eq]=archived&filter[_and][1][_or][1][id][_eq]=1",
            vec![1, 3],
        ),
        ("filter[_and][1][listed_on][_gte]=2026-05-18&filter[_and][2][id][_eq]=4", vec![4]),
    ] {
        let path = format!("items/properties?fields=id&sort=id&{UNCHANGED}&{filter}");
        assert_eq!(ids(service, &path).await, expected, "{filter}");
    }
    let json = json!({ "_and": [{ "id": { "_in": ["2", 3] } }, { "status": { "_eq": "draft" } }] });
    let path = format!("items/properties?fields=id&filter={json}");
    assert_eq!(ids(service, &path).await, [2]);
}

pub async fn sorting_and_paging_are_the_same(service: &Service) {
    let of = async |query: &str| {
        ids(service, &format!("items/properties?fields=id&{UNCHANGED}&{query}")).await
    };
    assert_eq!(of("sort=-id&limit=3").await, [8, 7, 6]);
    assert_eq!(of("sort=price&limit=-1").await, [2, 3, 1, 4, 5, 6, 7, 8], "null is last");
    assert_eq!(of("sort=-price,id&limit=2").await, [8, 7], "and first in descending order");
    assert_eq!(of("sort=-listing_status,-id&limit=2").await, [1, 8]);
    assert_eq!(of("sort=id&limit=3&page=2").await, [4, 5, 6]);
    assert_eq!(of("sort=id&limit=3&offset=6").await, [7, 8]);
    assert_eq!(of("sort=id&limit=3&page=9").await, Vec::<i64>::new());

    let path =
        format!("items/properties?fields=id&limit=2&meta=filter_count,total_count&{UNCHANGED}");
    let (_, answer) = service.get(&path, Some(TOKEN)).await;
    assert_eq!(answer["meta"]["filter_count"], 8);
    assert!(answer["meta"]["total_count"].as_u64() >= Some(12));
    assert_eq!(answer["data"].as_array().map(Vec::len), Some(2));
}

pub async fn the_requested_fields_are_returned(service: &Service) {
    let property =
        data(service, "items/properties/1?fields=id,lat,price,reduced,views,listed_on").await;
    assert_eq!(
        property,
        json!({
            "id": 1, "lat": "36.750000", "price": 345_000, "reduced": true,
            "views": ["sea", "mountain"], "listed_on": "2026-05-18",
        }),
        "decimals are strings, integers are numbers"
    );
    let plain = data(service, "items/properties/1").await;
    assert_eq!(plain["location"], 1);
    assert_eq!(plain["translations"], json!([1, 2]));
    assert_eq!(plain["images"], json!([2, 1, 3]), "in the order of their sort");

    let nested = "items/properties/1?fields=ref,location.slug,location.translations.name,\
                  images.directus_files_id.description,translations.languages_code";
    assert_eq!(
        data(service, nested).await,
        json!({
            "ref": "AH-1001",
            "location": { "slug": "nerja", "translations": [{ "name": "Nerja" }, { "name": "Nerja" }] },
            "images": [
                { "directus_files_id": { "description": "A kitchen" } },
                { "directus_files_id": { "description": "A terrace" } },
                { "directus_files_id": { "description": null } },
            ],
            "translations": [{ "languages_code": "en-GB" }, { "languages_code": "es-ES" }],
        })
    );
    let settings = data(service, "items/site_settings?fields=company_name,hero").await;
    assert_eq!(
        settings,
        json!({ "company_name": "Almijara Homes", "hero": "a0000000-0000-4000-8000-000000000004" })
    );
    let file =
        data(service, "files/a0000000-0000-4000-8000-000000000001?fields=id,width,type").await;
    assert_eq!(
        file,
        json!({ "id": "a0000000-0000-4000-8000-000000000001", "width": 8, "type": "image/png" })
    );
}
