//! The roles' health ports: where they are, and asking them.

use std::{
    collections::BTreeMap,
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
const NAME_LIMIT: Duration = Duration::from_secs(1);
/// The most instances of one role that are asked: more are no installation that one console is for.
const MAX_INSTANCES: usize = 32;
/// The largest answer that is read, in bytes: a thousand dead letters with what differs.
const MAX_BYTES: usize = 16 << 20;

/// Where a role is, and its token where it takes calls.
#[derive(Debug)]
struct Place {
    urls: Vec<Url>,
    bearer: Option<HeaderValue>,
}

/// The roles.
#[derive(Clone, Debug)]
pub struct Roles {
    client: reqwest::Client,
    places: Arc<BTreeMap<Role, Place>>,
    /// Which instance of a role does what one alone does, as far as that is known.
    leading: Arc<Mutex<BTreeMap<Role, String>>>,
}

/// One process of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its host and port.
    pub name: String,
    base: String,
}

/// What a role answered.
#[derive(Clone, Debug)]
pub struct Asked {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Its name leads nowhere.
    #[error("its name leads nowhere: {0}")]
    Name(String),
    /// It does not answer.
    #[error("it does not answer")]
    Away(#[source] reqwest::Error),
    /// Its answer could not be read.
    #[error(transparent)]
    Body(#[from] runtime::BodyError),
}

impl Roles {
    /// As they are set.
    pub fn new(settings: &RoleSettings) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        let place = |urls: &[Url], token: &SecretString| Place {
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
        let preview = Place { urls: preview_health_url.clone(), bearer: None };
        let places = BTreeMap::from([
            (Role::Sync, place(sync_admin_url, sync_admin_token)),
            (Role::Projections, place(projections_admin_url, projections_admin_token)),
            (Role::Query, place(query_admin_url, query_admin_token)),
            (Role::Command, place(command_admin_url, command_admin_token)),
            (Role::Site, place(site_admin_url, site_admin_token)),
            (Role::Preview, preview),
        ]);
        Ok(Self { client, places: Arc::new(places), leading: Arc::default() })
    }

    /// Every process of `role`: an address is one, and a name as many as it leads to. One whose name
    /// leads nowhere now is listed by its name.
    pub async fn instances(&self, role: Role) -> Vec<Instance> {
        let mut instances = Vec::new();
        let Some(place) = self.places.get(&role) else { return instances };
        for url in &place.urls {
            match addresses_of(url).await {
                Ok(urls) => instances.extend(urls.iter().map(instance)),
                Err(_) => instances.push(instance(url)),
            }
        }
        instances.truncate(MAX_INSTANCES);
        instances
    }

    /// The processes of `role`, that first which does what one alone does.
    pub async fn best_first(&self, role: Role) -> Vec<Instance> {
        let mut instances = self.instances(role).await;
        let leading = self.leading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(leading) = leading.get(&role) {
            instances.sort_by_key(|instance| instance.name != *leading);
        }
        instances
    }

    /// The name of the instance of `role` that is noted to lead.
    pub fn leader(&self, role: Role) -> Option<String> {
        self.leading.lock().unwrap_or_else(PoisonError::into_inner).get(&role).cloned()
    }

    /// Notes that `instance` of `role` leads, or that it is not known which does.
    pub fn leads(&self, role: Role, instance: Option<&Instance>) {
        let mut leading = self.leading.lock().unwrap_or_else(PoisonError::into_inner);
        match instance {
            Some(instance) => leading.insert(role, instance.name.clone()),
            None => leading.remove(&role),
        };
    }

    /// Asks `instance` of `role` for `path`, with a JSON `body` where there is one; no longer than
    /// `limit`.
    pub async fn ask(
        &self,
        role: Role,
        instance: &Instance,
        method: Method,
        path: &str,
        body: Option<Bytes>,
        limit: Duration,
    ) -> Result<Asked, Failure> {
        let mut request =
            self.client.request(method, format!("{}{path}", instance.base)).timeout(limit);
        let bearer = self.places.get(&role).and_then(|place| place.bearer.as_ref());
        if let Some(bearer) = bearer.filter(|_| path.starts_with("/admin/")) {
            request = request.header(header::AUTHORIZATION, bearer);
        }
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body);
        }
        let mut answer =
            request.send().await.map_err(|error| Failure::Away(error.without_url()))?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = read_body(&mut answer, MAX_BYTES).await?;
        Ok(Asked { status, headers, body })
    }
}

/// What a role is shown: the first of two tokens, of which the second is on its way out.
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

/// `url` with each of the addresses that its name leads to in the name's place: of one family, since a
/// process listens on both where there are both.
async fn addresses_of(url: &Url) -> Result<Vec<Url>, Failure> {
    let (Some(Host::Domain(name)), "http") = (url.host(), url.scheme()) else {
        // An address, or a name that a certificate is for.
        return Ok(vec![url.clone()]);
    };
    let nowhere = |reason: String| Failure::Name(format!("{name}: {reason}"));
    let port = url.port_or_known_default().unwrap_or_default();
    let looked_up = timeout(NAME_LIMIT, lookup_host((name, port))).await;
    let found: Vec<IpAddr> = match looked_up {
        Ok(Ok(found)) => found.map(|address: SocketAddr| address.ip()).collect(),
        Ok(Err(error)) => return Err(nowhere(error.to_string())),
        Err(_) => return Err(nowhere("no answer".to_owned())),
    };
    let has_v4 = found.iter().any(IpAddr::is_ipv4);
    let mut kept: Vec<IpAddr> =
        found.into_iter().filter(|address| address.is_ipv4() == has_v4).collect();
    kept.sort_unstable();
    kept.dedup();
    let urls = kept.into_iter().filter_map(|address| {
        let mut url = url.clone();
        url.set_ip_host(address).ok()?;
        Some(url)
    });
    let urls: Vec<Url> = urls.collect();
    if urls.is_empty() { Err(nowhere("no address".to_owned())) } else { Ok(urls) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_is_as_many_processes_as_it_leads_to() {
        let found = addresses_of(&"http://localhost:9084".parse().expect("an address")).await;
        let names: Vec<String> =
            found.expect("it is known").iter().map(|url| instance(url).name).collect();
        assert_eq!(names, ["127.0.0.1:9084"]);
        let nowhere = "http://nobody.invalid:9084".parse().expect("an address");
        assert!(addresses_of(&nowhere).await.is_err());
    }

    #[test]
    fn of_two_tokens_the_first_is_shown() {
        assert_eq!(bearer(&"new-token, old-token".into()), "Bearer new-token");
        assert!(bearer(&"token".into()).is_sensitive());
    }
}
