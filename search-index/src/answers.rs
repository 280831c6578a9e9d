//! What one view has answered.
//!
//! A view never changes, so neither do its answers; they go with it. The first page of a list, and
//! the counts on every other page, are asked for again and again.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use contracts::Sequence;

use crate::{facets::Facets, filter::Loosened, query::PropertyQuery};

/// How many answers are kept. One is some twenty kilobytes: a page of references and a few hundred
/// counts.
const MAX_ANSWERS: usize = 256;
/// Pages that end deeper are passed over: they are asked for once.
const MAX_HITS: usize = 100;

/// One property that fits, by what the rest of it is found under.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The agency's reference.
    pub reference: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchAnswer {
    /// The asked-for window of what fits, in order.
    pub hits: Vec<Hit>,
    /// How many fit.
    pub total: u64,
    /// How many each further choice would leave.
    pub facets: Facets,
    /// Where nothing fits: each single filter without which something would, the most fruitful
    /// first.
    pub loosen: Vec<Loosened>,
    /// The position that the answer was made from.
    pub sequence: Sequence,
}

/// The middle of some figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Median {
    /// Of how many homes.
    pub homes: u64,
    /// Euros.
    pub euros: i64,
}

/// The middles of what the homes for sale in a place, and in its parts, are offered at; none where there
/// are none with a price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Medians {
    /// Of their prices.
    pub price: Option<Median>,
    /// Of a built square metre of the flats.
    pub metre_of_flats: Option<Median>,
    /// Of a built square metre of the houses.
    pub metre_of_houses: Option<Median>,
}

/// The latest answers, by question, and the medians of places.
#[derive(Default)]
pub(crate) struct Answers {
    kept: Mutex<KeptAnswers>,
    medians: OnceLock<HashMap<String, Medians>>,
}

#[derive(Default)]
struct KeptAnswers {
    answers: HashMap<Question, Arc<SearchAnswer>>,
    /// Which was kept first.
    order: VecDeque<Question>,
}

/// A question as it is written: two that are written alike ask the same.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question(Arc<str>);

impl Question {
    fn of(query: &PropertyQuery) -> Self {
        Self(format!("{query:?}").into())
    }
}

impl Answers {
    pub fn get(&self, query: &PropertyQuery) -> Option<Arc<SearchAnswer>> {
        self.kept().answers.get(&Question::of(query)).map(Arc::clone)
    }

    pub fn keep(&self, query: &PropertyQuery, found: &Arc<SearchAnswer>) {
        if query.offset.saturating_add(query.limit) > MAX_HITS {
            return;
        }
        let question = Question::of(query);
        let mut kept = self.kept();
        if kept.answers.insert(question.clone(), Arc::clone(found)).is_none() {
            kept.order.push_back(question);
        }
        if kept.order.len() > MAX_ANSWERS
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.answers.remove(&oldest);
        }
    }

    /// The medians, which are worked out by `find` the first time.
    pub fn medians(
        &self,
        find: impl FnOnce() -> HashMap<String, Medians>,
    ) -> &HashMap<String, Medians> {
        self.medians.get_or_init(find)
    }

    fn kept(&self) -> MutexGuard<'_, KeptAnswers> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("kept", &self.kept().order.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use contracts::{Locale, Sequence};

    use super::*;
    use crate::facets::Facets;

    fn found(total: u64) -> Arc<SearchAnswer> {
        let (hits, facets, loosen) = (Vec::new(), Facets::default(), Vec::new());
        Arc::new(SearchAnswer { hits, total, facets, loosen, sequence: Sequence::START })
    }

    #[test]
    fn the_oldest_answer_makes_room() {
        let answers = Answers::default();
        let question = |today| PropertyQuery { today, ..PropertyQuery::newest(Locale::En, 24) };
        for day in (0_i64..).take(MAX_ANSWERS + 1) {
            answers.keep(&question(day), &found(day.unsigned_abs()));
        }
        assert_eq!(answers.get(&question(0)), None);
        assert_eq!(answers.get(&question(1)).map(|found| found.total), Some(1));
        assert_eq!(answers.kept().answers.len(), MAX_ANSWERS);
    }

    #[test]
    fn a_deep_page_is_not_kept_however_short_it_is() {
        let answers = Answers::default();
        let page = |offset| PropertyQuery { offset, ..PropertyQuery::newest(Locale::En, 24) };
        for (offset, is_kept) in [(0, true), (72, true), (96, false), (9_576, false)] {
            answers.keep(&page(offset), &found(9_600));
            assert_eq!(answers.get(&page(offset)).is_some(), is_kept, "from {offset}");
        }
    }
}
