//! Places under all the addresses that they had: a saved search names one by that of its time.

use std::{borrow::Cow, collections::HashMap};

use contracts::content::Property;
use search_parameters::SearchAddress;
use sqlx::{Postgres, Transaction};

use crate::Error;

/// Of each slug of a place that had several, the others.
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

    /// Notes that the place `key` has the address `slug` from here on. Searches that name it by another
    /// one lead there too.
    pub async fn note(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        key: &str,
        slug: &str,
    ) -> Result<(), Error> {
        // Who takes the address that another place has may be that place: a content service that is made
        // anew gives its keys again. Then the key says nothing of what it was called before. One that the
        // other gave up is free.
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
            Some(former) => lead_on(transaction, former, slug).await,
            None => Ok(()),
        }
    }

    /// `property` in its places under all their names: it was found by the former ones, and is still.
    pub fn under_all<'a>(&self, property: &'a Property) -> Cow<'a, Property> {
        let others = property.location.and_around().filter_map(|slug| self.0.get(slug));
        let others: Vec<String> = others.flatten().cloned().collect();
        if others.is_empty() {
            return Cow::Borrowed(property);
        }
        let mut property = property.clone();
        property.location.ancestors.extend(others);
        Cow::Owned(property)
    }
}

/// Has the searches that name a place by a `former` slug name it by `slug`, but where their owner has that
/// search besides. It was no change of the owner's.
async fn lead_on(
    transaction: &mut Transaction<'_, Postgres>,
    former: &[String],
    slug: &str,
) -> Result<(), Error> {
    let searches = sqlx::query!(
        r#"select s.id, s.address as "address!" from visitor.saved_search s
           where exists (select from unnest($1::text[]) as former (slug)
                         where position('ocation=' || former.slug in s.address) > 0)"#,
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
