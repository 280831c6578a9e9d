//! The thread that starts every child: children end with the thread that started them, and a
//! test's own thread ends long before the test binary does.

use std::{future::Future, sync::OnceLock};

use tokio::runtime::{Builder, Handle};

/// Runs `work` on the keeper's thread and gives its value.
pub(crate) async fn on_keeper<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    handle().spawn(work).await.expect("the keeper's task does not panic")
}

fn handle() -> &'static Handle {
    static HANDLE: OnceLock<Handle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        runtime::install_crypto_provider();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::Builder::new()
            .name("testkit".to_owned())
            .spawn(move || {
                let runtime = Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .expect("a runtime for the servers");
                sender.send(runtime.handle().clone()).expect("the first test waits for this");
                runtime.block_on(std::future::pending::<()>());
            })
            .expect("a thread for the servers");
        receiver.recv().expect("the keeper has started")
    })
}
