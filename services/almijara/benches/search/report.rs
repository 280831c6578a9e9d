//! The report, as Markdown and JSON: the figures, compared with the goals.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::{
    freshness::Freshness,
    load::{Figures, as_f64},
    node::Memory,
    pages::PageRun,
};

/// The system that answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Answerer {
    Ours,
    OursNeverTwice,
    Suggestions,
    InProcess,
    InProcessNeverTwice,
    TantivyAlone,
    Constant,
    Sql,
    Directus,
    DirectusList,
    DirectusFacet,
}

impl Answerer {
    const fn name(self) -> &'static str {
        match self {
            Self::Ours => "our list query, over HTTP",
            Self::OursNeverTwice => "the same, never a question twice",
            Self::Suggestions => "our type-ahead, over HTTP",
            Self::InProcess => "our index in process, no cards, no HTTP",
            Self::InProcessNeverTwice => "our index in process, never a question twice",
            Self::TantivyAlone => "(c) tantivy in process, no cards, no HTTP",
            Self::Constant => "(d) axum, constant body of that size",
            Self::Sql => "(b) one statement on Postgres, no HTTP",
            Self::Directus => "(a) Directus, list and 11 facets",
            Self::DirectusList => "Directus, the list with filter_count alone",
            Self::DirectusFacet => "Directus, one facet alone",
        }
    }
}

/// One run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub answerer: Answerer,
    pub figures: Figures,
}

/// All results for one number of listings.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SizeReport {
    pub listings: usize,
    /// From the first publish until the read models and the index had all new listings.
    pub taken_in_seconds: f64,
    /// How many listings were new.
    pub taken_in: usize,
    /// From the start of a query node without an index until it reached the end of the log.
    pub index_seconds: f64,
    pub index_bytes: u64,
    /// The query node's memory, after indexing and after the load.
    pub memory_before: Memory,
    pub memory_after: Memory,
    /// How many queries without words were answered by both the index and Postgres.
    pub compared: usize,
    /// How many of them got the same answer.
    pub alike: usize,
    pub runs: Vec<Run>,
}

impl SizeReport {
    pub fn find(&self, answerer: Answerer, clients: usize) -> Option<&Figures> {
        let runs = self.runs.iter().filter(|run| run.answerer == answerer);
        runs.map(|run| &run.figures)
            .find(|figures| figures.clients == clients)
            .filter(|figures| figures.asked > 0)
    }
}

/// The complete report.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub machine: String,
    pub load_before: String,
    pub load_after: String,
    pub seconds: f64,
    pub data: String,
    pub questions: usize,
    pub usual_clients: usize,
    pub sizes: Vec<SizeReport>,
    pub pages: Vec<PageRun>,
    pub found_from_the_log: Option<Freshness>,
    pub found_from_the_editor: Option<Freshness>,
}

impl Report {
    /// Writes both files, `search.md` and `search.json`, under `folder`.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        fs::write(folder.join("search.json"), serde_json::to_vec_pretty(self)?)?;
        fs::write(folder.join("search.md"), self.markdown())?;
        Ok(())
    }

    /// Returns the report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Search, measured\n\n{}. Load average before: {}; after: {}.\nListings: {}.\n{} \
             different questions, asked in turn, for {} s a run after a warm-up. The load is made \
             on the same machine, the same way for all, so ratios say more than rates.\n\n",
            self.machine,
            self.load_before,
            self.load_after,
            self.data,
            self.questions,
            self.seconds
        );
        self.goals(&mut text);
        self.growth(&mut text);
        for size in &self.sizes {
            runs(&mut text, size);
        }
        self.cacheable(&mut text);
        self.pages_table(&mut text);
        self.found_table(&mut text);
        text.push_str(NOTES);
        text
    }

    fn goals(&self, text: &mut String) {
        text.push_str("## Goals\n\n| goal | is | met |\n|---|---|---|\n");
        let mut goal = |name: &str, is: Option<(String, bool)>| {
            let (is, met) = is.map_or(("not measured".to_owned(), "–"), |(is, met)| {
                (is, if met { "yes" } else { "**no**" })
            });
            let _infallible = writeln!(text, "| {name} | {is} | {met} |");
        };
        let clients = self.usual_clients;
        if let Some(size) = self.sizes.last() {
            let listings = size.listings;
            let fresh = size.find(Answerer::OursNeverTwice, clients);
            for (which, ours) in
                [("", size.find(Answerer::Ours, clients)), (", never a question twice", fresh)]
            {
                goal(
                    &format!(
                        "list query p99 under 5 ms, {clients} connections, {listings} listings{which}"
                    ),
                    ours.map(|ours| (format!("{:.2} ms", ours.p99_ms), ours.p99_ms < 5.0)),
                );
            }
            goal(
                &format!("type-ahead p99 under 5 ms, {clients} connections, {listings} listings"),
                size.find(Answerer::Suggestions, clients)
                    .map(|figures| (format!("{:.2} ms", figures.p99_ms), figures.p99_ms < 5.0)),
            );
            for (which, other) in
                [("tantivy", Answerer::TantivyAlone), ("our index", Answerer::InProcessNeverTwice)]
            {
                let ratio = fresh.zip(size.find(other, clients));
                goal(
                    &format!(
                        "never a question twice, at least 0.6 of the rate of {which} in process"
                    ),
                    ratio.map(|(one, other)| at_least(one, other, 0.6)),
                );
            }
            let beside_directus = self.sizes.iter().rev().find_map(|size| {
                let ours = size.find(Answerer::OursNeverTwice, clients)?;
                Some((size.listings, ours, size.find(Answerer::Directus, clients)?))
            });
            goal(
                &format!(
                    "never a question twice, at least 200 times the rate of Directus, {} listings",
                    beside_directus.map_or(0, |(listings, ..)| listings)
                ),
                beside_directus.map(|(_, one, other)| at_least(one, other, 200.0)),
            );
            let memory = size.memory_after;
            goal(
                "query process under 300 MB",
                Some((
                    format!("{} MB resident, {} MB its own", memory.resident, memory.own),
                    memory.resident < 300,
                )),
            );
        }
        for runs in self.pages.chunks(5) {
            let [_, _, cached, constant, ..] = runs else { continue };
            goal(
                &format!(
                    "cached `{}`, as browsers ask for it, at least 0.8 of a constant body's rate",
                    cached.page
                ),
                Some(at_least(&cached.figures, &constant.figures, 0.8)),
            );
        }
        for (from, found) in [
            ("the log", &self.found_from_the_log),
            ("the editor's save", &self.found_from_the_editor),
        ] {
            goal(
                &format!("from {from} to being found, p95 under 150 ms"),
                found
                    .as_ref()
                    .map(|found| (format!("{:.0} ms", found.p95_ms), found.p95_ms < 150.0)),
            );
        }
    }

    fn growth(&self, text: &mut String) {
        text.push_str(
            "\n## Growth\n\n| listings | list p50 / p99 | list rate | index on disk | indexed from \
             the log in | new ones in read models and index | query process, resident / own / \
             peak |\n|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for size in &self.sizes {
            let ours = size.find(Answerer::Ours, self.usual_clients);
            let (times, rate) = ours.map_or_else(Default::default, |ours| {
                (
                    format!("{:.2} / {:.2} ms", ours.p50_ms, ours.p99_ms),
                    format!("{:.0}/s", ours.per_second),
                )
            });
            let memory = size.memory_after;
            let _infallible = writeln!(
                text,
                "| {} | {times} | {rate} | {:.1} MB | {:.1} s | {} in {:.1} s | {} / {} / {} MB |",
                size.listings,
                megabytes(size.index_bytes),
                size.index_seconds,
                size.taken_in,
                size.taken_in_seconds,
                memory.resident,
                memory.own,
                memory.peak,
            );
        }
    }

    /// Adds which share of the requests a cache of complete answers could have served.
    fn cacheable(&self, text: &mut String) {
        let ours = self.sizes.last().and_then(|size| size.find(Answerer::Ours, self.usual_clients));
        let Some(ours) = ours else { return };
        let repeated = ours.asked.saturating_sub(self.questions);
        let _infallible = writeln!(
            text,
            "\nOf {} questions asked in the run with {} connections at the last size, {:.1} % had been \
             asked before: so much a cache of whole answers could have served, as long as nothing \
             is published; of those never asked twice, none.",
            ours.asked,
            ours.clients,
            as_f64(repeated * 100) / as_f64(ours.asked.max(1)),
        );
    }

    fn pages_table(&self, text: &mut String) {
        if self.pages.is_empty() {
            return;
        }
        text.push_str(
            "\n## Pages\n\n| page | | rate | p50 | p99 | bytes |\n|---|---|--:|--:|--:|--:|\n",
        );
        for PageRun { page, how, figures } in &self.pages {
            let _infallible = writeln!(text, "| `{page}` | {how} | {}", cells(figures));
        }
    }

    fn found_table(&self, text: &mut String) {
        text.push_str(
            "\n## A publish is found\n\n| from | publishes | p50 | p95 | p99 | max | searches beside \
             it | their p99 |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for (from, found) in [
            ("the log taking the event", &self.found_from_the_log),
            ("Directus's answer to the editor's save", &self.found_from_the_editor),
        ] {
            let Some(found) = found else { continue };
            let _infallible = writeln!(
                text,
                "| {from} | {} | {:.1} ms | {:.1} ms | {:.1} ms | {:.1} ms | {:.0}/s | {:.1} ms |",
                found.publishes,
                found.p50_ms,
                found.p95_ms,
                found.p99_ms,
                found.max_ms,
                found.searches_per_second,
                found.searches_p99_ms
            );
        }
    }
}

const NOTES: &str = "
## What is compared

- **Ours**: `GET /api/properties` of the role `query`, a process of its own, with Postgres, NATS and
  an index that it filled from the log: 24 cards, total, every facet. **Never a question twice**:
  each with another greatest price, so that no cache of answers could help. Of the set as it is
  cycled, a cache of whole answers could serve all but the first round: the share stands above.
- **(a)** asks a real Directus of the same machine for the cards with `filter_count` and, at the same
  time, for eleven aggregates; it is spared the facet of features, most features as filters,
  municipalities with their parts, ranking, the bars of prices and sizes, and the counts of what is
  new. Its tables are filled up to `BENCH_DIRECTUS_SIZE`.
- **(b)** is one statement on a table made for it, prepared, over a connection a client: no HTTP, and
  cards stored as they are shown.
- **(c)** is tantivy alone, in the bench's own process, on the same index: its own queries, orders and
  aggregations, one more search for each filter that is set, and what it found is not read; a thread
  a client. It is spared the questions with words and those for reduced or featured homes. **Our
  index in process** is what our answers are made from, likewise without HTTP and cards.
- **(d)** is axum with nothing to do.
";

fn runs(text: &mut String, size: &SizeReport) {
    let _infallible = write!(
        text,
        "\n## {} listings\n\n{} of {} questions without words were answered alike by the index and by \
         Postgres: total, homes in order, counts of types, kinds, energy ratings and features.\n\n\
         | | connections | rate | p50 | p99 | bytes | our rate is |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
        size.listings, size.alike, size.compared
    );
    for Run { answerer, figures } in &size.runs {
        let ours = size.find(Answerer::Ours, figures.clients);
        let ratio = ours.filter(|_| *answerer != Answerer::Ours && figures.asked > 0);
        let ratio = ratio.map_or_else(String::new, |ours| {
            let ratio = ours.per_second / figures.per_second;
            if ratio < 10.0 { format!("{ratio:.2} ×") } else { format!("{ratio:.0} ×") }
        });
        let _infallible = writeln!(
            text,
            "| {} | {} | {} {ratio} |",
            answerer.name(),
            figures.clients,
            cells(figures)
        );
    }
}

fn cells(figures: &Figures) -> String {
    let Figures { asked, failed, per_second, p50_ms, p99_ms, mean_bytes, .. } = figures;
    if *asked == 0 {
        return "none in time | | | |".to_owned();
    }
    let digits = usize::from(*per_second < 100.0);
    let failures = if *failed > 0 { format!(" ({failed} failed)") } else { String::new() };
    format!("{per_second:.digits$}/s{failures} | {p50_ms:.2} ms | {p99_ms:.2} ms | {mean_bytes} |")
}

fn at_least(one: &Figures, other: &Figures, goal: f64) -> (String, bool) {
    let ratio = one.per_second / other.per_second;
    let digits = if ratio < 10.0 { 2 } else { 0 };
    (format!("{ratio:.digits$}"), ratio >= goal)
}

#[expect(clippy::cast_precision_loss, reason = "a size to be read")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}
