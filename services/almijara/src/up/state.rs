//! What `almijara up` keeps between starts: passwords, ports and for which content service, in the data
//! folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Write as _,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use rustix::{
    fs::{FlockOperation, fcntl_lock},
    io::Errno,
    process::{FlockType, Pid, fcntl_getlk},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::content::ContentService;

/// Passwords by user and ports by role. Made once, so that a second start finds its data.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    secrets: BTreeMap<String, String>,
    ports: BTreeMap<String, u16>,
    /// Where the content is from. None until it was read once, and of a folder that an earlier build made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<ContentService>,
    /// Ports that this start was told to use, which no role may be given.
    #[serde(skip)]
    reserved: BTreeSet<u16>,
    #[serde(skip)]
    file: PathBuf,
}

impl State {
    /// Reads the state of `folder`, or begins one.
    pub fn load(folder: &Path) -> Result<Self> {
        let file = folder.join("stack.json");
        let mut state: Self = match fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text).with_context(|| {
                format!("{} is damaged; `make reset` begins anew", file.display())
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(error).with_context(|| format!("reading {}", file.display())),
        };
        state.file = file;
        Ok(state)
    }

    /// Refuses a content service other than the one that this folder has its content from: it gives the
    /// same keys to other homes, which would inherit what is known of those.
    pub fn ensure_is_of(&self, content: ContentService) -> Result<()> {
        match self.content {
            Some(kept) if kept != content => bail!(
                "it has its content from CONTENT={kept}: `CONTENT={kept} make up` goes on with it. What it \
                 knows is true of no other: `DATA_DIR=… CONTENT={new} make up` begins another folder",
                kept = kept.name(),
                new = content.name()
            ),
            _ => Ok(()),
        }
    }

    /// Keeps where the content is from.
    pub fn keep_content(&mut self, content: ContentService) {
        self.content = Some(content);
    }

    /// The secret called `name`, made on first use. It is on disk before anything is locked with it:
    /// a start that is interrupted must not lock the next one out.
    pub fn secret(&mut self, name: &str) -> Result<String> {
        if let Some(secret) = self.secrets.get(name) {
            return Ok(secret.clone());
        }
        let secret = Uuid::new_v4().simple().to_string();
        self.secrets.insert(name.to_owned(), secret.clone());
        self.save()?;
        Ok(secret)
    }

    /// Keeps `secret` under `name`.
    pub fn keep_secret(&mut self, name: &str, secret: &str) {
        self.secrets.insert(name.to_owned(), secret.to_owned());
    }

    /// Keeps `port` for whom this start was told to give it. Nobody listens on it yet, so that it
    /// looks free, and a role may have had it at an earlier start.
    pub fn reserve(&mut self, port: u16) {
        self.reserved.insert(port);
    }

    /// The port of `role`: the one that it had, where that is still free, or else a new one.
    pub fn port(&mut self, role: &str) -> Result<u16> {
        if let Some(&port) = self.ports.get(role)
            && !self.reserved.contains(&port)
            && local_servers::take_port(port)
        {
            return Ok(port);
        }
        let port = std::iter::repeat_with(local_servers::free_port)
            .take(100)
            .flatten()
            .find(|port| {
                !self.reserved.contains(port) && !self.ports.values().any(|taken| taken == port)
            })
            .context("no port of 127.0.0.1 is free")?;
        self.ports.insert(role.to_owned(), port);
        Ok(port)
    }

    /// The port that [`State::port`] gave to `role`.
    pub fn port_of(&self, role: &str) -> Result<u16> {
        self.ports.get(role).copied().with_context(|| format!("{role} has no port yet"))
    }

    /// Writes it back, readable by us only.
    pub fn save(&self) -> Result<()> {
        write_private(&self.file, &serde_json::to_string_pretty(self)?)
    }
}

/// Writes `text` to `file` so that only we can read it. Whoever ends this process meanwhile finds the
/// file as it was.
pub fn write_private(file: &Path, text: &str) -> Result<()> {
    let unfinished = file.with_extension("unfinished");
    let write = || {
        let mut opened = File::options()
            .create(true)
            .write(true)
            .truncate(true)
            .mode(0o600)
            .open(&unfinished)?;
        opened.set_permissions(fs::Permissions::from_mode(0o600))?;
        opened.write_all(text.as_bytes())?;
        opened.sync_all()?;
        fs::rename(&unfinished, file)
    };
    write().with_context(|| format!("writing {}", file.display()))
}

/// The mark of a running `almijara up` in its data folder: a lock, which the kernel takes back however
/// the process ends, and which none of its children has.
#[derive(Debug)]
pub struct RunningMark {
    /// The lock is gone as soon as this process closes any file of that name.
    _locked: File,
}

impl RunningMark {
    /// Marks `folder` as in use by this process; refuses where another one uses it.
    pub fn set(folder: &Path) -> Result<Self> {
        let path = lock_file(folder);
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.with_context(|| format!("opening {}", path.display()))?;
        match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self { _locked: file }),
            Err(Errno::AGAIN | Errno::ACCESS) => {
                bail!("almijara is running already; `make down` stops it")
            }
            Err(error) => Err(error).with_context(|| format!("locking {}", path.display())),
        }
    }
}

/// The process that runs on the data of `folder`, if there is one.
pub fn running(folder: &Path) -> Option<Pid> {
    let file = File::open(lock_file(folder)).ok()?;
    fcntl_getlk(&file, &FlockType::WriteLock.into()).ok()??.pid
}

fn lock_file(folder: &Path) -> PathBuf {
    folder.join("up.lock")
}

#[cfg(test)]
mod tests {
    use std::{env, process::Command};

    use super::*;

    /// Names the folder to the process that stands for another `almijara`.
    const OTHER: &str = "ALMIJARA_OTHER_FOLDER";

    #[test]
    fn a_folder_is_in_use_for_as_long_as_who_uses_it_runs() -> Result<()> {
        if let Some(folder) = env::var_os(OTHER) {
            let folder = Path::new(&folder);
            assert_eq!(running(folder), rustix::process::getppid());
            assert!(RunningMark::set(folder).is_err(), "two of them use it");
            return Ok(());
        }
        let folder = tempfile::tempdir()?;
        // What was killed left the number of a process, which another one has by now.
        fs::write(lock_file(folder.path()), std::process::id().to_string())?;
        assert_eq!(running(folder.path()), None);
        let _mark = RunningMark::set(folder.path())?;
        let name = "up::state::tests::a_folder_is_in_use_for_as_long_as_who_uses_it_runs";
        let other = Command::new(env::current_exe()?)
            .args(["--exact", name])
            .env(OTHER, folder.path())
            .output()?;
        let said = String::from_utf8_lossy(&other.stdout);
        assert!(other.status.success() && said.contains("1 passed"), "{said}");
        Ok(())
    }

    #[test]
    fn a_secret_outlives_a_start_that_is_interrupted() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let secret = State::load(folder.path())?.secret("postgres")?;
        assert_eq!(State::load(folder.path())?.secret("postgres")?, secret);

        // Ended while it wrote.
        fs::write(folder.path().join("stack.unfinished"), "{")?;
        assert_eq!(State::load(folder.path())?.secret("postgres")?, secret);
        let mode = fs::metadata(folder.path().join("stack.json"))?.permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        Ok(())
    }

    #[test]
    fn a_folder_stays_with_the_content_service_that_it_was_filled_from() -> Result<()> {
        let folder = tempfile::tempdir()?;
        // As an earlier build left it.
        fs::write(folder.path().join("stack.json"), r#"{"secrets":{},"ports":{}}"#)?;
        let mut state = State::load(folder.path())?;
        state.ensure_is_of(ContentService::Directus)?;
        state.keep_content(ContentService::Pack);
        state.save()?;

        let state = State::load(folder.path())?;
        state.ensure_is_of(ContentService::Pack)?;
        let refused = state.ensure_is_of(ContentService::Directus);
        let words = refused.expect_err("other homes have the same keys").to_string();
        for word in ["`CONTENT=pack make up`", "`DATA_DIR=… CONTENT=directus make up`"] {
            assert!(words.contains(word), "{words}");
        }
        Ok(())
    }

    #[test]
    fn a_role_gives_its_port_to_whom_this_start_was_told_to_give_it() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let mut before = State::load(folder.path())?;
        let (query, command) = (before.port("query")?, before.port("command")?);
        before.save()?;

        let mut state = State::load(folder.path())?;
        state.reserve(query);
        assert_ne!(state.port("query")?, query);
        assert_eq!(state.port("command")?, command);
        Ok(())
    }
}
