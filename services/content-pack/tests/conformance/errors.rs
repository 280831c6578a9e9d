//! Errors are the same.

use content_client::Error;
use contracts::{AggregateId, Collection};
use local_servers::free_port;
use runtime::Disposition;

use crate::service::{Service, TOKEN};

pub async fn refusals_have_the_same_status_and_code(service: &Service) {
    let mut wrong = Vec::new();
    let missing = "b0000000-0000-4000-8000-00000000000f";
    for (path, token, status, code) in [
        ("items/properties", Some("wrong"), 401, "INVALID_CREDENTIALS"),
        ("nothing", Some("wrong"), 401, "INVALID_CREDENTIALS"),
        ("items/properties", None, 403, "FORBIDDEN"),
        ("items/properties/987654", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/properties/banana", Some(TOKEN), 403, "FORBIDDEN"),
        (&format!("items/articles/{missing}"), Some(TOKEN), 403, "FORBIDDEN"),
        ("items/nothing", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/directus_files", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/enquiries", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/properties?fields=id,nothing", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/properties?fields=location.nothing", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/properties?filter[nothing][_eq]=1", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/properties?sort=nothing", Some(TOKEN), 403, "FORBIDDEN"),
        ("items/properties?filter[price][_banana]=1", Some(TOKEN), 400, "INVALID_QUERY"),
        ("items/articles?filter[id][_gt]=1", Some(TOKEN), 400, "INVALID_QUERY"),
        ("items/properties?limit=banana", Some(TOKEN), 400, "INVALID_QUERY"),
        (&format!("assets/{missing}"), Some(TOKEN), 403, "FORBIDDEN"),
        ("assets/a0000000-0000-4000-8000-000000000001", None, 403, "FORBIDDEN"),
        ("nothing", Some(TOKEN), 404, "ROUTE_NOT_FOUND"),
    ] {
        let (found, answer) = service.get(path, token).await;
        let error = &answer["errors"][0];
        if found != status || error["extensions"]["code"] != code || !error["message"].is_string() {
            wrong.push(format!("{path}: {found} {answer} instead of {status} {code}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let (ping, _) = service.get("server/ping", Some("wrong")).await;
    assert_eq!(ping, 200, "the ping needs no token");
}

pub async fn a_wrong_token_is_unauthorised(service: &Service) {
    let client = service.client_with("wrong");
    let id = AggregateId::new(Collection::Properties, "1");
    let error = client.read(&id).await.expect_err("a wrong token reads nothing");
    assert!(matches!(error, Error::Unauthorized(_)), "{error:?}");
    assert_eq!(error.disposition(), Disposition::Halt);
    assert!(client.canary(Collection::Properties).await.is_err());
}

pub async fn an_address_without_a_service_is_unreachable(service: &Service) {
    let port = free_port().expect("a free port");
    let mut url = service.url.clone();
    url.set_port(Some(port)).expect("an address with a port");
    let client = content_client::Client::new(url, TOKEN.into()).expect("a client");
    let error = client.ids(Collection::Pages).await.expect_err("no server listens there");
    assert!(matches!(error, Error::Unreachable(_)), "{error:?}");
    assert!(error.is_transient());
}
