//! The thread that starts all child processes. They end with the thread that started them, and the
//! thread of a test ends long before the test binary does.

use std::{future::Future, sync::OnceLock};

use tokio::runtime::{Builder, Handle};

/// Runs `work` on the server thread and returns its result.
pub(crate) async fn on_server_thread<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    handle().spawn(work).await.expect("the task does not panic")
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
        receiver.recv().expect("the thread has started")
    })
}
