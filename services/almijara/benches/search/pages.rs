//! Measures pages: from the site's cache, rendered each time, and for comparison a constant body.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::{
    constant::Constant,
    http::{Connection, Request},
    load::{self, Figures},
    node::HttpClient,
    stack::Stack,
};

/// How many renders the site runs concurrently.
const MAX_CONCURRENT_RENDERS: usize = 8;

/// A page and how it was answered.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageRun {
    pub page: String,
    pub how: &'static str,
    pub figures: Figures,
}

/// Measures a list page and the page of one home.
pub async fn measure(stack: &Stack, clients: usize, duration: Duration) -> Result<Vec<PageRun>> {
    let newest = stack.api("/api/properties?perPage=1").await?;
    let home = newest["items"][0]["url"].as_str().context("a home has an address")?;
    let mut runs = Vec::new();
    for page in ["/property-for-sale/nerja", home] {
        let headers = [("accept", "text/html")];
        let packed = [("accept", "text/html"), ("accept-encoding", "br")];
        let site = stack.port;
        let plain = Request::get(page, &headers);
        let brotli = Request::get(page, &packed);
        let run = async |port: u16, request: &Request| {
            let requests = Arc::new(vec![request.clone()]);
            load::run(clients, duration, move || HttpClient::new(port, requests.clone())).await
        };
        for (request, cached, constant) in [
            (&plain, "cached, as it is", "constant body of that size"),
            (&brotli, "cached, Brotli", "constant body of the packed size"),
        ] {
            let bytes = Connection::to(site).ask(request).await?.len();
            let mut record = |how, figures| {
                runs.push(PageRun { page: page.to_owned(), how, figures });
            };
            record(cached, run(site, request).await?);
            let same_size = Constant::start(bytes).await?;
            record(constant, run(same_size.port, &Request::get("/", &[])).await?);
            same_size.stop().await?;
        }
        let requests = Arc::new(vec![plain.clone()]);
        let renderer = stack.port_of("renderer")?;
        let make = move || HttpClient::new(renderer, requests.clone());
        let figures = load::run(clients.min(MAX_CONCURRENT_RENDERS), duration, make).await?;
        runs.push(PageRun { page: page.to_owned(), how: "rendered each time", figures });
    }
    Ok(runs)
}
