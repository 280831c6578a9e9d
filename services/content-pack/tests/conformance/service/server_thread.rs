//! A thread that outlives all tests, for the services that they share.

use std::{future::Future, sync::OnceLock, thread};

use tokio::runtime::{Builder, Handle};

/// Runs `work` on the server thread. Tasks that it spawns keep running after it.
pub async fn run<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    handle().spawn(work).await.expect("the work does not panic")
}

fn handle() -> &'static Handle {
    static HANDLE: OnceLock<Handle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        runtime::install_crypto_provider();
        let (sender, receiver) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            sender.send(runtime.handle().clone()).expect("someone waits for it");
            runtime.block_on(std::future::pending::<()>());
        });
        receiver.recv().expect("the thread starts")
    })
}
