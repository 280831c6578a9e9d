//! Which tags a change touches.

use contracts::{Tag, content::Snapshot};

/// What an aggregate shows in, as its last snapshot has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Tags of all that shows it.
    pub tags: Vec<String>,
    /// The slugs of the places whose counts of homes it is part of, in one text.
    pub counted_in: Option<String>,
}

impl Shown {
    /// Where `snapshot` shows.
    pub fn of(snapshot: &Snapshot) -> Self {
        let tags = match snapshot {
            Snapshot::Properties(property) => {
                let places = property.location.and_around().map(str::to_owned);
                let home = [Tag::Property(property.reference.clone()), Tag::PropertyList];
                home.into_iter().chain(places.map(Tag::Location)).collect()
            }
            Snapshot::Locations(place) => {
                vec![Tag::Location(place.slug.clone()), Tag::LocationList]
            }
            Snapshot::Articles(article) => {
                vec![Tag::Article(article.slug.clone()), Tag::ArticleList]
            }
            Snapshot::Pages(page) => {
                // Its place leads to it.
                let place = page.location.clone().map(Tag::Location);
                [Tag::Page(page.slug.clone()), Tag::PageList].into_iter().chain(place).collect()
            }
            Snapshot::Docs(doc) => vec![Tag::Doc(doc.slug.clone()), Tag::DocList],
            Snapshot::Team(_) => vec![Tag::Team],
            Snapshot::Navigation(_) | Snapshot::SiteSettings(_) | Snapshot::Redirects(_) => {
                vec![Tag::Site]
            }
        };
        let counted_in = match snapshot {
            Snapshot::Properties(property) if property.status.is_listed_by_default() => {
                Some(property.location.and_around().collect::<Vec<_>>().join(" "))
            }
            _ => None,
        };
        Self { tags: tags.iter().map(ToString::to_string).collect(), counted_in }
    }

    /// The tags that a change from `self` to `next` touches: those of both, since a home that
    /// moves leaves one place and comes to another. Counts of homes by place stand on nearly
    /// every page, so those pages are touched only where a count changes.
    pub fn touched_by(&self, next: &Self) -> Vec<String> {
        let mut tags: Vec<String> = self.tags.iter().chain(&next.tags).cloned().collect();
        if self.counted_in != next.counted_in {
            tags.push(Tag::LocationList.to_string());
        }
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}
