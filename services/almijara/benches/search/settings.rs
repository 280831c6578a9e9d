//! The settings of the measurements, from the environment.

use std::{env, path::PathBuf, str::FromStr, time::Duration};

use anyhow::{Context, Result};

/// The settings, each with the variable that sets it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `BENCH_SIZES`: numbers of listings, in ascending order.
    pub sizes: Vec<usize>,
    /// `BENCH_SECONDS`: how long each run lasts.
    pub seconds: Duration,
    /// `BENCH_CLIENTS`: numbers of concurrent connections.
    pub clients: Vec<usize>,
    /// `BENCH_QUESTIONS`: how many different queries are sent in turn.
    pub questions: usize,
    /// `BENCH_DIRECTUS_SIZE`: the largest number of listings that Directus is measured with; 0 skips it.
    pub directus_size: usize,
    /// `BENCH_PUBLISHES`: how many publishes are timed.
    pub publishes: usize,
    /// `BENCH_CSV`, or `--csv`: a table of listings to sample from, instead of the sample content alone.
    pub csv: Option<PathBuf>,
    /// `BENCH_REPORT`, else `DATA_DIR`, else `bench-report`: the folder of the report.
    pub report: PathBuf,
}

impl Settings {
    pub fn read() -> Result<Self> {
        let mut arguments = env::args().skip_while(|argument| argument != "--csv").skip(1);
        let csv = arguments.next().or_else(|| text("BENCH_CSV"));
        let report = text("BENCH_REPORT").or_else(|| text("DATA_DIR"));
        // Cargo runs this in the package's folder, but paths are relative to the repository.
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

    /// Returns the number of clients that the goals refer to: sixteen, or else the largest one.
    pub fn usual_clients(&self) -> usize {
        let max = self.clients.iter().copied().max().unwrap_or(1);
        if self.clients.contains(&16) { 16 } else { max }
    }
}

fn text(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn number<T: FromStr>(name: &str, default: T) -> Result<T> {
    let Some(value) = text(name) else { return Ok(default) };
    value.parse().ok().with_context(|| format!("{name}={value} is no number"))
}

fn list(name: &str, default: &[usize]) -> Result<Vec<usize>> {
    let Some(value) = text(name) else { return Ok(default.to_vec()) };
    let numbers = value.split(',').map(|part| part.trim().parse().ok());
    numbers.collect::<Option<_>>().with_context(|| format!("{name}={value} is no list of numbers"))
}
