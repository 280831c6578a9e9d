//! `GET /api/site`: the settings, menus and places that every page shows.

use axum::extract::{RawQuery, State};
use contracts::{Locale, Sequence, Tag};
use read_models::{LocationRow, NavigationRow, Settings};
use sqlx::{query, types::Json};

use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::{LocationLink, Navigation, NavigationItem, Site},
    spans::read_rows,
};

/// The maximum depth of a menu; deeper entries are omitted.
const MAX_MENU_DEPTH: usize = 4;

/// Returns the site's settings, menus and places.
#[utoipa::path(
    get,
    path = "/api/site",
    tag = "site",
    params(("locale" = Option<Locale>, Query, description = "The language of the texts")),
    responses((status = 200, body = Site))
)]
pub(crate) async fn site(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Site>, ApiError> {
    let locale = Parameters::parse(query.as_deref()).only_locale()?;
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select settings from read.site_settings where locale = $1 limit 1)
                   as "settings: Json<Settings>",
               array(select to_jsonb(n) from read.navigation as n where locale = $1
                     order by sort nulls last, key) as "navigation!: Vec<Json<NavigationRow>>",
               array(select to_jsonb(l) - 'description' from read.location as l where locale = $1
                     order by sort nulls last, slug) as "places!: Vec<Json<LocationRow>>""#,
        locale.code(),
    );
    let row = read_rows(
        "SELECT read.site_settings read.navigation read.location",
        statement.fetch_one(&node.pool),
    )
    .await?;
    let sequence = Sequence::from_i64(row.sequence);
    let locations = row
        .places
        .into_iter()
        .map(|Json(place)| LocationLink {
            slug: place.slug,
            name: place.name,
            part_of: place.ancestors.into_iter().next(),
        })
        .collect();
    let links: Vec<NavigationRow> = row.navigation.into_iter().map(|Json(link)| link).collect();
    let menu = |name: &str| branch(&links, name, None, MAX_MENU_DEPTH);
    let navigation = Navigation {
        header: menu("header"),
        footer: menu("footer"),
        popular: menu("popular"),
        quick: menu("quick"),
        legal: menu("legal"),
    };
    let body = Site {
        settings: row.settings.map(|Json(settings)| settings.into()),
        navigation,
        locations,
        sequence,
    };
    Ok(Answer { body, sequence, tags: vec![Tag::Site, Tag::LocationList] })
}

/// Returns the entries of `menu` under `parent`, with their children, in the order of `links`.
fn branch(
    links: &[NavigationRow],
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
            children: branch(links, menu, Some(&link.origin.key), depth - 1),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use contracts::Version;
    use read_models::Origin;

    use super::*;

    fn link(key: &str, parent: Option<&str>) -> NavigationRow {
        NavigationRow {
            origin: Origin {
                key: key.to_owned(),
                locale: Locale::En,
                version: Version(1),
                changed_at: DateTime::default(),
            },
            language: Locale::En,
            sort: None,
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
    fn entries_are_nested_under_their_parents() {
        let links = [link("1", None), link("2", Some("1")), link("3", None), link("4", Some("1"))];
        let menu = branch(&links, "header", None, MAX_MENU_DEPTH);
        let labels = |items: &[NavigationItem]| -> Vec<String> {
            items.iter().map(|item| item.label.clone()).collect()
        };
        assert_eq!(labels(&menu), ["1", "3"]);
        assert_eq!(labels(&menu[0].children), ["2", "4"]);
    }

    #[test]
    fn a_cycle_of_entries_is_cut_off() {
        let links = [link("1", None), link("2", Some("1")), link("2", Some("2"))];
        assert_eq!(branch(&links, "header", None, MAX_MENU_DEPTH).len(), 1);
    }
}
