//! The one binary of Almijara: every role, the whole stack on one machine, and the operator's
//! commands.

mod backup;
mod cli;
mod consents;
mod databases;
mod directus;
mod doctor;
mod earlier_prices;
mod import;
mod operate;
mod operator;
mod role;
mod secret_files;
mod up;
mod verify;

use std::{process::ExitCode, time::Duration};

use tokio::runtime::Runtime;

/// How long blocking threads (packing, scaling, writing a file) may run after everything else has ended.
/// They can't be cancelled; the next start repeats their work.
const BLOCKING_LIMIT: Duration = Duration::from_secs(1);

/// The index allocates and frees an arena with every commit, and the system's allocator returns it to
/// the kernel each time. With an allocator that keeps its pages, a commit takes a third of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command = cli::parse().command;
    runtime::install_crypto_provider();
    let _failpoints = runtime::failpoints_from_environment();
    let result = Runtime::new().map_err(anyhow::Error::from).and_then(|runtime| {
        let result = runtime.block_on(cli::run(command));
        runtime.shutdown_timeout(BLOCKING_LIMIT);
        result
    });
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("almijara: {}", runtime::error_text(&*error));
            ExitCode::FAILURE
        }
    }
}
