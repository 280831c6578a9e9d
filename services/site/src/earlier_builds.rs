//! Files of the frontend's builds before this one.
//!
//! A page that a visitor has open, or that another site still keeps, asks for the files of its own build
//! after the next one has come. So each site keeps a copy of those with a hash in their names, of as many
//! builds as there is room for.

use std::{
    collections::HashSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use bytes::Bytes;

use crate::{
    assets::{BROTLI, BuiltFile, GZIP, HASHED},
    reply::Packed,
};

/// The most bytes that all of them may take: some ten builds.
const MAX_BYTES: u64 = 64 << 20;
/// A copy that is not whole yet. A build has no such names.
const UNFINISHED: &str = ".unfinished";

/// The copies in one folder.
#[derive(Debug)]
pub struct EarlierBuilds {
    folder: PathBuf,
    /// A request's path is looked up among these, and never touches the disk.
    names: HashSet<String>,
}

impl EarlierBuilds {
    /// Keeps a copy of the files of `build` (`frontend/build/client`) in `folder` from here on, and
    /// removes those for which there is no room, of the build that was started longest ago first.
    pub fn open(folder: PathBuf, build: &Path) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let now = SystemTime::now();
        for entry in fs::read_dir(build.join(HASHED.trim_matches('/')))? {
            let entry = entry?;
            if !entry.file_type()?.is_file() {
                continue;
            }
            let copy = folder.join(entry.file_name());
            let kept = fs::metadata(&copy).ok().map(|kept| kept.len());
            if kept != Some(entry.metadata()?.len()) {
                let unfinished = folder.join(UNFINISHED);
                // Not `fs::copy`: a copy that is read-only too could not be marked as served.
                let mut file = fs::File::create(&unfinished)?;
                file.write_all(&fs::read(entry.path())?)?;
                // A power cut would leave an empty file of that name, which browsers keep for a year.
                file.sync_all()?;
                fs::rename(&unfinished, &copy)?;
            }
            fs::File::options().write(true).open(&copy)?.set_modified(now)?;
        }
        let names = remove_oldest(&folder, MAX_BYTES)?;
        Ok(Self { folder, names })
    }

    /// The file at `path` of the site. Reads the disk.
    pub fn file(&self, path: &str) -> Option<BuiltFile> {
        let name = path.strip_prefix(HASHED)?;
        if !self.names.contains(name) || [BROTLI, GZIP].iter().any(|form| name.ends_with(form)) {
            return None;
        }
        let read = |form| fs::read(self.folder.join(format!("{name}{form}"))).ok().map(Bytes::from);
        let packed = Packed { brotli: read(BROTLI), gzip: read(GZIP) };
        Some(BuiltFile { body: read("")?, packed })
    }
}

/// Removes from `folder` what is more than `max_bytes`, what was started with longest ago first; gives
/// the names that stay.
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
    fn files_stay_after_their_build_for_as_long_as_there_is_room() {
        let root = tempfile::tempdir().expect("a folder");
        let kept = root.path().join("kept");
        let first = build(root.path(), "first", &[("a-1.js", "one"), ("a-1.js.br", "br")]);
        let second = build(root.path(), "second", &[("b-2.js", "two")]);
        EarlierBuilds::open(kept.clone(), &first).expect("a copy");
        // It ran for long.
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
    fn a_copy_that_was_cut_off_is_made_anew() {
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
