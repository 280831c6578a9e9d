//! Where an aggregate is shown, and so which tags a change to it affects.

use contracts::{Tag, content::Snapshot};

/// Where the latest snapshot of an aggregate is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShownIn {
    /// The tags of the pages and answers that show it.
    pub tags: Vec<String>,
    /// The slugs of the places whose counts of homes include it, joined by spaces.
    pub counted_in: Option<String>,
}

impl ShownIn {
    /// Returns where `snapshot` is shown.
    pub fn of(snapshot: &Snapshot) -> Self {
        let tags = match snapshot {
            Snapshot::Properties(property) => {
                let places = property.location.self_and_ancestors().map(str::to_owned);
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
                // The page of its place links to it.
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
                Some(property.location.self_and_ancestors().collect::<Vec<_>>().join(" "))
            }
            _ => None,
        };
        Self { tags: tags.iter().map(ToString::to_string).collect(), counted_in }
    }

    /// Returns the tags that a change from `self` to `next` affects: those of both, because a home that
    /// moves leaves one place and appears in another. Counts of homes by place are on nearly every page,
    /// so the tag of those pages is included only if a count changes.
    pub fn tags_of_change(&self, next: &Self) -> Vec<String> {
        let mut tags: Vec<String> = self.tags.iter().chain(&next.tags).cloned().collect();
        if self.counted_in != next.counted_in {
            tags.push(Tag::LocationList.to_string());
        }
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}
