//! Waits until a visitor would see a property.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The list page, from which the first property's address is taken.
const LIST: &str = "/property-for-sale";
/// How long one try may take.
const TRY_LIMIT: Duration = Duration::from_secs(5);
/// The size of the largest answer that is read, in bytes.
const MAX_BYTES: usize = 4 << 20;
const PAUSE: Duration = Duration::from_millis(100);

/// Waits until the site has served a property's page, and returns its path. After `limit`, returns an error
/// that says which role is not ready and why.
pub async fn first_page(port: u16, health: &[(String, u16)], limit: Duration) -> Result<String> {
    let client = reqwest::Client::builder().timeout(TRY_LIMIT).no_proxy().build()?;
    let deadline = Instant::now() + limit;
    loop {
        match try_page(&client, port).await {
            Ok(path) => return Ok(path),
            Err(error) if Instant::now() > deadline => {
                return Err(error.context(not_ready(&client, health).await));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn try_page(client: &reqwest::Client, port: u16) -> Result<String> {
    let get = async |path: &str| -> Result<String> {
        let response = client.get(format!("http://127.0.0.1:{port}{path}")).send().await?;
        let page = runtime::read_body(&mut response.error_for_status()?, MAX_BYTES).await?;
        Ok(String::from_utf8_lossy(&page).into_owned())
    };
    let list = get(LIST).await?;
    let path = property_path(&list).context("the list shows no property")?;
    let page = get(path).await?;
    let reference = path.rsplit('/').next().unwrap_or_default();
    if !page.contains(reference) {
        bail!("{path} does not show {reference}");
    }
    Ok(path.to_owned())
}

/// Returns the first link to a property, `/property-for-sale/<place>/<reference>`, in `html`.
fn property_path(html: &str) -> Option<&str> {
    html.split("href=\"").skip(1).find_map(|rest| {
        let path = rest.split('"').next()?;
        let (place, reference) = path.strip_prefix(LIST)?.strip_prefix('/')?.split_once('/')?;
        let is_property =
            !place.is_empty() && !reference.is_empty() && !reference.contains(['?', '/']);
        is_property.then_some(path)
    })
}

#[derive(Deserialize)]
struct Readiness {
    failing: BTreeMap<String, String>,
}

/// Returns which roles are not ready and why, in words.
async fn not_ready(client: &reqwest::Client, health: &[(String, u16)]) -> String {
    let mut reasons = Vec::new();
    for (role, port) in health {
        let url = format!("http://127.0.0.1:{port}/readyz");
        let answer = async {
            let mut answer = client.get(url).send().await?;
            let body = runtime::read_body(&mut answer, MAX_BYTES).await?;
            anyhow::Ok(serde_json::from_slice::<Readiness>(&body)?)
        };
        match answer.await {
            Err(_) => reasons.push(format!("{role} does not answer")),
            Ok(readiness) => reasons.extend(
                readiness
                    .failing
                    .iter()
                    .map(|(check, reason)| format!("{role}: {check}: {reason}")),
            ),
        }
    }
    if reasons.is_empty() { "every role is ready".to_owned() } else { reasons.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_property_is_found_among_other_links() {
        let html = r#"<a href="/property-for-sale"></a><a href="/property-for-sale/nerja"></a>
            <a href="/property-for-sale?page=2"></a><a href="/property-for-sale/nerja/AH-1002">"#;
        assert_eq!(property_path(html), Some("/property-for-sale/nerja/AH-1002"));
        assert_eq!(property_path("<p>nothing</p>"), None);
    }
}
