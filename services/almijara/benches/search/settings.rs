//! What the environment says of how much to measure.

use std::{env, path::PathBuf, str::FromStr, time::Duration};

use anyhow::{Context, Result};

/// The settings, each with the variable that sets it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `BENCH_SIZES`: numbers of listings, rising.
    pub sizes: Vec<usize>,
    /// `BENCH_SECONDS`: how long each run lasts.
    pub seconds: Duration,
    /// `BENCH_CLIENTS`: connections that ask at the same time.
    pub clients: Vec<usize>,
    /// `BENCH_QUESTIONS`: how many different questions are cycled.
    pub questions: usize,
    /// `BENCH_DIRECTUS_SIZE`: up to how many listings Directus is filled with; 0 leaves it out.
    pub directus_size: usize,
    /// `BENCH_PUBLISHES`: how many publishes are timed.
    pub publishes: usize,
    /// `BENCH_CSV`, or `--csv`: listings to sample from; the sample content where there is none.
    pub csv: Option<PathBuf>,
    /// `BENCH_REPORT`, else `DATA_DIR`, else `bench-report`: the folder of the report.
    pub report: PathBuf,
}

impl Settings {
    pub fn read() -> Result<Self> {
        let mut arguments = env::args().skip_while(|argument| argument != "--csv").skip(1);
        let csv = arguments.next().or_else(|| text("BENCH_CSV"));
        let report = text("BENCH_REPORT").or_else(|| text("DATA_DIR"));
        // Cargo runs this in the package's folder; paths are told from the repository's.
        let in_repository = |path: String| crate::stack::root().join(path);
        let mut sizes = list("BENCH_SIZES", &[1_000, 10_000, 100_000])?;
        sizes.sort_unstable();
        Ok(Self {
            sizes,
            seconds: Duration::from_secs_f64(number("BENCH_SECONDS", 5.0)?),
            clients: list("BENCH_CLIENTS", &[1, 16, 64])?,
            questions: number("BENCH_QUESTIONS", 200)?,
            directus_size: number("BENCH_DIRECTUS_SIZE", 10_000)?,
            publishes: number("BENCH_PUBLISHES", 200)?,
            csv: csv.map(in_repository),
            report: in_repository(report.unwrap_or_else(|| "bench-report".to_owned())),
        })
    }

    /// The number of clients that the goals are about: sixteen, or the most there are.
    pub fn usual_clients(&self) -> usize {
        let most = self.clients.iter().copied().max().unwrap_or(1);
        if self.clients.contains(&16) { 16 } else { most }
    }
}

fn text(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn number<T: FromStr>(name: &str, otherwise: T) -> Result<T> {
    let Some(value) = text(name) else { return Ok(otherwise) };
    value.parse().ok().with_context(|| format!("{name}={value} is no number"))
}

fn list(name: &str, otherwise: &[usize]) -> Result<Vec<usize>> {
    let Some(value) = text(name) else { return Ok(otherwise.to_vec()) };
    let numbers = value.split(',').map(|part| part.trim().parse().ok());
    numbers.collect::<Option<_>>().with_context(|| format!("{name}={value} is no list of numbers"))
}
