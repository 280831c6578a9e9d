//! A client for the health ports of the roles.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use runtime::read_body;
use secrecy::{ExposeSecret, SecretString};
use tokio::{net::lookup_host, time::timeout};
use url::{Host, Url};

use super::list::Role;
use crate::config::RoleSettings;

const CONNECT_LIMIT: Duration = Duration::from_secs(1);
const LOOKUP_LIMIT: Duration = Duration::from_secs(1);
/// The maximum number of instances of a role; the console is not meant for larger installations.
const MAX_INSTANCES: usize = 32;
/// The maximum size of a response body, in bytes: enough for a thousand dead letters with their
/// differences.
const MAX_BYTES: usize = 16 << 20;

/// The addresses of a role, and its token if it has admin calls.
#[derive(Debug)]
struct Endpoint {
    urls: Vec<Url>,
    bearer: Option<HeaderValue>,
}

/// A client for all roles. Clones share its state.
#[derive(Clone, Debug)]
pub struct Roles {
    client: reqwest::Client,
    endpoints: Arc<BTreeMap<Role, Endpoint>>,
    /// The name of the leader of each role that has one, as far as it is known.
    leaders: Arc<Mutex<BTreeMap<Role, String>>>,
}

/// A process of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its host and port.
    pub name: String,
    base: String,
}

/// A response from a role.
#[derive(Clone, Debug)]
pub struct RoleResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The host name cannot be resolved.
    #[error("its host name {name} can't be resolved")]
    Name {
        /// The host name.
        name: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The role does not respond.
    #[error("it does not answer")]
    NoResponse(#[source] reqwest::Error),
    /// The response could not be read.
    #[error(transparent)]
    Body(#[from] runtime::BodyError),
}

impl Roles {
    /// Creates the client from `settings`.
    pub fn new(settings: &RoleSettings) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        let endpoint = |urls: &[Url], token: &SecretString| Endpoint {
            urls: urls.to_vec(),
            bearer: Some(bearer(token)),
        };
        let RoleSettings {
            sync_admin_url,
            sync_admin_token,
            projections_admin_url,
            projections_admin_token,
            query_admin_url,
            query_admin_token,
            command_admin_url,
            command_admin_token,
            site_admin_url,
            site_admin_token,
            preview_health_url,
        } = settings;
        let preview = Endpoint { urls: preview_health_url.clone(), bearer: None };
        let endpoints = BTreeMap::from([
            (Role::Sync, endpoint(sync_admin_url, sync_admin_token)),
            (Role::Projections, endpoint(projections_admin_url, projections_admin_token)),
            (Role::Query, endpoint(query_admin_url, query_admin_token)),
            (Role::Command, endpoint(command_admin_url, command_admin_token)),
            (Role::Site, endpoint(site_admin_url, site_admin_token)),
            (Role::Preview, preview),
        ]);
        Ok(Self { client, endpoints: Arc::new(endpoints), leaders: Arc::default() })
    }

    /// Returns the processes of `role`: one for each IP address, and one for each address that a host
    /// name resolves to. A name that cannot be resolved is listed as one process under its name.
    pub async fn instances(&self, role: Role) -> Vec<Instance> {
        let mut instances = Vec::new();
        let Some(endpoint) = self.endpoints.get(&role) else { return instances };
        for url in &endpoint.urls {
            match resolve(url).await {
                Ok(urls) => instances.extend(urls.iter().map(instance)),
                Err(_) => instances.push(instance(url)),
            }
        }
        instances.truncate(MAX_INSTANCES);
        instances
    }

    /// Returns the processes of `role`, the leader first.
    pub async fn leader_first(&self, role: Role) -> Vec<Instance> {
        let mut instances = self.instances(role).await;
        let leaders = self.leaders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(leader) = leaders.get(&role) {
            instances.sort_by_key(|instance| instance.name != *leader);
        }
        instances
    }

    /// Returns the name of the known leader of `role`.
    pub fn leader(&self, role: Role) -> Option<String> {
        self.leaders.lock().unwrap_or_else(PoisonError::into_inner).get(&role).cloned()
    }

    /// Stores that `instance` is the leader of `role`; `None` means unknown.
    pub fn set_leader(&self, role: Role, instance: Option<&Instance>) {
        let mut leaders = self.leaders.lock().unwrap_or_else(PoisonError::into_inner);
        match instance {
            Some(instance) => leaders.insert(role, instance.name.clone()),
            None => leaders.remove(&role),
        };
    }

    /// Sends a request for `path` to `instance` of `role`, with an optional JSON `body` and the timeout
    /// `limit`. Only admin calls get the token.
    pub async fn request(
        &self,
        role: Role,
        instance: &Instance,
        method: Method,
        path: &str,
        body: Option<Bytes>,
        limit: Duration,
    ) -> Result<RoleResponse, Failure> {
        let mut request =
            self.client.request(method, format!("{}{path}", instance.base)).timeout(limit);
        let bearer = self.endpoints.get(&role).and_then(|endpoint| endpoint.bearer.as_ref());
        if let Some(bearer) = bearer.filter(|_| path.starts_with("/admin/")) {
            request = request.header(header::AUTHORIZATION, bearer);
        }
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body);
        }
        let mut response =
            request.send().await.map_err(|error| Failure::NoResponse(error.without_url()))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = read_body(&mut response, MAX_BYTES).await?;
        Ok(RoleResponse { status, headers, body })
    }
}

/// Returns the authorization header with the first of two tokens; during a rotation, the second is the
/// old one.
fn bearer(token: &SecretString) -> HeaderValue {
    let first = token.expose_secret().split(',').next().unwrap_or_default().trim();
    let mut bearer = HeaderValue::from_str(&format!("Bearer {first}"))
        .unwrap_or_else(|_| HeaderValue::from_static("Bearer"));
    bearer.set_sensitive(true);
    bearer
}

fn instance(url: &Url) -> Instance {
    let port = url.port_or_known_default().unwrap_or_default();
    let name = format!("{}:{port}", url.host_str().unwrap_or_default());
    Instance { name, base: url.as_str().trim_end_matches('/').to_owned() }
}

/// Returns `url` with its host name replaced by each of its IP addresses. Uses one address family only,
/// since a process with both IPv4 and IPv6 addresses listens on both.
async fn resolve(url: &Url) -> Result<Vec<Url>, Failure> {
    let (Some(Host::Domain(name)), "http") = (url.host(), url.scheme()) else {
        // An IP address, or a name that the certificate is issued for.
        return Ok(vec![url.clone()]);
    };
    let unresolved = |source| Failure::Name { name: name.to_owned(), source };
    let port = url.port_or_known_default().unwrap_or_default();
    let lookup = timeout(LOOKUP_LIMIT, lookup_host((name, port))).await;
    let found: Vec<IpAddr> = match lookup {
        Ok(Ok(found)) => found.map(|address: SocketAddr| address.ip()).collect(),
        Ok(Err(error)) => return Err(unresolved(error)),
        Err(_) => return Err(unresolved(io::Error::other("no answer"))),
    };
    let has_v4 = found.iter().any(IpAddr::is_ipv4);
    let mut addresses: Vec<IpAddr> =
        found.into_iter().filter(|address| address.is_ipv4() == has_v4).collect();
    addresses.sort_unstable();
    addresses.dedup();
    let urls = addresses.into_iter().filter_map(|address| {
        let mut url = url.clone();
        url.set_ip_host(address).ok()?;
        Some(url)
    });
    let urls: Vec<Url> = urls.collect();
    if urls.is_empty() {
        return Err(unresolved(io::Error::other("no address")));
    }
    Ok(urls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_host_name_is_one_process_per_address() {
        let urls = resolve(&"http://localhost:9084".parse().expect("an address")).await;
        let names: Vec<String> =
            urls.expect("it resolves").iter().map(|url| instance(url).name).collect();
        assert_eq!(names, ["127.0.0.1:9084"]);
        let unknown = "http://nobody.invalid:9084".parse().expect("an address");
        assert!(resolve(&unknown).await.is_err());
    }

    #[test]
    fn the_first_of_two_tokens_is_sent() {
        assert_eq!(bearer(&"new-token, old-token".into()), "Bearer new-token");
        assert!(bearer(&"token".into()).is_sensitive());
    }
}
