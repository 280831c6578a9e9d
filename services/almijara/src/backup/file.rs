//! The file of a backup: an archive of tar with a dump of each part, in Postgres's own format, and with
//! when it was begun. Those of before did not say when, and the first were one dump, of what visitors sent.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, bail, ensure};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use secrecy::SecretString;
use tokio::process::{Child, Command};

use super::{part::Part, postgres};

/// What a dump of Postgres begins with.
const DUMP: &[u8; 5] = b"PGDMP";
/// The member of the archive that says when it was begun.
const BEGUN: &str = "begun";
/// As far as clocks on walls are ahead of UTC at the most.
const AHEAD_OF_UTC: TimeDelta = TimeDelta::hours(14);

/// A file that is being written, beside the one that it becomes once it is whole. Dropped before that,
/// nothing is left of it.
pub struct Unfinished {
    folder: PathBuf,
    parts: Vec<Part>,
}

impl Unfinished {
    /// Begins to write `file`.
    pub fn of(file: &Path) -> Result<Self> {
        let folder = file.with_extension("unfinished");
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("removing {}", folder.display()));
            }
            _ => {}
        }
        // Its owner's alone from the first byte.
        let made = fs::DirBuilder::new().mode(0o700).create(&folder);
        made.with_context(|| format!("writing {}", folder.display()))?;
        let unfinished = Self { folder, parts: Vec::new() };
        fs::write(unfinished.folder.join(BEGUN), Utc::now().to_rfc3339())?;
        Ok(unfinished)
    }

    /// Adds `part` as `database_url` has it.
    pub async fn add(&mut self, part: Part, database_url: &SecretString) -> Result<()> {
        let mut dump = postgres::program("pg_dump", database_url)?;
        dump.args(["--format=custom", "--no-owner", "--no-privileges"]);
        dump.arg(format!("--schema={}", part.schema()));
        dump.args(part.left_out().iter().map(|table| format!("--exclude-table-data={table}")));
        finished("pg_dump", dump.arg("--file").arg(self.folder.join(member(part)))).await?;
        self.parts.push(part);
        Ok(())
    }

    /// Makes it `file`; gives its size.
    pub async fn finish(self, file: &Path) -> Result<u64> {
        let whole = self.folder.join("whole");
        let mut options = File::options();
        let written = options.create_new(true).write(true).mode(0o600).open(&whole)?;
        let mut tar = Command::new("tar");
        // Named from within: before a colon tar looks for a host.
        tar.current_dir(&self.folder).args(["--create", "--file=whole", BEGUN]);
        finished("tar", tar.args(self.parts.iter().copied().map(member))).await?;
        written.sync_all()?;
        fs::rename(&whole, file).with_context(|| format!("writing {}", file.display()))?;
        // Its name too, where the file system can: the file is whole without that.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let _synced = File::open(folder.unwrap_or(Path::new("."))).and_then(|it| it.sync_all());
        Ok(written.metadata()?.len())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // What is half written is no backup. Where it can't be removed, the next one begins with that.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A file that was written once.
pub struct BackupFile<'a> {
    path: &'a Path,
    /// What it holds.
    pub parts: Vec<Part>,
    is_archive: bool,
    says_when: bool,
}

impl<'a> BackupFile<'a> {
    /// Looks at what `path` holds.
    pub async fn open(path: &'a Path) -> Result<Self> {
        let mut head = Vec::new();
        let file = File::open(path).with_context(|| format!("reading {}", path.display()))?;
        file.take(DUMP.len() as u64).read_to_end(&mut head)?;
        if head == DUMP {
            let parts = vec![Part::Visitors];
            return Ok(Self { path, parts, is_archive: false, says_when: false });
        }
        let listed = Command::new("tar")
            .args(["--list", "--file=-"])
            .stdin(File::open(path)?)
            .kill_on_drop(true)
            .output();
        let listed = listed.await.context("starting tar")?;
        ensure!(listed.status.success(), "{} is no backup of ours", path.display());
        let (mut parts, mut says_when) = (Vec::new(), false);
        for name in String::from_utf8_lossy(&listed.stdout).lines() {
            if name == BEGUN {
                says_when = true;
                continue;
            }
            let part = Part::ALL.into_iter().find(|part| member(*part) == name);
            let unknown = || format!("{} holds {name}, which is unknown here", path.display());
            parts.push(part.with_context(unknown)?);
        }
        ensure!(!parts.is_empty(), "{} is no backup of ours: it is empty", path.display());
        Ok(Self { path, parts, is_archive: true, says_when })
    }

    /// When it was begun: no later than what it holds of `part`.
    pub async fn begun_at(&self, part: Part, database_url: &SecretString) -> Result<DateTime<Utc>> {
        if !self.says_when {
            // The dump says what stood on the wall where it was made. The earliest that this may have
            // been: what was ended shortly before is ended once more, and nothing comes back.
            return Ok(self.dumped_at(part, database_url).await? - AHEAD_OF_UTC);
        }
        let said = extract(BEGUN).stdin(File::open(self.path)?).output().await;
        let said = said.context("starting tar")?.stdout;
        let begun = DateTime::parse_from_rfc3339(&String::from_utf8_lossy(&said));
        let untold = || format!("{} does not say when it was begun", self.path.display());
        Ok(begun.with_context(untold)?.to_utc())
    }

    /// When the dump of `part` was begun, by the clock of whoever made it.
    async fn dumped_at(&self, part: Part, database_url: &SecretString) -> Result<DateTime<Utc>> {
        let (_reading, dump) = self.dump(part)?;
        let mut list = postgres::program("pg_restore", database_url)?;
        let output = list.env("TZ", "UTC").arg("--list").stdin(dump).output().await;
        let output = output.context("starting pg_restore")?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("{} is no backup of ours: {}", self.path.display(), said.trim());
        }
        let head = String::from_utf8_lossy(&output.stdout).into_owned();
        head.lines()
            .find_map(|line| line.strip_prefix("; Archive created at "))
            .and_then(|time| NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S UTC").ok())
            .map(|time| time.and_utc())
            .with_context(|| format!("{} does not say when it was made", self.path.display()))
    }

    /// Puts `part` back over what is there, in one transaction.
    pub async fn restore(&self, part: Part, database_url: &SecretString) -> Result<()> {
        let (reading, dump) = self.dump(part)?;
        let mut read = postgres::program("pg_restore", database_url)?;
        read.args(["--no-owner", "--no-privileges", "--file=-"]);
        read.stdin(dump).stdout(Stdio::piped());
        let mut read = read.spawn().context("starting pg_restore")?;
        let mut statements = read.stdout.take().context("pg_restore says nothing")?;
        let mut psql = postgres::program("psql", database_url)?;
        psql.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]);
        psql.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut psql = psql.spawn().context("starting psql")?;
        let mut input = psql.stdin.take().context("psql has no input")?;
        let told = async {
            use tokio::io::AsyncWriteExt as _;
            let begin = format!("begin; set client_min_messages = warning;\n{}\n", part.before());
            input.write_all(begin.as_bytes()).await?;
            tokio::io::copy(&mut statements, &mut input).await?;
            // All of it was read, or psql ends without what commits.
            ensure!(read.wait().await?.success(), "pg_restore can't read it");
            if let Some(mut reading) = reading {
                ensure!(reading.wait().await?.success(), "tar can't read it");
            }
            input.write_all(format!("{}\ncommit;\n", part.after()).as_bytes()).await?;
            Ok(())
        };
        let told = told.await;
        drop(input);
        let status = psql.wait().await.context("waiting for psql")?;
        ensure!(status.success(), "nothing of {} was restored: psql: {status}", part.name());
        told.with_context(|| format!("nothing of {} was restored", part.name()))
    }

    /// The dump of `part`, to be read once, and who reads it out of the archive.
    fn dump(&self, part: Part) -> Result<(Option<Child>, Stdio)> {
        let file = File::open(self.path)?;
        if !self.is_archive {
            return Ok((None, file.into()));
        }
        let mut tar = extract(member(part));
        let mut tar = tar.stdin(file).stdout(Stdio::piped()).spawn().context("starting tar")?;
        let dump = tar.stdout.take().context("tar says nothing")?;
        Ok((Some(tar), dump.try_into()?))
    }
}

/// What the dump of `part` is called in the archive.
const fn member(part: Part) -> &'static str {
    match part {
        Part::Visitors => "visitor.dump",
        Part::Operators => "operator.dump",
        Part::Ledger => "ledger.dump",
    }
}

/// What reads `member` out of an archive.
fn extract(member: &str) -> Command {
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--to-stdout", "--file=-", member]).kill_on_drop(true);
    tar
}

async fn finished(name: &str, command: &mut Command) -> Result<()> {
    let output = command.kill_on_drop(true).output().await;
    let output = output.with_context(|| format!("starting {name}"))?;
    if !output.status.success() {
        bail!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
