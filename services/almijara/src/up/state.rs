//! What `almijara up` stores in the data folder between starts: passwords, ports and which content service
//! it was filled from.

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

use super::names::{ContentService, PortName, SecretName};

/// The secrets and ports by their names. They are chosen once, so that the next start can open the data.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    secrets: BTreeMap<String, String>,
    ports: BTreeMap<String, u16>,
    /// Which content service the data is from. `None` before the first read, and in a folder of an earlier
    /// build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<ContentService>,
    /// Ports given by this start's arguments, which no role may get.
    #[serde(skip)]
    reserved: BTreeSet<u16>,
    #[serde(skip)]
    file: PathBuf,
}

impl State {
    /// Reads the state in `folder`, or creates an empty one.
    pub fn load(folder: &Path) -> Result<Self> {
        let file = folder.join("stack.json");
        let mut state: Self = match fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text).with_context(|| {
                format!(
                    "{} is damaged; `make reset` deletes the data folder to start over",
                    file.display()
                )
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(error).with_context(|| format!("reading {}", file.display())),
        };
        state.file = file;
        Ok(state)
    }

    /// Fails if the data is from another content service. That one assigns the same keys to other homes,
    /// which would inherit the history of the homes stored here.
    pub fn ensure_content_service(&self, content: ContentService) -> Result<()> {
        match self.content {
            Some(current) if current != content => bail!(
                "the data folder belongs to CONTENT={kept}: `CONTENT={kept} make up` continues with it, \
                 `DATA_DIR=… CONTENT={new} make up` uses another folder for CONTENT={new}",
                kept = current.name(),
                new = content.name()
            ),
            _ => Ok(()),
        }
    }

    /// Records which content service the data is from.
    pub fn set_content_service(&mut self, content: ContentService) {
        self.content = Some(content);
    }

    /// Returns the secret `name`, generated on first use. It is written to disk before it is used: a start
    /// that is interrupted must not lock the next one out.
    pub fn secret(&mut self, name: SecretName) -> Result<String> {
        let name = name.to_string();
        if let Some(secret) = self.secrets.get(&name) {
            return Ok(secret.clone());
        }
        let secret = Uuid::new_v4().simple().to_string();
        self.secrets.insert(name, secret.clone());
        self.save()?;
        Ok(secret)
    }

    /// Sets the secret `name`. It is not written to disk yet.
    pub fn set_secret(&mut self, name: SecretName, secret: &str) {
        self.secrets.insert(name.to_string(), secret.to_owned());
    }

    /// Reserves `port`, which this start's arguments give to another use. Nothing listens on it yet, so it
    /// looks free, and a role may have had it at an earlier start.
    pub fn reserve(&mut self, port: u16) {
        self.reserved.insert(port);
    }

    /// Returns the port `name`: the earlier one if that is still free, or else a new one.
    pub fn port(&mut self, name: PortName) -> Result<u16> {
        let name = name.to_string();
        if let Some(&port) = self.ports.get(&name)
            && !self.reserved.contains(&port)
            && local_servers::reserve_port(port)
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
        self.ports.insert(name, port);
        Ok(port)
    }

    /// Returns the port that [`State::port`] assigned to `name`.
    pub fn port_of(&self, name: PortName) -> Result<u16> {
        let port = self.ports.get(&name.to_string()).copied();
        port.with_context(|| format!("{name} has no port yet"))
    }

    /// Writes the state to its file, readable only by its owner.
    pub fn save(&self) -> Result<()> {
        write_private(&self.file, &serde_json::to_string_pretty(self)?)
    }
}

/// Writes `text` to `file`, readable only by its owner. The file is replaced atomically: if the process
/// is killed meanwhile, it is unchanged.
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

/// The lock of a running `almijara up` on its data folder. The kernel releases it however the process ends,
/// and child processes don't inherit it.
#[derive(Debug)]
pub struct RunLock {
    /// The lock is released as soon as this process closes any descriptor of that file.
    _locked: File,
}

impl RunLock {
    /// Locks `folder` for this process. Fails if another process has the lock.
    pub fn acquire(folder: &Path) -> Result<Self> {
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

/// Returns the id of the process that runs on the data in `folder`, if there is one.
pub fn running_pid(folder: &Path) -> Option<Pid> {
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
    use crate::up::names::Role;

    /// The variable with the folder, for the child process that plays another `almijara`.
    const OTHER_FOLDER: &str = "ALMIJARA_OTHER_FOLDER";

    #[test]
    fn a_folder_is_locked_while_its_process_runs() -> Result<()> {
        if let Some(folder) = env::var_os(OTHER_FOLDER) {
            let folder = Path::new(&folder);
            assert_eq!(running_pid(folder), rustix::process::getppid());
            assert!(RunLock::acquire(folder).is_err(), "two processes have the lock");
            return Ok(());
        }
        let folder = tempfile::tempdir()?;
        // A killed process left its id in the file, and another process has that id by now.
        fs::write(lock_file(folder.path()), std::process::id().to_string())?;
        assert_eq!(running_pid(folder.path()), None);
        let _lock = RunLock::acquire(folder.path())?;
        let name = "up::state::tests::a_folder_is_locked_while_its_process_runs";
        let other = Command::new(env::current_exe()?)
            .args(["--exact", name])
            .env(OTHER_FOLDER, folder.path())
            .output()?;
        let output = String::from_utf8_lossy(&other.stdout);
        assert!(other.status.success() && output.contains("1 passed"), "{output}");
        Ok(())
    }

    #[test]
    fn a_secret_survives_a_start_that_is_interrupted() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let secret = State::load(folder.path())?.secret(SecretName::Postgres)?;
        assert_eq!(State::load(folder.path())?.secret(SecretName::Postgres)?, secret);

        // Killed while writing.
        fs::write(folder.path().join("stack.unfinished"), "{")?;
        assert_eq!(State::load(folder.path())?.secret(SecretName::Postgres)?, secret);
        let mode = fs::metadata(folder.path().join("stack.json"))?.permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        Ok(())
    }

    #[test]
    fn a_folder_filled_from_another_content_service_is_refused() -> Result<()> {
        let folder = tempfile::tempdir()?;
        // A folder of an earlier build.
        fs::write(folder.path().join("stack.json"), r#"{"secrets":{},"ports":{}}"#)?;
        let mut state = State::load(folder.path())?;
        state.ensure_content_service(ContentService::Directus)?;
        state.set_content_service(ContentService::Pack);
        state.save()?;

        let state = State::load(folder.path())?;
        state.ensure_content_service(ContentService::Pack)?;
        let refused = state.ensure_content_service(ContentService::Directus);
        let words = refused.expect_err("other homes have the same keys").to_string();
        for word in ["`CONTENT=pack make up`", "`DATA_DIR=… CONTENT=directus make up`"] {
            assert!(words.contains(word), "{words}");
        }
        Ok(())
    }

    #[test]
    fn a_role_gets_another_port_if_its_own_is_reserved() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let mut before = State::load(folder.path())?;
        let [query_port, command_port] = [Role::Query, Role::Command].map(PortName::Role);
        let (query, command) = (before.port(query_port)?, before.port(command_port)?);
        before.save()?;

        let mut state = State::load(folder.path())?;
        state.reserve(query);
        assert_ne!(state.port(query_port)?, query);
        assert_eq!(state.port(command_port)?, command);
        Ok(())
    }
}
