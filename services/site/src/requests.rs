//! Measures the duration of visitors' requests, by route.

use std::{sync::OnceLock, time::Duration};

use http::{Method, StatusCode};
use metrics::{Histogram, histogram};
use runtime::{http::method_label, metrics::REQUEST_SECONDS};

/// The route of pages: everything that no other route matches.
pub const PAGE_ROUTE: &str = "/{*page}";
/// The routes as labels of the metric.
const ROUTES: [&str; 6] = [
    "/api/{*call}",
    "/assets/{*file}",
    "/media/{*picture}",
    "/share/{*picture}",
    "/api/changes",
    PAGE_ROUTE,
];
const PAGE: usize = ROUTES.len() - 1;
const FEED: usize = PAGE - 1;

/// The histograms of each route.
#[derive(Debug, Default)]
pub struct Requests {
    /// The histograms of GET requests with status 200, which most are, cached to skip the lookup by
    /// labels.
    usual: [OnceLock<Histogram>; ROUTES.len()],
}

impl Requests {
    /// Records that the answer to a request for `route` began after `took`.
    pub fn record(&self, method: &Method, route: Route, status: StatusCode, took: Duration) {
        let Route(route) = route;
        let find = || {
            histogram!(
                REQUEST_SECONDS,
                "http_request_method" => method_label(method),
                "http_route" => ROUTES[route],
                "http_response_status_code" => status.as_str().to_owned(),
            )
        };
        let took = took.as_secs_f64();
        if status == StatusCode::OK && method == Method::GET {
            self.usual[route].get_or_init(find).record(took);
        } else {
            find().record(took);
        }
    }
}

/// A route: an index into [`ROUTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route(usize);

impl Route {
    /// Returns the route of `path`.
    pub fn of(path: &str) -> Self {
        if path == ROUTES[FEED] {
            return Self(FEED);
        }
        let begins = |route: &&str| {
            route.split_once('{').is_some_and(|(folder, _)| path.starts_with(folder))
        };
        Self(ROUTES.iter().position(begins).unwrap_or(PAGE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_recognised_by_its_prefix() {
        for (path, route) in [
            ("/", "/{*page}"),
            ("/en/properties", "/{*page}"),
            ("/apiary", "/{*page}"),
            ("/api/properties", "/api/{*call}"),
            ("/api/changes", "/api/changes"),
            ("/assets/a.js", "/assets/{*file}"),
            ("/media/a/b.avif", "/media/{*picture}"),
        ] {
            assert_eq!(ROUTES[Route::of(path).0], route, "{path}");
        }
    }
}
