//! The one binary of Almijara: every role, the whole stack on one machine, and the operator's
//! commands.

mod backup;
mod cli;
mod consents;
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

/// How long work on threads of its own (packing, scaling, writing a file) may go on once all else has
/// ended: it can't be told to stop, and is begun again by the next start.
const BLOCKING_LIMIT: Duration = Duration::from_secs(1);

/// The index makes and drops an arena with every commit, which the system's allocator hands back
/// to the kernel each time: a commit takes a third of the time with one that keeps its pages.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command = cli::parse().command;
    runtime::install_crypto_provider();
    let _failpoints = runtime::failpoints_from_environment();
    let ended = Runtime::new().map_err(anyhow::Error::from).and_then(|runtime| {
        let ended = runtime.block_on(cli::run(command));
        runtime.shutdown_timeout(BLOCKING_LIMIT);
        ended
    });
    match ended {
        Ok(code) => code,
        Err(error) => {
            eprintln!("almijara: {}", runtime::error_text(&*error));
            ExitCode::FAILURE
        }
    }
}
