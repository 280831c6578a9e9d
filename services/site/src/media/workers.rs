//! The threads that scale pictures: few, with a bounded queue, and last in line for the processor,
//! so that a page never waits for a picture.

use std::{
    io,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use tokio::sync::oneshot;

/// How far the threads step back behind all others (`nice`).
const NICENESS: i32 = 10;
/// How many pictures may wait.
const QUEUE: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

/// The threads, as long as this lives.
#[derive(Debug)]
pub struct Workers {
    queue: SyncSender<Job>,
}

/// Why a job was not done.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// The queue is full.
    #[error("too many pictures wait to be scaled")]
    Busy,
    /// The job panicked.
    #[error("scaling broke down")]
    Panicked,
}

impl Workers {
    /// Starts as many threads as there are processors.
    pub fn start() -> io::Result<Self> {
        let count = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (queue, jobs) = sync_channel(QUEUE);
        let jobs = Arc::new(Mutex::new(jobs));
        for number in 0..count {
            let jobs = jobs.clone();
            thread::Builder::new().name(format!("pictures-{number}")).spawn(move || work(&jobs))?;
        }
        Ok(Self { queue })
    }

    /// Does `job` when a thread is free.
    pub async fn run<T, F>(&self, job: F) -> Result<T, NotDone>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let (done, result) = oneshot::channel();
        let job = Box::new(move || {
            // Nobody waits any more: then nobody needs the result.
            let _nobody = done.send(job());
        });
        self.queue.try_send(job).map_err(|_| NotDone::Busy)?;
        result.await.map_err(|_| NotDone::Panicked)
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    // On Linux this concerns the calling thread alone. Without the right to do it, work goes on.
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "picture threads keep their priority");
    }
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A decoder that panics at one file must not take the thread from all others. Whoever waits
        // learns of it by the sender that is dropped.
        let _panicked = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_spoils_one_job_only() {
        let workers = Workers::start().expect("threads");
        let broken = workers.run(|| panic!("a broken decoder")).await;
        assert!(matches!(broken, Err::<(), _>(NotDone::Panicked)));
        assert_eq!(workers.run(|| 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn a_full_queue_says_so_at_once() {
        let workers = Workers::start().expect("threads");
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let waiting: Vec<_> = (0..QUEUE * 3)
            .map(|_| {
                let gate = gate.clone();
                Box::pin(workers.run(move || gate.lock().is_ok_and(|gate| gate.recv().is_err())))
            })
            .collect();
        let mut busy = 0;
        let mut rest = Vec::new();
        for mut job in waiting {
            match futures::poll!(&mut job) {
                std::task::Poll::Ready(Err(NotDone::Busy)) => busy += 1,
                _ => rest.push(job),
            }
        }
        assert!(busy > 0 && rest.len() >= QUEUE);
        drop(open);
        for job in rest {
            assert_eq!(job.await.ok(), Some(true));
        }
    }
}
