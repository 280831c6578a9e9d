//! Current and former slugs of places: a saved search has the slug of its time.

use std::{borrow::Cow, collections::HashMap};

use contracts::content::Property;
use search_parameters::SearchAddress;
use sqlx::{Postgres, Transaction};

use crate::Error;

/// Maps each slug of a place that had several to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceNames(HashMap<String, Vec<String>>);

impl PlaceNames {
    pub async fn read(transaction: &mut Transaction<'_, Postgres>) -> Result<Self, Error> {
        let names = sqlx::query!(
            r#"select one.slug, array_agg(other.slug order by other.slug) as "others!"
               from visitor.place_name one join visitor.place_name other on other.key = one.key
               where other.slug <> one.slug group by one.slug"#
        )
        .fetch_all(&mut **transaction)
        .await?;
        Ok(Self(names.into_iter().map(|name| (name.slug, name.others)).collect()))
    }

    /// Records that the place `key` has the address `slug` from now on. Searches with a former slug are
    /// renamed.
    pub async fn record(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        key: &str,
        slug: &str,
    ) -> Result<(), Error> {
        // If `slug` is another place's current address, the keys may be new: a rebuilt content service
        // assigns keys again, and this may be that place. Then the former slugs of the key are dropped.
        // A slug that the other place has given up can be taken freely.
        sqlx::query!(
            "delete from visitor.place_name where key = $1 and exists (
                select from visitor.place_name other
                where other.slug = $2 and other.key <> $1 and other.is_now)",
            key,
            slug,
        )
        .execute(&mut **transaction)
        .await?;
        sqlx::query!(
            "with former as (
                update visitor.place_name set is_now = false
                where key = $2 and slug <> $1 and is_now)
             insert into visitor.place_name (slug, key, is_now) values ($1, $2, true)
             on conflict (slug) do update set key = excluded.key, is_now = true",
            slug,
            key,
        )
        .execute(&mut **transaction)
        .await?;
        *self = Self::read(transaction).await?;
        match self.0.get(slug) {
            Some(former) => rename_in_searches(transaction, former, slug).await,
            None => Ok(()),
        }
    }

    /// Returns `property` with all names of its places, so that searches with former names still match
    /// it.
    pub fn with_all_names<'a>(&self, property: &'a Property) -> Cow<'a, Property> {
        let others = property.location.self_and_ancestors().filter_map(|slug| self.0.get(slug));
        let others: Vec<String> = others.flatten().cloned().collect();
        if others.is_empty() {
            return Cow::Borrowed(property);
        }
        let mut property = property.clone();
        property.location.ancestors.extend(others);
        Cow::Owned(property)
    }
}

/// Replaces `former` slugs by `slug` in saved searches, unless the owner already has the resulting
/// search. This does not count as a change by the owner.
async fn rename_in_searches(
    transaction: &mut Transaction<'_, Postgres>,
    former: &[String],
    slug: &str,
) -> Result<(), Error> {
    let searches = sqlx::query!(
        r#"select s.id, s.address as "address!" from visitor.saved_search s
           where exists (select from unnest($1::text[]) as former (slug)
                         where position('=' || former.slug in s.address) > 0)"#,
        former,
    )
    .fetch_all(&mut **transaction)
    .await?;
    for search in searches {
        let Ok(address) = search.address.parse::<SearchAddress>() else { continue };
        let renamed = address.in_renamed_place(former, slug);
        if renamed == address {
            continue;
        }
        sqlx::query!(
            "update visitor.saved_search s set address = $2
             where s.id = $1 and not exists (
                select from visitor.saved_search other
                where other.subscriber = s.subscriber and other.address = $2)",
            search.id,
            renamed.as_str(),
        )
        .execute(&mut **transaction)
        .await?;
    }
    Ok(())
}
