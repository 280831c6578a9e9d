//! The directory of index files, without waiting for the disk.
//!
//! tantivy syncs every file of a commit, a dozen or more of them, and on a busy disk that is most
//! of the time between a publish and its being found. The index is disposable, so nothing is
//! synced here. A process that is killed loses nothing by it: what it wrote is the kernel's. Only
//! after a crash of the machine may files be short or old; [`crate::index`] sees that the machine
//! was started anew, checks every file against its checksum, and begins anew where one is wrong.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
    error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
};

/// Files are read by memory map and written without a sync.
#[derive(Clone, Debug)]
pub(crate) struct UnsyncedDirectory {
    root: PathBuf,
    mapped: MmapDirectory,
}

impl UnsyncedDirectory {
    /// The directory at `root`, which must exist.
    pub fn open(root: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { root: root.to_owned(), mapped: MmapDirectory::open(root)? })
    }
}

/// A file whose end is not waited for.
struct UnsyncedFile(File);

impl Write for UnsyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for UnsyncedFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        Ok(())
    }
}

impl Directory for UnsyncedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.mapped.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(self.root.join(path))
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
                _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
            })?;
        Ok(BufWriter::new(Box::new(UnsyncedFile(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.mapped.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        // One writer holds the directory's lock, so one name for the file in the making will do.
        let unfinished = self.root.join(path).with_extension("unfinished");
        fs::write(&unfinished, content)?;
        fs::rename(&unfinished, self.root.join(path))
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.mapped.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.mapped.watch(callback)
    }
}
