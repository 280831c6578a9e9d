//! Secrets from files. What is secret and may stand in the environment as `NAME` may stand in the
//! file that `NAME_FILE` names instead: an environment is inherited by every child and shown by
//! `systemctl show` and `podman inspect`, a file has an owner and a mode.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::Read as _,
    path::PathBuf,
};

use clap::Command;

/// The longest secret, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// Why a secret can't be used as it is given.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// It is given twice.
    #[error("{name} and {name}_FILE are both set; leave one of them out")]
    Twice {
        /// The variable.
        name: String,
    },
    /// It is given, but nothing stands in it.
    #[error("{given} is empty; give it a value, or leave it out")]
    Empty {
        /// The variable, or the file.
        given: String,
    },
    /// Its file can't be read.
    #[error("{name}_FILE: {} can't be read: {source}", file.display())]
    Unreadable {
        /// The variable.
        name: String,
        /// The file.
        file: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// It is longer than a secret is.
    #[error("{name}_FILE: {} holds more than {MAX_BYTES} bytes", file.display())]
    TooLong {
        /// The variable.
        name: String,
        /// The file.
        file: PathBuf,
    },
}

/// `arguments` of `program` with the secrets of its command that stand in files added as flags. They
/// are seen by this process alone: what the kernel tells of its arguments stays as it was.
pub fn with_secrets_of_files(
    program: &Command,
    mut arguments: Vec<OsString>,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, Wrong> {
    let mut levels = Vec::new();
    let mut command = program;
    for place in 1.. {
        let chosen = arguments.get(place).and_then(|name| command.find_subcommand(name));
        let Some(chosen) = chosen else { break };
        levels.push((place + 1, chosen));
        command = chosen;
    }
    // After the name of their command, and before the name of a command of it; the last first, so that
    // the places before stay where they are.
    for (place, command) in levels.into_iter().rev() {
        let flags = flags_of(command, &environment)?;
        arguments.splice(place..place, flags);
    }
    Ok(arguments)
}

/// The secrets of `command` that stand in files, as its flags.
fn flags_of(
    command: &Command,
    environment: &impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, Wrong> {
    let mut flags = Vec::new();
    for secret in command.get_arguments().filter(|argument| argument.is_hide_env_values_set()) {
        let (Some(name), Some(flag)) =
            (secret.get_env().and_then(OsStr::to_str), secret.get_long())
        else {
            continue;
        };
        let value = environment(name);
        if value.as_ref().is_some_and(|value| value.is_empty()) {
            return Err(Wrong::Empty { given: name.to_owned() });
        }
        let Some(file) = environment(&format!("{name}_FILE")) else { continue };
        if value.is_some() {
            return Err(Wrong::Twice { name: name.to_owned() });
        }
        let mut given = OsString::from(format!("--{flag}="));
        given.push(secret_of(name, file.into())?);
        flags.push(given);
    }
    Ok(flags)
}

/// What stands in `file`, but for the end of its line.
fn secret_of(name: &str, file: PathBuf) -> Result<String, Wrong> {
    let mut text = String::new();
    let read =
        File::open(&file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_string(&mut text));
    if let Err(source) = read {
        return Err(Wrong::Unreadable { name: name.to_owned(), file, source });
    }
    if text.len() as u64 > MAX_BYTES {
        return Err(Wrong::TooLong { name: name.to_owned(), file });
    }
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(Wrong::Empty { given: format!("{name}_FILE: {}", file.display()) });
    }
    Ok(secret.to_owned())
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, fs, path::Path};

    use clap::{CommandFactory as _, FromArgMatches as _};

    use super::*;
    use crate::cli::{Cli, Command as Chosen};

    fn arguments(given: &[&str], environment: &[(&str, &Path)]) -> Result<Vec<OsString>, Wrong> {
        let environment: HashMap<_, _> = environment.iter().copied().collect();
        let given = given.iter().map(OsString::from).collect();
        with_secrets_of_files(&Cli::command(), given, |name| {
            environment.get(name).map(|value| value.as_os_str().to_owned())
        })
    }

    fn refusal(given: &[&str], environment: &[(&str, &Path)]) -> String {
        arguments(given, environment).expect_err("it is wrong").to_string()
    }

    #[test]
    fn a_secret_may_stand_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("database");
        fs::write(&file, "postgres://sync:p%40ss@db/almijara\n").expect("a file");
        let environment = [("PROJECTIONS_DATABASE_URL_FILE", &*file)];
        let given = ["almijara", "dead-letters", "replay", "content.properties.AH-1"];
        let arguments = arguments(&given, &environment).expect("it is read");
        let mut matches = Cli::command().get_matches_from(arguments);
        let cli = Cli::from_arg_matches_mut(&mut matches).expect("it is taken");
        assert!(matches!(cli.command, Chosen::DeadLetters(_)), "{cli:?}");
        assert!(!format!("{cli:?}").contains("p%40ss"), "{cli:?}");
    }

    #[test]
    fn a_command_reads_no_file_but_those_of_its_own_secrets() {
        let nowhere = Path::new("/nowhere/secret");
        let environment = [("DATABASE_URL_FILE", nowhere), ("PUBLIC_URL_FILE", nowhere)];
        for given in [&["almijara", "doctor"][..], &["almijara"], &["almijara", "--help"]] {
            assert_eq!(arguments(given, &environment).expect("nothing is read").len(), given.len());
        }
        let said = refusal(&["almijara", "sync"], &environment);
        assert!(said.starts_with("DATABASE_URL_FILE: /nowhere/secret can't be read: "), "{said}");
    }

    #[test]
    fn what_is_no_secret_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        let sync = ["almijara", "sync"];
        let value = Path::new("value");

        fs::write(&file, "\n").expect("a file");
        let said = refusal(&sync, &[("CONTENT_TOKEN_FILE", &file)]);
        assert!(said.starts_with("CONTENT_TOKEN_FILE: ") && said.contains("is empty"), "{said}");
        let said = refusal(&sync, &[("CONTENT_TOKEN_FILE", folder.path())]);
        assert!(said.contains("can't be read"), "{said}");
        let said = refusal(&sync, &[("CONTENT_TOKEN_FILE", &file), ("CONTENT_TOKEN", value)]);
        assert!(said.contains("CONTENT_TOKEN and CONTENT_TOKEN_FILE are both set"), "{said}");
        let said = refusal(&sync, &[("ADMIN_TOKEN", Path::new(""))]);
        assert!(said.starts_with("ADMIN_TOKEN is empty"), "{said}");
        fs::write(&file, vec![b'x'; 70_000]).expect("a file");
        let said = refusal(&sync, &[("CONTENT_TOKEN_FILE", &file)]);
        assert!(said.contains("holds more than 65536 bytes"), "{said}");
    }
}
