//! A column of small codes, both ways: the code of each document, the documents of each code.
//!
//! A question asks some fifteen things of a hundred thousand documents. One by one that is more
//! than a million answers; a set of documents, a bit for each, gives sixty-four of them at once.

use std::cell::OnceCell;

use fixedbitset::FixedBitSet;

/// As many as a byte can tell apart, so that no count is beside its list.
const BYTES: usize = 256;

/// How many documents there are of each code.
pub(crate) type Counts = [u64; BYTES];

/// A set of one segment's documents, as what counts them likes to have it.
pub(crate) struct Among {
    set: FixedBitSet,
    len: usize,
    /// The same, in order: made where they are so few that somebody goes through them.
    documents: OnceCell<Vec<usize>>,
}

/// A column of codes.
pub(crate) struct Coded {
    codes: Vec<u8>,
    /// The codes that are there, in order, each with the documents that have it.
    sets: Vec<(u8, FixedBitSet)>,
}

impl Among {
    pub fn new(set: FixedBitSet) -> Self {
        Self { len: set.count_ones(..), set, documents: OnceCell::new() }
    }

    pub const fn set(&self) -> &FixedBitSet {
        &self.set
    }

    pub fn documents(&self) -> &[usize] {
        self.documents.get_or_init(|| {
            let mut documents = Vec::with_capacity(self.len);
            documents.extend(self.set.ones());
            documents
        })
    }

    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether going through them takes fewer steps than intersecting them with so many `sets`: one
    /// for each document, or one for each block, take about as long.
    pub fn are_fewer_than_blocks_of(&self, sets: usize) -> bool {
        self.len < sets * self.set.len().div_ceil(usize::BITS as usize)
    }

    /// How many of them are in `others`.
    pub fn count(&self, others: &FixedBitSet) -> u64 {
        self.set.intersection_count(others) as u64
    }
}

impl Coded {
    /// The column with these codes, one for each document.
    pub fn new(codes: Vec<u8>) -> Self {
        let mut sets: Vec<Option<FixedBitSet>> = vec![None; BYTES];
        for (doc, code) in codes.iter().enumerate() {
            let set = &mut sets[usize::from(*code)];
            set.get_or_insert_with(|| FixedBitSet::with_capacity(codes.len())).insert(doc);
        }
        let sets = (0..=u8::MAX).zip(sets);
        let sets = sets.filter_map(|(code, set)| Some((code, set?))).collect();
        Self { codes, sets }
    }

    /// The code of `doc`.
    pub fn code(&self, doc: usize) -> u8 {
        self.codes[doc]
    }

    /// The documents of `code`, if there are any.
    pub fn documents(&self, code: u8) -> Option<&FixedBitSet> {
        let position = self.sets.binary_search_by_key(&code, |(code, _)| *code).ok()?;
        Some(&self.sets[position].1)
    }

    /// The documents of the codes that `wanted` holds of.
    pub fn having(&self, wanted: impl Fn(u8) -> bool) -> FixedBitSet {
        let wanted = |(code, _): &&(u8, FixedBitSet)| wanted(*code);
        let mut having = FixedBitSet::with_capacity(self.codes.len());
        if self.sets.iter().filter(wanted).count() * 2 <= self.sets.len() {
            self.sets.iter().filter(wanted).for_each(|(_, set)| having.union_with(set));
        } else {
            // Every document has one code, so that the others can be taken away as well.
            having.insert_range(..);
            let others = self.sets.iter().filter(|set| !wanted(set));
            others.for_each(|(_, set)| having.difference_with(set));
        }
        having
    }

    /// The codes that at least one of `documents` has, in order.
    pub fn among(&self, documents: &FixedBitSet) -> impl DoubleEndedIterator<Item = u8> {
        let there = self.sets.iter().filter(|(_, set)| !set.is_disjoint(documents));
        there.map(|(code, _)| *code)
    }

    /// Adds to `counts` how many of `among` have each code.
    pub fn count(&self, among: &Among, counts: &mut Counts) {
        if among.are_fewer_than_blocks_of(self.sets.len()) {
            for doc in among.documents() {
                counts[usize::from(self.codes[*doc])] += 1;
            }
        } else {
            for (code, set) in &self.sets {
                counts[usize::from(*code)] += among.count(set);
            }
        }
    }
}

/// No document of any code.
pub(crate) const fn none() -> Counts {
    [0; BYTES]
}
