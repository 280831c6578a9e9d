//! `GET /api/sitemap`: every address of the site that search engines should index.

use axum::extract::{RawQuery, State};
use contracts::{Sequence, Tag};
use sqlx::{query, types::Json};

use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::{Address, Sitemap},
    spans::read_rows,
};

/// The maximum number of homes, newest first: what one file of the sitemap protocol may hold.
const MAX_HOMES: i64 = 50_000;

/// Returns the paths of all pages of the site, without their language prefix.
#[utoipa::path(
    get,
    path = "/api/sitemap",
    tag = "site",
    responses((status = 200, body = Sitemap))
)]
pub(crate) async fn sitemap(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Sitemap>, ApiError> {
    Parameters::parse(query.as_deref()).finish()?;
    // The home page, the list of homes and the lists of places are in both languages, whatever languages the
    // editors have written their texts in: their content is homes.
    let statement = query!(
        r#"with home as (
               select '/property-for-sale/' || location_slug || '/' || reference as path, location_slug,
                      locales, changed_at as lastmod,
                      array(select concat_ws('/', image ->> 'file', image ->> 'version')
                            from jsonb_array_elements(images) as image) as images
               from read.property where locale = 'en' and status <> 'sold'
               order by changed_at desc, reference limit $1
           ), address as (
               select '/' || slug as path, locales, changed_at as lastmod, '{}'::text[] as images
               from read.page where locale = 'en' and slug not in ('home', 'property-for-sale')
               union all
               select own.path, '{en,es}',
                      coalesce(greatest((select max(changed_at) from read.page
                                         where locale = 'en' and slug = own.slug),
                                        (select max(lastmod) from home)), 'epoch'), '{}'
               from (values ('home', '/'), ('property-for-sale', '/property-for-sale')) as own (slug, path)
               union all
               select '/news/' || slug, locales, changed_at, '{}' from read.article where locale = 'en'
               union all
               select '/docs' || case slug when '' then '' else '/' || slug end, locales, changed_at, '{}'
               from read.doc where locale = 'en'
               union all
               select '/property-for-sale/' || l.slug, '{en,es}',
                      greatest(l.changed_at, max(home.lastmod)), '{}'
               from read.location as l
               left join read.location as part
                   on part.locale = 'en' and (part.slug = l.slug or l.slug = any (part.ancestors))
               left join home on home.location_slug = part.slug
               where l.locale = 'en' group by l.slug, l.changed_at
               union all
               select path, locales, lastmod, images from home
           )
           select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select to_jsonb(a) from address as a order by a.path)
                   as "addresses!: Vec<Json<Address>>""#,
        MAX_HOMES,
    );
    let row = read_rows("SELECT read.property read.page", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let items = row.addresses.into_iter().map(|Json(address)| address).collect();
    let tags =
        vec![Tag::PropertyList, Tag::LocationList, Tag::PageList, Tag::ArticleList, Tag::DocList];
    Ok(Answer { body: Sitemap { items, sequence }, sequence, tags })
}
