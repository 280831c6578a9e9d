//! Compares the search with its alternatives: in one run, on one machine, with the same data.
//!
//! `make bench`, or `cargo bench --bench search`. Settings are in `settings.rs`; the report is
//! written as Markdown and JSON, and its path is printed.

#[path = "../../tests/system/stack/mod.rs"]
mod stack;

mod catalogue;
mod constant;
mod directus;
mod freshness;
mod http;
mod load;
mod log;
mod node;
mod pages;
mod postgres;
mod questions;
mod report;
mod settings;
mod sql;
mod table;
mod tantivy_alone;
mod texts;

use std::{fs, sync::Arc, thread::available_parallelism, time::Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;
use search_index::{PropertyQuery, SearchIndex};

use catalogue::{Catalogue, Listing};
use constant::Constant;
use directus::{DirectusClient, PageRequests, RequestPart};
use http::Request;
use log::Log;
use node::{HttpClient, NeverTwice, never_twice};
use postgres::Postgres;
use report::{Answerer, Report, Run, SizeReport};
use settings::Settings;
use stack::{Options, Stack, editor::Editor};
use tantivy_alone::TantivyAlone;

/// The same allocator as the roles have, for what runs in this process.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A part of the command line of the role sync.
const SYNC: &str = "almijara sync";
const TOKEN: &str = "an-administrator-for-the-bench";
/// A week: a reconcile must not find what is inserted into Directus's tables directly.
const NEVER: &str = "604800";
/// More requests than any run sends.
const MAX_REQUESTS_OF_RUN: usize = 1_000_000;
/// Directus answers slowly, so its runs last this many times as long.
const DIRECTUS_FACTOR: u32 = 3;

#[tokio::main]
async fn main() -> Result<()> {
    if let Some(bytes) = constant::requested_size() {
        return constant::serve(bytes).await;
    }
    let settings = Settings::read()?;
    let content = if settings.directus_size > 0 { "directus" } else { "pack" };
    let options = Options::default()
        .with_all_renderers()
        .with("CONTENT", content)
        .with("DIRECTUS_ADMIN_TOKEN", TOKEN)
        .with("RATE_LIMIT", "0")
        .with("RECONCILE_SWEEP_SECONDS", NEVER)
        .with("RECONCILE_FULL_SECONDS", NEVER);
    let load_before = load_average();
    let stack = Stack::start(options).await?;
    stack.wait_until_idle().await?;
    let mut bench = Bench::of(stack, settings).await?;
    let measured = bench.measure(load_before).await;
    bench.stack.stop().await?;
    println!(
        "{}\nThe report is {}/search.md",
        measured?.markdown(),
        bench.settings.report.display()
    );
    Ok(())
}

/// The context of the measurements.
struct Bench {
    stack: Stack,
    settings: Settings,
    log: Log,
    catalogue: Catalogue,
    listings: Vec<Listing>,
    /// The number of listings in the sample content.
    sample: usize,
    sql: Postgres,
    questions: Arc<Vec<PropertyQuery>>,
    requests: Arc<Vec<Request>>,
}

impl Bench {
    async fn of(stack: Stack, settings: Settings) -> Result<Self> {
        let rows = settings.csv.as_deref().map(table::read).transpose()?.unwrap_or_default();
        let log = Log::of(&stack).await?;
        let published = log.published().await?;
        let mut sql = Postgres::create(&stack).await?;
        let sample: Vec<Listing> = published
            .homes
            .iter()
            .filter_map(|(key, home)| {
                Some(Listing { key: key.parse().ok()?, property: home.clone() })
            })
            .collect();
        sql.add(&sample).await?;
        let questions = questions::questions(settings.questions);
        let requests = questions.iter().map(|query| Request::get(&questions::address(query), &[]));
        let homes = published.homes.into_iter().map(|(_, home)| home).collect();
        Ok(Self {
            catalogue: Catalogue::new(homes, published.places, rows),
            listings: Vec::new(),
            sample: sample.len(),
            sql,
            requests: Arc::new(requests.collect()),
            questions: Arc::new(questions),
            log,
            stack,
            settings,
        })
    }

    async fn measure(&mut self, load_before: String) -> Result<Report> {
        let mut report = Report {
            machine: machine(),
            load_before,
            load_after: String::new(),
            seconds: self.settings.seconds.as_secs_f64(),
            data: self.catalogue.origin(),
            questions: self.questions.len(),
            usual_clients: self.settings.usual_clients(),
            sizes: Vec::new(),
            pages: Vec::new(),
            found_from_the_log: None,
            found_from_the_editor: None,
        };
        for size in self.settings.sizes.clone() {
            report.sizes.push(self.measure_at(size).await?);
            // A run takes long, so the results so far are saved in case it fails later.
            report.write(&self.settings.report)?;
        }
        print_step("pages");
        report.pages =
            pages::measure(&self.stack, report.usual_clients, self.settings.seconds).await?;
        report.write(&self.settings.report)?;
        print_step("how long a publish takes to be found");
        let port = self.stack.port_of("query")?;
        let publishes = self.settings.publishes;
        let searches = &self.requests;
        if self.settings.directus_size > 0 {
            let editor = Editor::new(self.stack.port_of("directus")?, TOKEN)?;
            let found =
                freshness::from_the_editor(&self.stack, &editor, publishes, searches.clone())
                    .await?;
            report.found_from_the_editor = Some(found);
        }
        let listing = self.listings.first().context("there is a listing")?;
        // To the relay, a log with messages that it has not published is another one's, and it would
        // refill it.
        self.stack.signal(SYNC, Signal::STOP)?;
        let found =
            freshness::from_the_log(port, &self.log, listing, publishes, searches.clone()).await;
        self.stack.signal(SYNC, Signal::CONT)?;
        report.found_from_the_log = Some(found?);
        report.load_after = load_average();
        report.write(&self.settings.report)?;
        Ok(report)
    }

    /// Adds listings up to `size`, and measures everything.
    async fn measure_at(&mut self, size: usize) -> Result<SizeReport> {
        print_step(&format!("{size} listings"));
        let port = self.stack.port_of("query")?;
        let missing = size.saturating_sub(self.sample + self.listings.len());
        let new = self.catalogue.take(missing);
        let started = Instant::now();
        let end = self.log.publish(&new, 1).await?;
        let taken_in = node::wait_for(port, end).await? - started;
        print_step("indexing from the log");
        let started = node::rebuild_index(&self.stack).await?;
        let indexed = node::wait_for(port, end).await? - started;
        self.sql.add(&new).await?;
        let with_directus = size <= self.settings.directus_size;
        if with_directus {
            directus::fill(&self.stack, &new).await?;
        }
        self.listings.extend(new);
        // Waits until the data just written has reached the disk.
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        let mut results = SizeReport {
            listings: size,
            taken_in_seconds: taken_in.as_secs_f64(),
            taken_in: missing,
            index_seconds: indexed.as_secs_f64(),
            index_bytes: node::size_of(&self.stack.data.path().join("index"))?,
            memory_before: node::memory(&self.stack)?,
            memory_after: node::Memory::default(),
            alike: 0,
            compared: 0,
            runs: Vec::new(),
        };
        self.measure_ours(&mut results).await?;
        self.measure_alternatives(&mut results).await?;
        if with_directus {
            self.measure_directus(&mut results).await?;
        }
        results.runs.sort_by_key(|run| (run.answerer, run.figures.clients));
        Ok(results)
    }

    async fn measure_ours(&self, results: &mut SizeReport) -> Result<()> {
        let port = self.stack.port_of("query")?;
        let duration = self.settings.seconds;
        for clients in self.settings.clients.clone() {
            let requests = self.requests.clone();
            let make = move || HttpClient::new(port, requests.clone());
            record(results, Answerer::Ours, load::run(clients, duration, make).await?);
        }
        // Each run starts at queries that no other run has used.
        let mut first = 0;
        for clients in self.settings.clients.clone() {
            let questions = self.questions.clone();
            let make = move || NeverTwice::new(port, questions.clone(), first);
            let figures = load::run(clients, duration, make).await?;
            first += MAX_REQUESTS_OF_RUN;
            record(results, Answerer::OursNeverTwice, figures);
        }
        let typed = Arc::new(node::typed());
        for clients in self.settings.clients.clone() {
            let typed = typed.clone();
            let make = move || HttpClient::new(port, typed.clone());
            record(results, Answerer::Suggestions, load::run(clients, duration, make).await?);
        }
        results.memory_after = node::memory(&self.stack)?;
        Ok(())
    }

    async fn measure_alternatives(&self, results: &mut SizeReport) -> Result<()> {
        let duration = self.settings.seconds;
        let bytes = results.runs.first().map_or(20_000, |run| run.figures.mean_bytes);
        let index = SearchIndex::in_folder(&self.stack.data.path().join("index"));
        let view = index.read_only()?;
        let alone = Arc::new(TantivyAlone::open(index.directory())?);
        let simple = self.questions.iter().filter(|query| TantivyAlone::supports(query)).cloned();
        let simple: Arc<[PropertyQuery]> = simple.collect();
        for query in self.questions.iter().filter(|query| query.text.is_none()) {
            results.compared += 1;
            let found = view.search(query)?;
            ensure!(
                !TantivyAlone::supports(query) || alone.find(query)? as u64 == found.total,
                "tantivy finds others: {query:?}"
            );
            if self.sql.agrees(query, &found).await? {
                results.alike += 1;
            } else {
                print_step(&format!("Postgres answers otherwise: {}", questions::address(query)));
            }
        }
        let mut first = 0;
        let statements: Vec<String> =
            self.questions.iter().map(|query| self.sql.statement(query)).collect();
        let statements = Arc::new(statements);
        let constant = Constant::start(bytes).await?;
        let port = constant.port;
        for clients in self.settings.clients.clone() {
            let (index, questions) = (view.clone(), self.questions.clone());
            let search = move |number: usize| {
                let found = index.search(&questions[number % questions.len()])?;
                Ok(found.hits.iter().map(|hit| hit.reference.len()).sum())
            };
            record(
                results,
                Answerer::InProcess,
                load::run_blocking(clients, duration, search).await?,
            );
            let (index, questions) = (view.clone(), self.questions.clone());
            let search = move |number: usize| {
                let found = index.search(&never_twice(&questions, first + number))?;
                Ok(found.hits.iter().map(|hit| hit.reference.len()).sum())
            };
            let figures = load::run_blocking(clients, duration, search).await?;
            first += MAX_REQUESTS_OF_RUN;
            record(results, Answerer::InProcessNeverTwice, figures);
            let (alone, questions) = (alone.clone(), simple.clone());
            let search = move |number: usize| alone.find(&questions[number % questions.len()]);
            record(
                results,
                Answerer::TantivyAlone,
                load::run_blocking(clients, duration, search).await?,
            );
            let request = Arc::new(vec![Request::get("/", &[])]);
            let make = move || HttpClient::new(port, request.clone());
            record(results, Answerer::Constant, load::run(clients, duration, make).await?);
            let make = self.sql.clients(statements.clone());
            record(results, Answerer::Sql, load::run(clients, duration, make).await?);
        }
        constant.stop().await
    }

    async fn measure_directus(&self, results: &mut SizeReport) -> Result<()> {
        let port = self.stack.port_of("directus")?;
        let token = self.stack.secret("content token")?;
        let requests = self.questions.iter().map(|query| PageRequests::of(query, &token)).collect();
        let requests: Arc<Vec<PageRequests>> = Arc::new(requests);
        let duration = self.settings.seconds * DIRECTUS_FACTOR;
        let usual = self.settings.usual_clients();
        let mut runs: Vec<_> = self
            .settings
            .clients
            .iter()
            .map(|clients| (*clients, Answerer::Directus, RequestPart::All))
            .collect();
        runs.push((usual, Answerer::DirectusList, RequestPart::List));
        runs.push((usual, Answerer::DirectusFacet, RequestPart::Facet));
        for (clients, answerer, part) in runs {
            let requests = requests.clone();
            let make = move || DirectusClient::new(port, requests.clone(), part);
            record(results, answerer, load::run(clients, duration, make).await?);
        }
        Ok(())
    }
}

fn record(results: &mut SizeReport, answerer: Answerer, figures: load::Figures) {
    print_step(&format!(
        "{answerer:?}, {} at once: {:.0}/s, p50 {:.2} ms, p99 {:.2} ms",
        figures.clients, figures.per_second, figures.p50_ms, figures.p99_ms
    ));
    results.runs.push(Run { answerer, figures });
}

fn print_step(what: &str) {
    println!("bench: {what}");
}

fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = available_parallelism().map_or(0, std::num::NonZero::get);
    format!("{cores} processors, {}", model.map_or("of an unknown kind", |(_, model)| model))
}

fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}
