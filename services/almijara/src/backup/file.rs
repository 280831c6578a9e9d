//! The backup file: a tar archive with a dump of each section, in Postgres's own format, and the time when the
//! backup was started. Older archives lack that time, and the oldest files are a single dump, of what
//! visitors sent.

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

use super::{postgres, section::BackupSection};

/// The first bytes of a Postgres dump.
const DUMP_MAGIC: &[u8; 5] = b"PGDMP";
/// The archive member with the time when the backup was started.
const STARTED_AT: &str = "begun";
/// The largest offset of a time zone ahead of UTC.
const MAX_UTC_OFFSET: TimeDelta = TimeDelta::hours(14);

/// Writes a backup in a folder beside the final file, which is replaced only once the backup is complete.
/// Dropping the writer removes the folder.
pub struct BackupWriter {
    folder: PathBuf,
    sections: Vec<BackupSection>,
}

impl BackupWriter {
    /// Starts a backup to `file`.
    pub fn create(file: &Path) -> Result<Self> {
        let folder = file.with_extension("unfinished");
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("removing {}", folder.display()));
            }
            _ => {}
        }
        // Only the owner may read it, from the first byte.
        let created = fs::DirBuilder::new().mode(0o700).create(&folder);
        created.with_context(|| format!("writing {}", folder.display()))?;
        let writer = Self { folder, sections: Vec::new() };
        fs::write(writer.folder.join(STARTED_AT), Utc::now().to_rfc3339())?;
        Ok(writer)
    }

    /// Adds a dump of `section` from the database at `database_url`.
    pub async fn add(&mut self, section: BackupSection, database_url: &SecretString) -> Result<()> {
        let mut dump = postgres::program("pg_dump", database_url)?;
        dump.args(["--format=custom", "--no-owner", "--no-privileges"]);
        dump.arg(format!("--schema={}", section.schema()));
        dump.args(
            section.excluded_tables().iter().map(|table| format!("--exclude-table-data={table}")),
        );
        run_to_success("pg_dump", dump.arg("--file").arg(self.folder.join(member(section))))
            .await?;
        self.sections.push(section);
        Ok(())
    }

    /// Completes the backup and moves it to `file`. Returns its size in bytes.
    pub async fn finish(self, file: &Path) -> Result<u64> {
        let archive = self.folder.join("whole");
        let mut options = File::options();
        let written = options.create_new(true).write(true).mode(0o600).open(&archive)?;
        let mut tar = Command::new("tar");
        // Relative to the folder, because tar takes what precedes a colon in a path for a host.
        tar.current_dir(&self.folder).args(["--create", "--file=whole", STARTED_AT]);
        run_to_success("tar", tar.args(self.sections.iter().copied().map(member))).await?;
        written.sync_all()?;
        fs::rename(&archive, file).with_context(|| format!("writing {}", file.display()))?;
        // Syncs the folder entry too, if the file system can. The file itself is complete without it.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let _synced = File::open(folder.unwrap_or(Path::new("."))).and_then(|it| it.sync_all());
        Ok(written.metadata()?.len())
    }
}

impl Drop for BackupWriter {
    fn drop(&mut self) {
        // A partial backup is useless. If it can't be removed now, the next backup removes it first.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// An existing backup file.
pub struct BackupFile<'a> {
    path: &'a Path,
    /// The sections that it contains.
    pub sections: Vec<BackupSection>,
    is_archive: bool,
    has_start_time: bool,
}

impl<'a> BackupFile<'a> {
    /// Opens the file at `path` and lists its sections.
    pub async fn open(path: &'a Path) -> Result<Self> {
        let mut head = Vec::new();
        let file = File::open(path).with_context(|| format!("reading {}", path.display()))?;
        file.take(DUMP_MAGIC.len() as u64).read_to_end(&mut head)?;
        if head == DUMP_MAGIC {
            let sections = vec![BackupSection::Visitors];
            return Ok(Self { path, sections, is_archive: false, has_start_time: false });
        }
        let listed = Command::new("tar")
            .args(["--list", "--file=-"])
            .stdin(File::open(path)?)
            .kill_on_drop(true)
            .output();
        let listed = listed.await.context("starting tar")?;
        ensure!(listed.status.success(), "{} is not a backup of almijara", path.display());
        let (mut sections, mut has_start_time) = (Vec::new(), false);
        for name in String::from_utf8_lossy(&listed.stdout).lines() {
            if name == STARTED_AT {
                has_start_time = true;
                continue;
            }
            let section =
                BackupSection::ALL.iter().copied().find(|section| member(*section) == name);
            let unknown =
                || format!("{} contains {name}, which this version does not know", path.display());
            sections.push(section.with_context(unknown)?);
        }
        ensure!(
            !sections.is_empty(),
            "{} is not a backup of almijara: it is empty",
            path.display()
        );
        Ok(Self { path, sections, is_archive: true, has_start_time })
    }

    /// Returns when the backup was started, which is no later than the state of `section` in it.
    pub async fn started_at(
        &self,
        section: BackupSection,
        database_url: &SecretString,
    ) -> Result<DateTime<Utc>> {
        if !self.has_start_time {
            // The dump has the local time of the machine that made it. This assumes the earliest instant
            // that it can mean: at worst, what was ended shortly before is ended once more, and nothing
            // comes back.
            return Ok(self.dumped_at(section, database_url).await? - MAX_UTC_OFFSET);
        }
        let text = extract(STARTED_AT).stdin(File::open(self.path)?).output().await;
        let text = text.context("starting tar")?.stdout;
        let started = DateTime::parse_from_rfc3339(&String::from_utf8_lossy(&text));
        let invalid = || format!("{} does not state when it was started", self.path.display());
        Ok(started.with_context(invalid)?.to_utc())
    }

    /// Returns when the dump of `section` was started, by the local clock of the machine that made it.
    async fn dumped_at(
        &self,
        section: BackupSection,
        database_url: &SecretString,
    ) -> Result<DateTime<Utc>> {
        let (_reading, dump) = self.open_dump(section)?;
        let mut list = postgres::program("pg_restore", database_url)?;
        let output = list.env("TZ", "UTC").arg("--list").stdin(dump).output().await;
        let output = output.context("starting pg_restore")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("{} is not a backup of almijara: {}", self.path.display(), errors.trim());
        }
        let head = String::from_utf8_lossy(&output.stdout).into_owned();
        head.lines()
            .find_map(|line| line.strip_prefix("; Archive created at "))
            .and_then(|time| NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S UTC").ok())
            .map(|time| time.and_utc())
            .with_context(|| format!("{} does not state when it was made", self.path.display()))
    }

    /// Replaces the existing rows of `section` by those of the file, in one transaction.
    pub async fn restore(&self, section: BackupSection, database_url: &SecretString) -> Result<()> {
        let (reading, dump) = self.open_dump(section)?;
        let mut read = postgres::program("pg_restore", database_url)?;
        read.args(["--no-owner", "--no-privileges", "--file=-"]);
        read.stdin(dump).stdout(Stdio::piped());
        let mut read = read.spawn().context("starting pg_restore")?;
        let mut statements = read.stdout.take().context("pg_restore has no output")?;
        let mut psql = postgres::program("psql", database_url)?;
        psql.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]);
        psql.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut psql = psql.spawn().context("starting psql")?;
        let mut input = psql.stdin.take().context("psql has no input")?;
        let copy = async {
            use tokio::io::AsyncWriteExt as _;
            let begin =
                format!("begin; set client_min_messages = warning;\n{}\n", section.sql_before());
            input.write_all(begin.as_bytes()).await?;
            tokio::io::copy(&mut statements, &mut input).await?;
            // If the dump was not read to its end, psql does not get the commit.
            ensure!(read.wait().await?.success(), "pg_restore can't read it");
            if let Some(mut reading) = reading {
                ensure!(reading.wait().await?.success(), "tar can't read it");
            }
            input.write_all(format!("{}\ncommit;\n", section.sql_after()).as_bytes()).await?;
            Ok(())
        };
        let copied = copy.await;
        drop(input);
        let status = psql.wait().await.context("waiting for psql")?;
        ensure!(status.success(), "nothing of {} was restored: psql: {status}", section.name());
        copied.with_context(|| format!("nothing of {} was restored", section.name()))
    }

    /// Opens the dump of `section` for one reading. Also returns the `tar` that extracts it, for an archive.
    fn open_dump(&self, section: BackupSection) -> Result<(Option<Child>, Stdio)> {
        let file = File::open(self.path)?;
        if !self.is_archive {
            return Ok((None, file.into()));
        }
        let mut tar = extract(member(section));
        let mut tar = tar.stdin(file).stdout(Stdio::piped()).spawn().context("starting tar")?;
        let dump = tar.stdout.take().context("tar has no output")?;
        Ok((Some(tar), dump.try_into()?))
    }
}

/// Returns the name of the dump of `section` in the archive.
const fn member(section: BackupSection) -> &'static str {
    match section {
        BackupSection::Visitors => "visitor.dump",
        BackupSection::Operators => "operator.dump",
        BackupSection::Ledger => "ledger.dump",
    }
}

/// Returns a command that extracts `member` of the archive on its standard input.
fn extract(member: &str) -> Command {
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--to-stdout", "--file=-", member]).kill_on_drop(true);
    tar
}

/// Runs `command` to its end. Fails, with its error output, if it does.
async fn run_to_success(name: &str, command: &mut Command) -> Result<()> {
    let output = command.kill_on_drop(true).output().await;
    let output = output.with_context(|| format!("starting {name}"))?;
    if !output.status.success() {
        bail!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
