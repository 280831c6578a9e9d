//! Stores scaled pictures on disk, within a limit of bytes. They survive a restart.
//!
//! A file holds the BLAKE3 hash of the body, followed by the body. It is written under a temporary name
//! and renamed. A file that does not match its hash (after a crash of the machine) is treated as missing
//! and removed. A file that temporarily can't be read is kept: otherwise a process that ran out of file
//! descriptors would remove every picture it looked up.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use runtime::error_text;

const HASH_BYTES: usize = 32;
const UNFINISHED: &str = ".unfinished-";
/// The minimum time between two updates of a file's time of last use on disk, so that reads rarely cause
/// writes.
const RECORD_USE_AFTER: Duration = Duration::from_mins(10);

/// A bounded folder of pictures.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    max_bytes: u64,
    contents: Mutex<Contents>,
    unfinished: AtomicU64,
    /// Whether the last read failed. An outage is logged once, and not for every picture.
    failing: AtomicBool,
}

#[derive(Debug, Default)]
struct Contents {
    files: HashMap<String, FileEntry>,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct FileEntry {
    bytes: u64,
    used: SystemTime,
    /// The time of last use that is recorded on disk, as the file's modification time.
    recorded: SystemTime,
}

impl Disk {
    /// Opens `folder`, creates it if it does not exist, and indexes the files in it.
    pub fn open(folder: PathBuf, max_bytes: u64) -> io::Result<Self> {
        runtime::ensure_writable_dir(&folder)?;
        let mut contents = Contents::default();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with(UNFINISHED) {
                fs::remove_file(entry.path())?;
                continue;
            }
            let metadata = entry.metadata()?;
            if metadata.is_file() {
                let used = metadata.modified()?;
                contents.insert(name, FileEntry { bytes: metadata.len(), used, recorded: used });
            }
        }
        let disk = Self {
            folder,
            max_bytes,
            contents: Mutex::new(contents),
            unfinished: AtomicU64::new(0),
            failing: AtomicBool::new(false),
        };
        disk.evict();
        Ok(disk)
    }

    /// Returns the picture called `name`. Blocks on disk I/O: not for async threads.
    pub fn get(&self, name: &str) -> Option<Bytes> {
        let now = SystemTime::now();
        let record_use = {
            let mut contents = self.contents();
            let entry = contents.files.get_mut(name)?;
            entry.used = now;
            let record_use =
                now.duration_since(entry.recorded).is_ok_and(|since| since > RECORD_USE_AFTER);
            if record_use {
                entry.recorded = now;
            }
            record_use
        };
        let path = self.folder.join(name);
        let body = match read(&path) {
            Ok(body) => body,
            Err(error) => {
                if !self.failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(path = %path.display(), error = error_text(&error), "stored pictures can't be read");
                }
                return None;
            }
        };
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("stored pictures can be read again");
        }
        match &body {
            None => self.forget(name),
            Some(_) if record_use => {
                let recorded = fs::File::open(&path).and_then(|file| file.set_modified(now));
                if let Err(error) = recorded {
                    tracing::debug!(
                        error = error_text(&error),
                        "a use of a picture could not be recorded"
                    );
                }
            }
            Some(_) => {}
        }
        body
    }

    /// Stores `body` as `name`. Blocks on disk I/O: not for async threads.
    pub fn put(&self, name: &str, body: &[u8]) -> io::Result<()> {
        self.put_with(name, body, |path, file_bytes| fs::write(path, file_bytes))
    }

    fn put_with(
        &self,
        name: &str,
        body: &[u8],
        write: impl Fn(&Path, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let number = self.unfinished.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.folder.join(format!("{UNFINISHED}{}-{number}", std::process::id()));
        let mut file_bytes = Vec::with_capacity(HASH_BYTES + body.len());
        file_bytes.extend_from_slice(blake3::hash(body).as_bytes());
        file_bytes.extend_from_slice(body);
        let mut written = write(&unfinished, &file_bytes);
        if written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::StorageFull) {
            // Something else has filled the disk, because this folder stays within its own limit.
            let _ignored = fs::remove_file(&unfinished);
            self.free_a_tenth_of(self.bytes());
            written = write(&unfinished, &file_bytes);
        }
        let written = written.and_then(|()| fs::rename(&unfinished, self.folder.join(name)));
        if written.is_err() {
            // A file that can't be removed here is removed at the next start.
            let _ignored = fs::remove_file(&unfinished);
        }
        written?;
        let now = SystemTime::now();
        let entry = FileEntry { bytes: file_bytes.len() as u64, used: now, recorded: now };
        self.contents().insert(name.to_owned(), entry);
        self.evict();
        Ok(())
    }

    /// Returns the maximum number of bytes stored.
    pub const fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Returns the number of bytes stored.
    pub fn bytes(&self) -> u64 {
        self.contents().bytes
    }

    /// Removes the least recently used files, if the limit is exceeded, until a tenth of it is free.
    fn evict(&self) {
        if self.bytes() > self.max_bytes {
            self.free_a_tenth_of(self.max_bytes);
        }
    }

    fn free_a_tenth_of(&self, bytes: u64) {
        let mut contents = self.contents();
        let mut oldest: Vec<_> =
            contents.files.iter().map(|(name, entry)| (entry.used, name.clone())).collect();
        oldest.sort();
        let enough = bytes - bytes / 10;
        for (_, name) in oldest {
            if contents.bytes <= enough {
                break;
            }
            contents.remove(&name);
            remove(&self.folder.join(name));
        }
    }

    fn forget(&self, name: &str) {
        self.contents().remove(name);
        remove(&self.folder.join(name));
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    fn insert(&mut self, name: String, entry: FileEntry) {
        self.remove(&name);
        self.bytes += entry.bytes;
        self.files.insert(name, entry);
    }

    fn remove(&mut self, name: &str) {
        if let Some(entry) = self.files.remove(name) {
            self.bytes -= entry.bytes;
        }
    }
}

/// Reads the body in the file at `path`. Returns none if there is no such file or it is incomplete.
fn read(path: &Path) -> io::Result<Option<Bytes>> {
    let file_bytes = match fs::read(path) {
        Ok(file_bytes) => Bytes::from(file_bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_intact = file_bytes
        .split_at_checked(HASH_BYTES)
        .is_some_and(|(hash, body)| blake3::hash(body).as_bytes() == hash);
    Ok(is_intact.then(|| file_bytes.slice(HASH_BYTES..)))
}

fn remove(path: &Path) {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), error = error_text(&error), "a picture could not be removed");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(folder: &Path, name: &str, seconds: u64) {
        let file = fs::File::open(folder.join(name)).expect("the file");
        let then = SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(then).expect("its time");
    }

    #[test]
    fn stored_pictures_survive_a_restart_and_corrupt_ones_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        disk.put("a.jpg", b"first").expect("kept");
        disk.put("b.jpg", b"second").expect("kept");
        fs::write(folder.path().join("b.jpg"), b"torn").expect("written");
        fs::write(folder.path().join(".unfinished-1-1"), b"half").expect("written");
        drop(disk);
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        assert_eq!(disk.get("a.jpg").as_deref(), Some(&b"first"[..]));
        assert_eq!(disk.get("b.jpg"), None);
        assert!(!folder.path().join("b.jpg").exists());
        assert!(!folder.path().join(".unfinished-1-1").exists());
    }

    #[test]
    fn a_picture_that_is_temporarily_unreadable_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        disk.put("a.jpg", b"first").expect("kept");
        let (file, aside) = (folder.path().join("a.jpg"), folder.path().join("aside"));
        fs::rename(&file, &aside).expect("moved");
        // A directory can't be read as a file, by any user, root included.
        fs::create_dir(&file).expect("a folder");
        assert_eq!(disk.get("a.jpg"), None);
        fs::remove_dir(&file).expect("removed");
        fs::rename(&aside, &file).expect("moved back");
        assert_eq!(disk.get("a.jpg").as_deref(), Some(&b"first"[..]));

        fs::remove_file(&file).expect("removed");
        assert_eq!(disk.get("a.jpg"), None);
        assert_eq!(disk.bytes(), 0, "a missing file does not count");
    }

    #[test]
    fn the_oldest_pictures_are_evicted_when_the_disk_is_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        disk.put("old.jpg", &[0; 100]).expect("kept");
        age(folder.path(), "old.jpg", 10_000);
        disk.put("new.jpg", &[0; 100]).expect("kept");
        drop(disk);
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        let old = folder.path().join("old.jpg");
        let write = |path: &Path, file_bytes: &[u8]| {
            if old.exists() {
                Err(io::ErrorKind::StorageFull.into())
            } else {
                fs::write(path, file_bytes)
            }
        };
        disk.put_with("newest.jpg", &[1; 100], write).expect("kept");
        assert!(disk.get("old.jpg").is_none());
        assert!(disk.get("new.jpg").is_some() && disk.get("newest.jpg").is_some());
    }

    #[test]
    fn the_limit_holds_and_recently_used_pictures_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        for number in 0..9 {
            disk.put(&format!("{number}.jpg"), &[0; 100]).expect("kept");
            age(folder.path(), &format!("{number}.jpg"), 10_000 - number);
        }
        let disk = Disk::open(folder.path().to_owned(), 1_320).expect("a disk");
        assert!(disk.get("0.jpg").is_some(), "this use counts");
        disk.put("9.jpg", &[0; 100]).expect("kept");
        disk.put("10.jpg", &[0; 100]).expect("kept");
        assert!(disk.contents().bytes <= 1_320);
        assert!(disk.get("0.jpg").is_some() && disk.get("10.jpg").is_some());
        assert!(disk.get("1.jpg").is_none());
        let on_disk = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(on_disk, disk.contents().files.len());
    }
}
