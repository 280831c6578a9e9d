//! The threads that scale pictures: few, with a bounded queue and a bound of memory, and last in line
//! for the processor, so that a page never waits for a picture.

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

use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

/// How far the threads step back behind all others (`nice`).
const NICENESS: i32 = 10;
/// How many pictures may wait.
const QUEUE: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

/// The threads, as long as this lives.
#[derive(Debug)]
pub struct Workers {
    queue: SyncSender<Job>,
    /// Who waits or works.
    places: Semaphore,
    /// Who has what a job takes, or is gathering it.
    turns: Semaphore,
    threads: usize,
    /// A permit for each kilobyte of memory that jobs may take together.
    memory: Arc<Semaphore>,
    max_kilobytes: u32,
}

/// A turn, for as long as this lives.
#[derive(Debug)]
pub struct Turn<'workers> {
    _turn: SemaphorePermit<'workers>,
    _place: SemaphorePermit<'workers>,
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
    /// Starts as many threads as there are processors, whose jobs take at most `max_bytes` together.
    /// One that takes more is done alone.
    pub fn start(max_bytes: u64) -> io::Result<Self> {
        let count = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (queue, jobs) = sync_channel(QUEUE + count);
        let jobs = Arc::new(Mutex::new(jobs));
        for number in 0..count {
            let jobs = jobs.clone();
            thread::Builder::new().name(format!("pictures-{number}")).spawn(move || work(&jobs))?;
        }
        let max_kilobytes = kilobytes(max_bytes);
        Ok(Self {
            queue,
            places: Semaphore::new(QUEUE + count),
            turns: Semaphore::new(count + 1),
            threads: count,
            memory: Arc::new(Semaphore::new(max_kilobytes as usize)),
            max_kilobytes,
        })
    }

    /// A turn to gather what a job takes and have it done. Whoever waits for one has nothing in memory
    /// yet. There is one more than threads, so that the next is gathered while these work; where gathering
    /// takes longer than that, they wait for it.
    pub async fn turn(&self) -> Result<Turn<'_>, NotDone> {
        let place = self.places.try_acquire().map_err(|_| NotDone::Busy)?;
        // Never closed.
        let turn = self.turns.acquire().await.map_err(|_| NotDone::Busy)?;
        Ok(Turn { _turn: turn, _place: place })
    }

    /// How many jobs are done now, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let here = (QUEUE + self.threads).saturating_sub(self.places.available_permits());
        let running = here.min(self.threads);
        (running, here - running)
    }

    /// Does `job`, which takes about so many `bytes`, when there is room and a thread is free.
    pub async fn run<T, F>(&self, bytes: u64, job: F) -> Result<T, NotDone>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let kilobytes = kilobytes(bytes).min(self.max_kilobytes);
        // Never closed.
        let room = self.memory.clone().acquire_many_owned(kilobytes).await;
        let (done, result) = oneshot::channel();
        let job = Box::new(move || {
            let _room = room;
            // Nobody waits any more: then nobody needs the result.
            let _nobody = done.send(job());
        });
        self.queue.try_send(job).map_err(|_| NotDone::Busy)?;
        result.await.map_err(|_| NotDone::Panicked)
    }
}

fn kilobytes(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX).max(1)
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
    use std::sync::atomic::{AtomicU64, Ordering};

    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_spoils_one_job_only() {
        let workers = Workers::start(1 << 20).expect("threads");
        let broken = workers.run(1, || panic!("a broken decoder")).await;
        assert!(matches!(broken, Err::<(), _>(NotDone::Panicked)));
        assert_eq!(workers.run(1, || 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn a_full_queue_says_so_at_once() {
        let workers = Workers::start(1 << 20).expect("threads");
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let waiting: Vec<_> = (0..QUEUE * 3)
            .map(|_| {
                let gate = gate.clone();
                Box::pin(workers.run(1, move || gate.lock().is_ok_and(|gate| gate.recv().is_err())))
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

    #[tokio::test]
    async fn turns_are_few_and_who_is_too_many_is_told_at_once() {
        let workers = Workers::start(1 << 20).expect("threads");
        let most = QUEUE + workers.threads;
        let mut asking: Vec<_> = (0..most).map(|_| Box::pin(workers.turn())).collect();
        let given: Vec<_> = asking.iter_mut().filter_map(FutureExt::now_or_never).collect();
        assert_eq!(given.len(), workers.threads + 1);
        assert!(given.iter().all(Result::is_ok));
        assert_eq!(workers.load(), (workers.threads, QUEUE));
        assert!(matches!(workers.turn().await, Err(NotDone::Busy)));
        assert_eq!(workers.run(1, || 7).await.ok(), Some(7), "what a turn takes waits for none");
        drop(given);
        let next = &mut asking[workers.threads + 1];
        assert!(next.now_or_never().is_some_and(|turn| turn.is_ok()));
    }

    #[tokio::test]
    async fn jobs_stay_within_their_memory_and_a_large_one_is_done_alone() {
        let workers = Workers::start(1_000 << 10).expect("threads");
        let under_way = Arc::new(AtomicU64::new(0));
        let most = Arc::new(AtomicU64::new(0));
        let jobs = [400, 700, 300, 5_000, 600, 200, 1_000].map(|size: u64| {
            let (under_way, most) = (under_way.clone(), most.clone());
            workers.run(size << 10, move || {
                let now = under_way.fetch_add(size, Ordering::SeqCst) + size;
                most.fetch_max(now, Ordering::SeqCst);
                std::thread::yield_now();
                under_way.fetch_sub(size, Ordering::SeqCst);
                now
            })
        });
        for at_once in futures::future::join_all(jobs).await {
            let at_once = at_once.expect("a job done");
            assert!(at_once <= 1_000 || at_once == 5_000, "{at_once}");
        }
        assert_eq!(most.load(Ordering::SeqCst), 5_000);
    }
}
