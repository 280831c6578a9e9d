//! Scaled pictures on disk: within a bound of bytes, there again after a restart.
//!
//! A file is its body's BLAKE3 hash and the body. It is written beside its place and renamed, and
//! one that does not agree with its hash (a crash of the machine) is as good as not there. One that
//! can't be read for a moment stays: without file descriptors all would be removed that is looked for.

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

const HASH_BYTES: usize = 32;
const UNFINISHED: &str = ".unfinished-";
/// A use is noted on disk at most this often, so that reading does not mean writing.
const NOTE_USE_AFTER: Duration = Duration::from_mins(10);

/// A folder of pictures.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    max_bytes: u64,
    contents: Mutex<Contents>,
    unfinished: AtomicU64,
    /// Whether the last picture could not be read: that is one line in the log, not one a picture.
    failing: AtomicBool,
}

#[derive(Debug, Default)]
struct Contents {
    files: HashMap<String, KeptFile>,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct KeptFile {
    bytes: u64,
    used: SystemTime,
    /// The use that is noted on disk.
    noted: SystemTime,
}

impl Disk {
    /// Opens `folder`, makes it where it is not there, and finds what it holds.
    pub fn open(folder: PathBuf, max_bytes: u64) -> io::Result<Self> {
        runtime::make_writable(&folder)?;
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
                contents.insert(name, KeptFile { bytes: metadata.len(), used, noted: used });
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

    /// The picture called `name`. Reads the disk: not for async threads.
    pub fn get(&self, name: &str) -> Option<Bytes> {
        let now = SystemTime::now();
        let note = {
            let mut contents = self.contents();
            let held = contents.files.get_mut(name)?;
            held.used = now;
            let note = now.duration_since(held.noted).is_ok_and(|since| since > NOTE_USE_AFTER);
            if note {
                held.noted = now;
            }
            note
        };
        let path = self.folder.join(name);
        let body = match read(&path) {
            Ok(body) => body,
            Err(error) => {
                if !self.failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(path = %path.display(), %error, "pictures can't be read");
                }
                return None;
            }
        };
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("pictures can be read again");
        }
        match &body {
            None => self.forget(name),
            Some(_) if note => {
                let noted = fs::File::open(&path).and_then(|file| file.set_modified(now));
                if let Err(error) = noted {
                    tracing::debug!(%error, "a use of a picture could not be noted");
                }
            }
            Some(_) => {}
        }
        body
    }

    /// Keeps `body` as `name`. Writes the disk: not for async threads.
    pub fn put(&self, name: &str, body: &[u8]) -> io::Result<()> {
        self.put_by(name, body, |path, whole| fs::write(path, whole))
    }

    fn put_by(
        &self,
        name: &str,
        body: &[u8],
        write: impl Fn(&Path, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let number = self.unfinished.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.folder.join(format!("{UNFINISHED}{}-{number}", std::process::id()));
        let mut whole = Vec::with_capacity(HASH_BYTES + body.len());
        whole.extend_from_slice(blake3::hash(body).as_bytes());
        whole.extend_from_slice(body);
        let mut written = write(&unfinished, &whole);
        if written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::StorageFull) {
            // By something else, since what is kept here has its bound.
            let _left = fs::remove_file(&unfinished);
            self.free_a_tenth_of(self.bytes());
            written = write(&unfinished, &whole);
        }
        let written = written.and_then(|()| fs::rename(&unfinished, self.folder.join(name)));
        if written.is_err() {
            // The next start finds what this could not remove.
            let _left = fs::remove_file(&unfinished);
        }
        written?;
        let now = SystemTime::now();
        let held = KeptFile { bytes: whole.len() as u64, used: now, noted: now };
        self.contents().insert(name.to_owned(), held);
        self.evict();
        Ok(())
    }

    /// The most bytes that are kept.
    pub const fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// How many bytes are kept.
    pub fn bytes(&self) -> u64 {
        self.contents().bytes
    }

    /// Removes what was used longest ago until a tenth of the room is free again.
    fn evict(&self) {
        if self.bytes() > self.max_bytes {
            self.free_a_tenth_of(self.max_bytes);
        }
    }

    fn free_a_tenth_of(&self, bytes: u64) {
        let mut contents = self.contents();
        let mut oldest: Vec<_> =
            contents.files.iter().map(|(name, held)| (held.used, name.clone())).collect();
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
    fn insert(&mut self, name: String, held: KeptFile) {
        self.remove(&name);
        self.bytes += held.bytes;
        self.files.insert(name, held);
    }

    fn remove(&mut self, name: &str) {
        if let Some(held) = self.files.remove(name) {
            self.bytes -= held.bytes;
        }
    }
}

/// The body in the file at `path`; none where there is no such file, or what is in it is no whole one.
fn read(path: &Path) -> io::Result<Option<Bytes>> {
    let whole = match fs::read(path) {
        Ok(whole) => Bytes::from(whole),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_whole = whole
        .split_at_checked(HASH_BYTES)
        .is_some_and(|(hash, body)| blake3::hash(body).as_bytes() == hash);
    Ok(is_whole.then(|| whole.slice(HASH_BYTES..)))
}

fn remove(path: &Path) {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), %error, "a picture could not be removed");
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
    fn what_was_kept_is_there_after_a_restart_and_what_broke_is_not() {
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
    fn what_can_not_be_read_for_a_moment_is_there_afterwards() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        disk.put("a.jpg", b"first").expect("kept");
        let (file, aside) = (folder.path().join("a.jpg"), folder.path().join("aside"));
        fs::rename(&file, &aside).expect("moved");
        // Nobody can read a folder as a file, whoever runs this.
        fs::create_dir(&file).expect("a folder");
        assert_eq!(disk.get("a.jpg"), None);
        fs::remove_dir(&file).expect("removed");
        fs::rename(&aside, &file).expect("moved back");
        assert_eq!(disk.get("a.jpg").as_deref(), Some(&b"first"[..]));

        fs::remove_file(&file).expect("removed");
        assert_eq!(disk.get("a.jpg"), None);
        assert_eq!(disk.bytes(), 0, "what is gone takes up no room");
    }

    #[test]
    fn on_a_disk_that_something_else_has_filled_the_oldest_makes_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        disk.put("old.jpg", &[0; 100]).expect("kept");
        age(folder.path(), "old.jpg", 10_000);
        disk.put("new.jpg", &[0; 100]).expect("kept");
        drop(disk);
        let disk = Disk::open(folder.path().to_owned(), 1_000_000).expect("a disk");
        let old = folder.path().join("old.jpg");
        let write = |path: &Path, whole: &[u8]| {
            if old.exists() {
                Err(io::ErrorKind::StorageFull.into())
            } else {
                fs::write(path, whole)
            }
        };
        disk.put_by("newest.jpg", &[1; 100], write).expect("kept");
        assert!(disk.get("old.jpg").is_none());
        assert!(disk.get("new.jpg").is_some() && disk.get("newest.jpg").is_some());
    }

    #[test]
    fn the_bound_holds_and_what_was_used_last_stays() {
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
