//! What one view has answered.
//!
//! A view never changes, so neither do its answers; they go with it. The first page of a list, and
//! the counts on every other page, are asked for again and again.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use crate::{medians::Medians, query::PropertyQuery, search::SearchAnswer};

/// How many answers are kept. One is some twenty kilobytes: a page of references and a few hundred
/// counts.
const MOST_ANSWERS: usize = 256;
/// Deep pages are passed over: they are asked for once.
const MOST_HITS: usize = 100;

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
        if found.hits.len() > MOST_HITS {
            return;
        }
        let question = Question::of(query);
        let mut kept = self.kept();
        if kept.answers.insert(question.clone(), Arc::clone(found)).is_none() {
            kept.order.push_back(question);
        }
        if kept.order.len() > MOST_ANSWERS
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

    #[test]
    fn the_oldest_answer_makes_room() {
        let answers = Answers::default();
        let question = |limit| PropertyQuery::newest(Locale::En, limit);
        let found = |total| {
            let (hits, facets, loosen) = (Vec::new(), Facets::default(), Vec::new());
            Arc::new(SearchAnswer { hits, total, facets, loosen, sequence: Sequence::START })
        };
        for limit in 0..=MOST_ANSWERS {
            answers.keep(&question(limit), &found(limit as u64));
        }
        assert_eq!(answers.get(&question(0)), None);
        assert_eq!(answers.get(&question(1)).map(|found| found.total), Some(1));
        assert_eq!(answers.kept().answers.len(), MOST_ANSWERS);
    }
}
