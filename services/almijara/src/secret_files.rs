//! Secrets from files. A secret that can be set by the environment variable `NAME` can instead be stored
//! in the file that `NAME_FILE` names. Every child inherits the environment, and `systemctl show` and
//! `podman inspect` show it; a file has an owner and a mode.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::Read as _,
    path::PathBuf,
};

use clap::Command;

/// The length of the longest secret, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// Why a secret can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// Both the variable and its file are set.
    #[error("{name} and {name}_FILE are both set; unset one of them")]
    BothSet {
        /// The variable.
        name: String,
    },
    /// It is set, but empty.
    #[error("{origin} is empty; give it a value, or unset it")]
    Empty {
        /// The variable, or the file.
        origin: String,
    },
    /// Its file can't be read.
    #[error("{name}_FILE: {} can't be read", file.display())]
    Unreadable {
        /// The variable.
        name: String,
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// It is longer than the limit.
    #[error("{name}_FILE: {} holds more than {MAX_BYTES} bytes", file.display())]
    TooLong {
        /// The variable.
        name: String,
        /// The file.
        file: PathBuf,
    },
}

/// Returns the `arguments` of `program`, with the secrets of the chosen command that are stored in files
/// added as flags. Only this process sees them: the arguments that the kernel shows don't change.
pub fn with_secrets_from_files(
    program: &Command,
    mut arguments: Vec<OsString>,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, SecretError> {
    let mut levels = Vec::new();
    let mut command = program;
    for index in 1.. {
        let chosen = arguments.get(index).and_then(|name| command.find_subcommand(name));
        let Some(chosen) = chosen else { break };
        levels.push((index + 1, chosen));
        command = chosen;
    }
    // Flags go after the name of their command and before the name of its subcommand. The last command
    // comes first, so that the earlier indices stay valid.
    for (index, command) in levels.into_iter().rev() {
        let flags = secret_flags(command, &environment)?;
        arguments.splice(index..index, flags);
    }
    Ok(arguments)
}

/// Returns the secrets of `command` that are stored in files, as flags.
fn secret_flags(
    command: &Command,
    environment: &impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, SecretError> {
    let mut flags = Vec::new();
    for secret in command.get_arguments().filter(|argument| argument.is_hide_env_values_set()) {
        let (Some(name), Some(flag)) =
            (secret.get_env().and_then(OsStr::to_str), secret.get_long())
        else {
            continue;
        };
        let value = environment(name);
        if value.as_ref().is_some_and(|value| value.is_empty()) {
            return Err(SecretError::Empty { origin: name.to_owned() });
        }
        let Some(file) = environment(&format!("{name}_FILE")) else { continue };
        if value.is_some() {
            return Err(SecretError::BothSet { name: name.to_owned() });
        }
        let mut argument = OsString::from(format!("--{flag}="));
        argument.push(read_secret(name, file.into())?);
        flags.push(argument);
    }
    Ok(flags)
}

/// Reads the secret in `file`, without the line break at its end.
fn read_secret(name: &str, file: PathBuf) -> Result<String, SecretError> {
    let mut text = String::new();
    let read =
        File::open(&file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_string(&mut text));
    if let Err(source) = read {
        return Err(SecretError::Unreadable { name: name.to_owned(), file, source });
    }
    if text.len() as u64 > MAX_BYTES {
        return Err(SecretError::TooLong { name: name.to_owned(), file });
    }
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(SecretError::Empty { origin: format!("{name}_FILE: {}", file.display()) });
    }
    Ok(secret.to_owned())
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, fs, path::Path};

    use clap::{CommandFactory as _, FromArgMatches as _};

    use super::*;
    use crate::cli::{Cli, Command as Chosen};

    fn arguments(
        given: &[&str],
        environment: &[(&str, &Path)],
    ) -> Result<Vec<OsString>, SecretError> {
        let environment: HashMap<_, _> = environment.iter().copied().collect();
        let arguments = given.iter().map(OsString::from).collect();
        with_secrets_from_files(&Cli::command(), arguments, |name| {
            environment.get(name).map(|value| value.as_os_str().to_owned())
        })
    }

    fn refusal(given: &[&str], environment: &[(&str, &Path)]) -> String {
        runtime::error_text(&arguments(given, environment).expect_err("it is wrong"))
    }

    #[test]
    fn a_secret_is_read_from_a_file() {
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
    fn a_command_reads_only_the_files_of_its_own_secrets() {
        let nowhere = Path::new("/nowhere/secret");
        let environment = [("DATABASE_URL_FILE", nowhere), ("PUBLIC_URL_FILE", nowhere)];
        for given in [&["almijara", "doctor"][..], &["almijara"], &["almijara", "--help"]] {
            assert_eq!(arguments(given, &environment).expect("nothing is read").len(), given.len());
        }
        let error = refusal(&["almijara", "sync"], &environment);
        assert!(error.starts_with("DATABASE_URL_FILE: /nowhere/secret can't be read: "), "{error}");
    }

    #[test]
    fn an_invalid_secret_is_named_in_the_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        let sync = ["almijara", "sync"];
        let value = Path::new("value");

        fs::write(&file, "\n").expect("a file");
        let error = refusal(&sync, &[("CONTENT_TOKEN_FILE", &file)]);
        assert!(error.starts_with("CONTENT_TOKEN_FILE: ") && error.contains("is empty"), "{error}");
        let error = refusal(&sync, &[("CONTENT_TOKEN_FILE", folder.path())]);
        assert!(error.contains("can't be read"), "{error}");
        let error = refusal(&sync, &[("CONTENT_TOKEN_FILE", &file), ("CONTENT_TOKEN", value)]);
        assert!(error.contains("CONTENT_TOKEN and CONTENT_TOKEN_FILE are both set"), "{error}");
        let error = refusal(&sync, &[("ADMIN_TOKEN", Path::new(""))]);
        assert!(error.starts_with("ADMIN_TOKEN is empty"), "{error}");
        fs::write(&file, vec![b'x'; 70_000]).expect("a file");
        let error = refusal(&sync, &[("CONTENT_TOKEN_FILE", &file)]);
        assert!(error.contains("holds more than 65536 bytes"), "{error}");
    }
}
