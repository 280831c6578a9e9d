//! `GET /api/site`: what every page shows.

use axum::extract::{RawQuery, State};
use contracts::{Locale, Tag};
use runtime::problem::Problem;
use serde::Deserialize;

use super::locations::{LocationRow, PLACES, count_of, counts};
use crate::{
    Node,
    answer::{Answer, Fresh},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::{LocationLink, Navigation, NavigationItem, Site, SiteSettings},
};

/// How deep menus may go; deeper entries are left out.
const DEEPEST_MENU: usize = 4;

#[derive(Deserialize)]
struct Rows {
    settings: Option<SiteSettings>,
    navigation: Vec<LinkRow>,
    locations: Vec<LocationRow>,
}

#[derive(Debug, Deserialize)]
struct LinkRow {
    key: String,
    menu: String,
    parent: Option<String>,
    url: Option<String>,
    target: Option<String>,
    icon: Option<String>,
    badge: Option<String>,
    disabled: bool,
    label: String,
    description: String,
}

/// Settings, menus and places.
#[utoipa::path(
    get,
    path = "/api/site",
    tag = "site",
    params(("locale" = Option<Locale>, Query, description = "The language of the texts")),
    responses(
        (status = 200, body = Site),
        (status = 400, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn site(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Site>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    given.finish()?;
    let (counts, counted_at) = counts(&node, locale).await?;
    let sql = format!(
        "select json_build_object(
            'settings', (select settings from read.site_settings where locale = $1 limit 1),
            'navigation', (select coalesce(json_agg(n order by n.sort nulls last, n.key), '[]')
                           from read.navigation as n where n.locale = $1),
            'locations', ({PLACES}))"
    );
    let (rows, sequence): (Rows, _) =
        fetch(&node.pool, statement(&sql).bind(locale.code())).await?;
    let sequence = sequence.min(counted_at);
    let locations = rows
        .locations
        .into_iter()
        .map(|row| LocationLink {
            count: count_of(&counts, &row.slug),
            slug: row.slug,
            name: row.name,
            intro: row.intro,
        })
        .collect();
    let menu = |name: &str| branch(&rows.navigation, name, None, DEEPEST_MENU);
    let navigation = Navigation {
        header: menu("header"),
        footer: menu("footer"),
        popular: menu("popular"),
        quick: menu("quick"),
        legal: menu("legal"),
    };
    let body = Site { settings: rows.settings, navigation, locations, sequence };
    Ok(Answer { body, sequence, tags: vec![Tag::Site, Tag::LocationList] })
}

/// The entries of `menu` under `parent`, with theirs, in the order of `links`.
fn branch(
    links: &[LinkRow],
    menu: &str,
    parent: Option<&str>,
    depth: usize,
) -> Vec<NavigationItem> {
    if depth == 0 {
        return Vec::new();
    }
    links
        .iter()
        .filter(|link| link.menu == menu && link.parent.as_deref() == parent)
        .map(|link| NavigationItem {
            label: link.label.clone(),
            description: link.description.clone(),
            url: link.url.clone(),
            target: link.target.clone(),
            icon: link.icon.clone(),
            badge: link.badge.clone(),
            disabled: link.disabled,
            children: branch(links, menu, Some(&link.key), depth - 1),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(key: &str, parent: Option<&str>) -> LinkRow {
        LinkRow {
            key: key.to_owned(),
            menu: "header".to_owned(),
            parent: parent.map(str::to_owned),
            url: None,
            target: None,
            icon: None,
            badge: None,
            disabled: false,
            label: key.to_owned(),
            description: String::new(),
        }
    }

    #[test]
    fn entries_stand_under_their_parents() {
        let links = [link("1", None), link("2", Some("1")), link("3", None), link("4", Some("1"))];
        let menu = branch(&links, "header", None, DEEPEST_MENU);
        let labels = |items: &[NavigationItem]| -> Vec<String> {
            items.iter().map(|item| item.label.clone()).collect()
        };
        assert_eq!(labels(&menu), ["1", "3"]);
        assert_eq!(labels(&menu[0].children), ["2", "4"]);
    }

    #[test]
    fn entries_that_stand_under_each_other_end() {
        let links = [link("1", None), link("2", Some("1")), link("2", Some("2"))];
        assert_eq!(branch(&links, "header", None, DEEPEST_MENU).len(), 1);
    }
}
