//! The threads that scale pictures. They are few, have a bounded queue and bounded memory, and run at
//! low priority, so that a page never waits for a picture.

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

use runtime::error_text;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit, oneshot};

/// The `nice` value of the threads.
const NICENESS: i32 = 10;
/// How many jobs may wait.
const QUEUE_LENGTH: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

/// A pool of threads. They end when it is dropped.
#[derive(Debug)]
pub struct Workers {
    queue: SyncSender<Job>,
    /// One permit for each job that may wait or run.
    queue_slots: Semaphore,
    /// One permit for each job that holds its input in memory, or is fetching it.
    permits: Semaphore,
    threads: usize,
    /// One permit for each kilobyte of memory that all jobs together may take.
    memory: Arc<Semaphore>,
    max_kilobytes: u32,
    /// One permit, for the large job of this pool that runs or is next to run.
    next_large_job: Arc<Semaphore>,
    /// One permit, for the large job that runs. The pools share it.
    large_job: Arc<Semaphore>,
}

/// Permission to fetch a job's input and run the job. It is released when this is dropped.
#[derive(Debug)]
pub struct WorkPermit<'workers> {
    _permit: SemaphorePermit<'workers>,
    _slot: SemaphorePermit<'workers>,
}

/// Why a job was not done.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The queue is full.
    #[error("too many pictures wait to be scaled")]
    Busy,
    /// The job panicked.
    #[error("the scaling task failed")]
    Panicked,
}

impl Workers {
    /// Starts one thread for each processor. Their jobs take at most `max_bytes` of memory together. A
    /// large job, which takes more than that, runs alone in this pool, and one at a time in all pools
    /// that share the one permit of `large_job`.
    pub fn start(max_bytes: u64, large_job: Arc<Semaphore>) -> io::Result<Self> {
        let count = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (queue, jobs) = sync_channel(QUEUE_LENGTH + count);
        let jobs = Arc::new(Mutex::new(jobs));
        for number in 0..count {
            let jobs = jobs.clone();
            thread::Builder::new().name(format!("pictures-{number}")).spawn(move || work(&jobs))?;
        }
        let max_kilobytes = kilobytes(max_bytes);
        Ok(Self {
            queue,
            queue_slots: Semaphore::new(QUEUE_LENGTH + count),
            permits: Semaphore::new(count + 1),
            threads: count,
            memory: Arc::new(Semaphore::new(max_kilobytes as usize)),
            max_kilobytes,
            next_large_job: Arc::new(Semaphore::new(1)),
            large_job,
        })
    }

    /// Waits for permission to fetch a job's input and run the job. A caller that waits has nothing in
    /// memory yet. There is one permit more than threads, so that the next input is fetched while all
    /// threads work. If fetching takes longer than a job, threads idle until it is done.
    pub async fn acquire(&self) -> Result<WorkPermit<'_>, JobError> {
        let slot = self.queue_slots.try_acquire().map_err(|_| JobError::Busy)?;
        // The semaphore is never closed.
        let permit = self.permits.acquire().await.map_err(|_| JobError::Busy)?;
        Ok(WorkPermit { _permit: permit, _slot: slot })
    }

    /// Returns how many jobs are running, and how many are waiting.
    pub fn load(&self) -> (usize, usize) {
        let admitted =
            (QUEUE_LENGTH + self.threads).saturating_sub(self.queue_slots.available_permits());
        let running = admitted.min(self.threads);
        (running, admitted - running)
    }

    /// Runs `job`, which takes about `bytes` of memory, as soon as there is memory and a free thread.
    pub async fn run<T, F>(&self, bytes: u64, job: F) -> Result<T, JobError>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let memory = self.reserve(kilobytes(bytes)).await;
        let (done, result) = oneshot::channel();
        let job = Box::new(move || {
            let _memory = memory;
            // An error means only that the caller no longer waits for the result.
            let _no_receiver = done.send(job());
        });
        self.queue.try_send(job).map_err(|_| JobError::Busy)?;
        result.await.map_err(|_| JobError::Panicked)
    }

    /// Waits for memory, which is held until the permits are dropped. A large job reserves none while it
    /// waits for another pool's, so that smaller jobs run meanwhile. Of each pool one large job at a time
    /// waits for those of the others, so it waits for at most one of each.
    async fn reserve(&self, kilobytes: u32) -> [Option<OwnedSemaphorePermit>; 3] {
        let (mut next, mut large) = (None, None);
        // The semaphores are never closed.
        if kilobytes > self.max_kilobytes {
            next = self.next_large_job.clone().acquire_owned().await.ok();
            large = self.large_job.clone().acquire_owned().await.ok();
        }
        let kilobytes = kilobytes.min(self.max_kilobytes);
        let memory = self.memory.clone().acquire_many_owned(kilobytes).await.ok();
        [next, large, memory]
    }
}

fn kilobytes(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX).max(1)
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    // On Linux this affects the calling thread alone. It is not fatal if the process lacks the
    // permission.
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(error = error_text(&error), "picture threads keep their priority");
    }
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A decoder that panics on one file must not end the thread. The caller is notified by the
        // dropped sender.
        let _panicked = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use futures::FutureExt;

    use super::*;

    fn start(max_bytes: u64) -> Workers {
        Workers::start(max_bytes, Arc::new(Semaphore::new(1))).expect("threads")
    }

    #[tokio::test]
    async fn a_panic_fails_only_its_own_job() {
        let workers = start(1 << 20);
        let broken = workers.run(1, || panic!("a broken decoder")).await;
        assert!(matches!(broken, Err::<(), _>(JobError::Panicked)));
        assert_eq!(workers.run(1, || 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn a_full_queue_rejects_at_once() {
        let workers = start(1 << 20);
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let waiting: Vec<_> = (0..QUEUE_LENGTH * 3)
            .map(|_| {
                let gate = gate.clone();
                Box::pin(workers.run(1, move || gate.lock().is_ok_and(|gate| gate.recv().is_err())))
            })
            .collect();
        let mut busy = 0;
        let mut admitted = Vec::new();
        for mut job in waiting {
            match futures::poll!(&mut job) {
                std::task::Poll::Ready(Err(JobError::Busy)) => busy += 1,
                _ => admitted.push(job),
            }
        }
        assert!(busy > 0 && admitted.len() >= QUEUE_LENGTH);
        drop(open);
        for job in admitted {
            assert_eq!(job.await.ok(), Some(true));
        }
    }

    #[tokio::test]
    async fn permits_are_few_and_excess_callers_are_rejected_at_once() {
        let workers = start(1 << 20);
        let capacity = QUEUE_LENGTH + workers.threads;
        let mut waiting: Vec<_> = (0..capacity).map(|_| Box::pin(workers.acquire())).collect();
        let granted: Vec<_> = waiting.iter_mut().filter_map(FutureExt::now_or_never).collect();
        assert_eq!(granted.len(), workers.threads + 1);
        assert!(granted.iter().all(Result::is_ok));
        assert_eq!(workers.load(), (workers.threads, QUEUE_LENGTH));
        assert!(matches!(workers.acquire().await, Err(JobError::Busy)));
        assert_eq!(workers.run(1, || 7).await.ok(), Some(7), "run does not wait for a permit");
        drop(granted);
        let next = &mut waiting[workers.threads + 1];
        assert!(next.now_or_never().is_some_and(|permit| permit.is_ok()));
    }

    #[tokio::test]
    async fn jobs_stay_within_the_memory_limit_and_a_large_one_runs_alone() {
        let workers = start(1_000 << 10);
        let in_use = Arc::new(AtomicU64::new(0));
        let peak = Arc::new(AtomicU64::new(0));
        let jobs = [400, 700, 300, 5_000, 600, 200, 1_000].map(|size: u64| {
            let (in_use, peak) = (in_use.clone(), peak.clone());
            workers.run(size << 10, move || {
                let now = in_use.fetch_add(size, Ordering::SeqCst) + size;
                peak.fetch_max(now, Ordering::SeqCst);
                std::thread::yield_now();
                in_use.fetch_sub(size, Ordering::SeqCst);
                now
            })
        });
        for at_once in futures::future::join_all(jobs).await {
            let at_once = at_once.expect("a job done");
            assert!(at_once <= 1_000 || at_once == 5_000, "{at_once}");
        }
        assert_eq!(peak.load(Ordering::SeqCst), 5_000);
    }

    #[tokio::test]
    async fn one_large_job_runs_at_a_time_in_all_pools_and_smaller_ones_beside_it() {
        let large_job = Arc::new(Semaphore::new(1));
        let start = || Workers::start(1_000 << 10, large_job.clone()).expect("threads");
        let (slow, quick) = (start(), start());
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let order = Arc::new(AtomicU64::new(0));
        let finish = || {
            let order = order.clone();
            move || order.fetch_add(1, Ordering::SeqCst)
        };
        let mut first = Box::pin(slow.run(5_000 << 10, move || gate.recv().is_err()));
        assert!(futures::poll!(&mut first).is_pending());
        let mut next = Box::pin(slow.run(5_000 << 10, finish()));
        assert!(futures::poll!(&mut next).is_pending());
        let mut large = Box::pin(quick.run(2_000 << 10, finish()));
        assert!(futures::poll!(&mut large).is_pending());
        assert_eq!(quick.run(1_000 << 10, || 7).await.ok(), Some(7), "a job within the limit");
        assert!(futures::poll!(&mut large).is_pending(), "two would exceed the limit");

        drop(open);
        let (first, next, large) = tokio::join!(first, next, large);
        assert_eq!((first.ok(), large.ok(), next.ok()), (Some(true), Some(0), Some(1)));
    }
}
