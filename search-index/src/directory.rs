//! A write-behind directory of index files: they are written to memory first, and to disk later.
//!
//! A commit creates a dozen small files, and waiting for each to reach a busy disk takes most of the time
//! between a publish and its being found. The index is disposable, so a commit does not wait: files are
//! created in memory, and [`WriteBehind::save`] writes them to disk in the background. At every moment the
//! disk has one complete earlier commit with its log position; after a crash the log is read again from
//! there.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, META_LOCK, MmapDirectory,
    OwnedBytes, TerminatingWrite, WatchCallback, WatchHandle, WritePtr,
    error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
};

/// The file that lists the segments of the last commit. Writing it to disk makes that commit the saved one.
const META: &str = "meta.json";

/// Holds written files in memory until they are saved; reads saved files through a memory map.
#[derive(Clone, Debug)]
pub(crate) struct WriteBehind {
    root: PathBuf,
    saved: MmapDirectory,
    files: Arc<RwLock<Files>>,
    /// Held while saving, so that saves do not overlap.
    saving: Arc<Mutex<()>>,
    /// Held while the files of a commit are opened, and while tantivy deletes files that no commit lists.
    opening: Arc<MemoryLock>,
}

/// The files that differ from those on disk.
#[derive(Default)]
struct Files {
    /// Complete files that are not saved yet; they never change.
    fresh: HashMap<PathBuf, OwnedBytes>,
    /// The latest content of files that are replaced atomically, and whether it is saved.
    replaced: HashMap<PathBuf, (Vec<u8>, bool)>,
    /// Deleted files that the commit on disk may still use.
    deleted: HashSet<PathBuf>,
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Files").field("fresh", &self.fresh.len()).finish_non_exhaustive()
    }
}

impl WriteBehind {
    /// Opens the directory at `root`, which must exist.
    pub fn open(root: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self {
            root: root.to_owned(),
            saved: MmapDirectory::open(root)?,
            files: Arc::default(),
            saving: Arc::default(),
            opening: Arc::default(),
        })
    }

    /// Returns how many bytes are in memory only.
    pub fn unsaved_bytes(&self) -> usize {
        self.read().fresh.values().map(OwnedBytes::len).sum()
    }

    /// Writes the last commit to disk durably, then deletes the files of the previous commit.
    pub fn save(&self) -> io::Result<()> {
        let _one_at_a_time = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        // Copied under one lock, so that every file that the commit lists is either here or on disk.
        let (fresh, mut replaced, deleted) = {
            let files = self.read();
            let replaced = files.replaced.iter().filter(|(_, (_, is_saved))| !is_saved);
            let replaced: Vec<_> =
                replaced.map(|(path, (content, _))| (path.clone(), content.clone())).collect();
            (files.fresh.clone(), replaced, files.deleted.clone())
        };
        if replaced.is_empty() {
            return Ok(());
        }
        for (path, bytes) in &fresh {
            self.write_to_disk(path, bytes)?;
        }
        self.sync_root()?;
        // `META` is written last, because it makes this commit the one on disk.
        replaced.sort_by_key(|(path, _)| path == Path::new(META));
        for (path, content) in &replaced {
            let unfinished = Path::new(path).with_extension("unfinished");
            self.write_to_disk(&unfinished, content)?;
            fs::rename(self.root.join(unfinished), self.root.join(path))?;
        }
        self.sync_root()?;

        let mut files = self.write();
        for path in fresh.into_keys() {
            if files.fresh.remove(&path).is_none() {
                // The file was deleted while it was being saved.
                files.deleted.insert(path);
            }
        }
        for (path, content) in replaced {
            if let Some((latest, is_saved)) = files.replaced.get_mut(&path) {
                *is_saved = *latest == content;
            }
        }
        drop(files);
        for path in &deleted {
            self.remove_from_disk(path)?;
        }
        self.write().deleted.retain(|path| !deleted.contains(path));
        Ok(())
    }

    /// Removes from disk the files that a crash left of an unfinished commit: all that are not among
    /// `listed`, the segment files of the last commit.
    pub fn remove_leftovers(&self, listed: &HashSet<PathBuf>) -> io::Result<()> {
        for file in fs::read_dir(&self.root)? {
            let name = PathBuf::from(file?.file_name());
            let is_hidden = name.to_string_lossy().starts_with('.');
            if !is_hidden && name != Path::new(META) && !listed.contains(&name) {
                self.remove_from_disk(&name)?;
            }
        }
        Ok(())
    }

    fn write_to_disk(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(self.root.join(path))?;
        file.write_all(content)?;
        file.sync_data()
    }

    fn remove_from_disk(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(self.root.join(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn sync_root(&self) -> io::Result<()> {
        File::open(&self.root)?.sync_data()
    }

    fn read(&self) -> RwLockReadGuard<'_, Files> {
        self.files.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Files> {
        self.files.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A lock in memory, without a lock file.
#[derive(Debug, Default)]
struct MemoryLock {
    is_held: Mutex<bool>,
    released: Condvar,
}

/// A guard that releases the lock when it is dropped.
struct LockGuard(Arc<MemoryLock>);

impl MemoryLock {
    /// Waits until the lock is free, and takes it.
    fn acquire(self: &Arc<Self>) -> LockGuard {
        let is_held = self.is_held.lock().unwrap_or_else(PoisonError::into_inner);
        let is_held = self.released.wait_while(is_held, |is_held| *is_held);
        *is_held.unwrap_or_else(PoisonError::into_inner) = true;
        LockGuard(Arc::clone(self))
    }
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        *self.0.is_held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.released.notify_one();
    }
}

/// A file that is being written.
struct PendingFile {
    path: PathBuf,
    content: Vec<u8>,
    directory: WriteBehind,
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.content.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for PendingFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        let content = std::mem::take(&mut self.content);
        self.directory.write().fresh.insert(self.path.clone(), OwnedBytes::new(content));
        Ok(())
    }
}

impl Directory for WriteBehind {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let files = self.read();
        if let Some(bytes) = files.fresh.get(path) {
            return Ok(Arc::new(bytes.clone()));
        }
        if files.deleted.contains(path) {
            return Err(OpenReadError::FileDoesNotExist(path.to_owned()));
        }
        drop(files);
        self.saved.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let mut files = self.write();
        if files.fresh.remove(path).is_some() || files.replaced.remove(path).is_some() {
            return Ok(());
        }
        if files.deleted.contains(path) || !self.root.join(path).exists() {
            return Err(DeleteError::FileDoesNotExist(path.to_owned()));
        }
        files.deleted.insert(path.to_owned());
        Ok(())
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let files = self.read();
        if files.fresh.contains_key(path) || files.replaced.contains_key(path) {
            return Ok(true);
        }
        if files.deleted.contains(path) {
            return Ok(false);
        }
        drop(files);
        self.saved.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let exists = self.exists(path).map_err(|error| {
            OpenWriteError::wrap_io_error(io::Error::other(error), path.to_owned())
        })?;
        if exists {
            return Err(OpenWriteError::FileAlreadyExists(path.to_owned()));
        }
        Ok(BufWriter::new(Box::new(PendingFile {
            path: path.to_owned(),
            content: Vec::new(),
            directory: self.clone(),
        })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let latest = self.read().replaced.get(path).map(|(content, _)| content.clone());
        match latest {
            Some(content) => Ok(content),
            None => self.saved.atomic_read(path),
        }
    }

    fn atomic_write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.write().replaced.insert(path.to_owned(), (content.to_owned(), false));
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        // Each commit takes this lock and must not need the disk for it. It only guards against deletions
        // by tantivy in this process; `save`, which deletes from disk, does not take it.
        if lock.filepath == META_LOCK.filepath {
            return Ok(DirectoryLock::from(Box::new(self.opening.acquire())));
        }
        self.saved.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.saved.watch(callback)
    }
}
