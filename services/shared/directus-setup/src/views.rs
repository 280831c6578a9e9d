//! Bookmarks, a dashboard, and texts in both languages for editors in the Studio.

use contracts::Locale;
use serde_json::{Value, json};

use crate::{
    Directus, Error,
    data::{PanelData, ViewsData, views},
    plan::Plan,
    rows::{Row, Rows},
    texts::{LANGUAGES, Texts},
};

/// The fields of the dashboard and its panels that an upgrade renews.
const RENEWED: [&str; 1] = ["name"];

/// Plans missing bookmarks, dashboard and panels, and adds their names to `texts`.
pub async fn plan(directus: &Directus, texts: &mut Texts, plan: &mut Plan) -> Result<(), Error> {
    let data = views()?;
    bookmarks(&data, texts).plan(directus, plan).await?;
    let board = &data.dashboard;
    let row = Row::new(
        board.name.of(Locale::En),
        json!({ "id": board.id }),
        json!({ "name": board.name.both(), "icon": board.icon }),
    );
    let row = Row { renewed: &RENEWED, ..row };
    Rows::new("/dashboards", "dashboard", vec![row]).plan(directus, plan).await?;
    let panels = board.panels.iter().map(|panel| self::panel(panel, &board.id)).collect();
    Rows::new("/panels", "panel", panels).plan(directus, plan).await?;
    Ok(())
}

/// Plans the texts that Directus does not have yet.
pub async fn words(directus: &Directus, texts: &Texts, plan: &mut Plan) -> Result<(), Error> {
    let of_key = |(key, names): (&str, &crate::texts::Names)| {
        LANGUAGES.map(|(language, locale)| {
            let identity = json!({ "key": key, "language": language });
            let name = format!("{key} ({language})");
            let row = Row::new(name, identity, json!({ "value": names.of(locale) }));
            // Texts of notes and choices are renewed by an upgrade.
            Row { renewed: &["value"], ..row }
        })
    };
    let rows = texts.all().flat_map(of_key).collect();
    let rows =
        Rows { reported_as_count: true, ..Rows::new("/translations", "words of the Studio", rows) };
    rows.plan(directus, plan).await?;
    Ok(())
}

/// Returns the bookmarks. They belong to no user or role, so everybody who may see the collection has them.
fn bookmarks(data: &ViewsData, texts: &mut Texts) -> Rows {
    let rows = data.bookmarks.iter().map(|bookmark| {
        let english = bookmark.name.as_ref().map_or("columns", |name| name.of(Locale::En));
        let english = english.to_owned();
        let key = bookmark.name.clone().map(|name| {
            texts.key(&format!("bookmark_{}_{english}", bookmark.collection), name)
        });
        let identity = json!({
            "bookmark": key, "collection": bookmark.collection, "role": null, "user": null,
        });
        let fields = json!({
            "icon": bookmark.icon,
            "filter": bookmark.filter,
            "layout": "tabular",
            "layout_query": { "tabular": { "fields": bookmark.columns, "sort": [bookmark.sort], "page": 1 } },
        });
        Row::new(format!("{}: {english}", bookmark.collection), identity, fields)
    });
    Rows::new("/presets", "bookmark", rows.collect())
}

fn panel(panel: &PanelData, dashboard: &str) -> Row {
    let english = panel.name.of(Locale::En).to_owned();
    let [left, top, width, height] = panel.at;
    let (kind, options) = match (&panel.counts, &panel.lists) {
        (Some(counts), _) => (
            "metric",
            json!({ "collection": counts.collection, "field": "id", "function": "count",
                    "filter": counts.filter }),
        ),
        (None, Some(lists)) => (
            "list",
            json!({ "collection": lists.collection, "displayTemplate": lists.template,
                    "sortField": lists.sort, "sortDirection": "desc", "limit": 10,
                    "filter": lists.filter }),
        ),
        (None, None) => ("label", Value::Null),
    };
    let fields = json!({
        "dashboard": dashboard,
        "name": panel.name.both(),
        "icon": panel.icon,
        "show_header": true,
        "type": kind,
        "position_x": left,
        "position_y": top,
        "width": width,
        "height": height,
        "options": options,
    });
    Row { renewed: &RENEWED, ..Row::new(english, json!({ "id": panel.id }), fields) }
}
