//! Keeps files of earlier frontend builds.
//!
//! A page that a visitor has open, or that another site node still caches, requests the files of its own
//! build after a newer one was deployed. So each site node keeps a copy of the files with a hash in
//! their names, of as many builds as fit.

use std::{
    collections::HashSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use bytes::Bytes;

use crate::{
    files::assets::{BROTLI, BuiltFile, GZIP, HASHED_FOLDER},
    reply::Packed,
};

/// The maximum size of all copies, in bytes: about ten builds.
const MAX_BYTES: u64 = 64 << 20;
/// The name of an incomplete copy. No file of a build has this name.
const UNFINISHED: &str = ".unfinished";

/// The copies in a folder.
#[derive(Debug)]
pub struct EarlierBuilds {
    folder: PathBuf,
    /// The names of the copies. A request's path is looked up among these, and never touches the disk.
    names: HashSet<String>,
}

impl EarlierBuilds {
    /// Copies the files of `build` (`frontend/build/client`) to `folder`. If the limit is exceeded,
    /// removes the files of the build that was started longest ago first.
    pub fn open(folder: PathBuf, build: &Path) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let now = SystemTime::now();
        for entry in fs::read_dir(build.join(HASHED_FOLDER.trim_matches('/')))? {
            let entry = entry?;
            if !entry.file_type()?.is_file() {
                continue;
            }
            let copy = folder.join(entry.file_name());
            let kept = fs::metadata(&copy).ok().map(|kept| kept.len());
            if kept != Some(entry.metadata()?.len()) {
                let unfinished = folder.join(UNFINISHED);
                // Not `fs::copy`: it would copy a read-only mode, and the modification time could not be
                // updated.
                let mut file = fs::File::create(&unfinished)?;
                file.write_all(&fs::read(entry.path())?)?;
                // Otherwise a power cut could leave an empty file of that name, which browsers would
                // cache for a year.
                file.sync_all()?;
                fs::rename(&unfinished, &copy)?;
            }
            fs::File::options().write(true).open(&copy)?.set_modified(now)?;
        }
        let names = remove_oldest(&folder, MAX_BYTES)?;
        Ok(Self { folder, names })
    }

    /// Reads the file at the URL path `path` from disk.
    pub fn file(&self, path: &str) -> Option<BuiltFile> {
        let name = path.strip_prefix(HASHED_FOLDER)?;
        if !self.names.contains(name) || [BROTLI, GZIP].iter().any(|form| name.ends_with(form)) {
            return None;
        }
        let read = |form| fs::read(self.folder.join(format!("{name}{form}"))).ok().map(Bytes::from);
        let packed = Packed { brotli: read(BROTLI), gzip: read(GZIP) };
        Some(BuiltFile { body: read("")?, packed })
    }
}

/// Removes files from `folder` until it holds at most `max_bytes`, those of the build that was started
/// longest ago first. Returns the names that stay.
fn remove_oldest(folder: &Path, max_bytes: u64) -> io::Result<HashSet<String>> {
    let mut copies = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        copies.push((metadata.modified()?, metadata.len(), entry.path(), entry.file_name()));
    }
    copies.sort_by_key(|(started, ..)| std::cmp::Reverse(*started));
    let mut bytes = 0;
    let mut names = HashSet::new();
    for (_, length, path, name) in copies {
        bytes += length;
        if bytes > max_bytes || name == UNFINISHED {
            fs::remove_file(path)?;
        } else if let Ok(name) = name.into_string() {
            names.insert(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(root: &Path, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let build = root.join(name);
        fs::create_dir_all(build.join("assets")).expect("a folder");
        for (file, text) in files {
            fs::write(build.join("assets").join(file), text).expect("a file");
        }
        build
    }

    #[test]
    fn files_of_earlier_builds_stay_while_they_fit() {
        let root = tempfile::tempdir().expect("a folder");
        let kept = root.path().join("kept");
        let first = build(root.path(), "first", &[("a-1.js", "one"), ("a-1.js.br", "br")]);
        let second = build(root.path(), "second", &[("b-2.js", "two")]);
        EarlierBuilds::open(kept.clone(), &first).expect("a copy");
        // As if this build had been started long ago.
        for name in ["a-1.js", "a-1.js.br"] {
            let copy = fs::File::options().write(true).open(kept.join(name)).expect("it is kept");
            copy.set_modified(SystemTime::UNIX_EPOCH).expect("a time");
        }
        let builds = EarlierBuilds::open(kept.clone(), &second).expect("a copy");
        let file = builds.file("/assets/a-1.js").expect("a file of the build before");
        assert_eq!((file.body.as_ref(), file.packed.brotli), (&b"one"[..], Some("br".into())));
        for none in ["/assets/a-1.js.br", "/assets/../kept/b-2.js", "/assets/c.js", "/a-1.js"] {
            assert!(builds.file(none).is_none(), "{none}");
        }

        fs::write(kept.join(UNFINISHED), "half").expect("a file");
        let all = remove_oldest(&kept, 100).expect("the rest");
        assert_eq!(all.len(), 3, "{all:?}");
        let newest = remove_oldest(&kept, 4).expect("the rest");
        assert_eq!(newest, HashSet::from(["b-2.js".to_owned()]));
    }

    #[test]
    fn an_incomplete_copy_is_replaced() {
        let root = tempfile::tempdir().expect("a folder");
        let kept = root.path().join("kept");
        let build = build(root.path(), "build", &[("a-1.js", "one"), ("b-2.js", "two")]);
        EarlierBuilds::open(kept.clone(), &build).expect("a copy");
        fs::write(kept.join("a-1.js"), "").expect("a file");
        let builds = EarlierBuilds::open(kept, &build).expect("a copy");
        for (path, text) in [("/assets/a-1.js", "one"), ("/assets/b-2.js", "two")] {
            assert_eq!(builds.file(path).expect("a copy").body, text);
        }
    }
}
