//! `almijara operator`: who may use the console.

use std::io::{BufRead as _, IsTerminal as _, Read as _, stdin};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use console::NewCredentials;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use secrecy::SecretString;
use sqlx::PgPool;

/// The longest line that is read as a password, in bytes.
const MAX_LINE_LENGTH: u64 = 4_096;

/// What to do about operators.
#[derive(Clone, Debug, Args)]
pub struct OperatorArgs {
    /// Postgres, as the owner of the schema `operator`.
    #[arg(
        long,
        env = "CONSOLE_DATABASE_URL",
        value_name = "CONSOLE_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: SecretString,
    #[command(subcommand)]
    action: OperatorAction,
}

#[derive(Clone, Debug, Subcommand)]
enum OperatorAction {
    /// Creates an account. Reads its password from the terminal or from standard input, and prints the
    /// secret for an authenticator app once.
    Add {
        /// The name to sign in with, or the name that a trusted proxy sends.
        name: String,
        /// Allow the operator to act; without this, they may only look.
        #[arg(long)]
        may_act: bool,
    },
    /// Lists all accounts.
    List,
    /// Sets a new password and a new authenticator secret, and ends the operator's sessions.
    Reset {
        /// The operator's name.
        name: String,
    },
    /// Disables an account, and ends the operator's sessions.
    Disable {
        /// The operator's name.
        name: String,
    },
    /// Enables a disabled account.
    Enable {
        /// The operator's name.
        name: String,
    },
    /// Deletes an account. Its operator's actions stay in the audit trail.
    Remove {
        /// The operator's name.
        name: String,
    },
}

/// Runs the action.
pub async fn operator(args: OperatorArgs) -> Result<()> {
    let pool = runtime::postgres::connect(&args.database_url, "operator", 1)?;
    console::migrate(&pool).await?;
    match args.action {
        OperatorAction::Add { name, may_act } => {
            let credentials = console::add(&pool, &name, new_password(&name)?, may_act).await?;
            print_enrolment(&name, &credentials);
        }
        OperatorAction::Reset { name } => {
            let credentials = console::reset(&pool, &name, new_password(&name)?).await?;
            print_enrolment(&name, &credentials);
        }
        OperatorAction::List => list(&pool).await?,
        OperatorAction::Disable { name } => {
            console::set_enabled(&pool, &name, false).await?;
            println!("{name} is disabled");
        }
        OperatorAction::Enable { name } => {
            console::set_enabled(&pool, &name, true).await?;
            println!("{name} may sign in again");
        }
        OperatorAction::Remove { name } => {
            console::remove(&pool, &name).await?;
            println!("the account of {name} was deleted");
        }
    }
    Ok(())
}

fn print_enrolment(name: &str, credentials: &NewCredentials) {
    println!(
        "{name} signs in with this password and a code. Enter this into an authenticator app; it is shown only once:\n\
         \n  {}\n  secret: {}\n",
        credentials.url, credentials.secret
    );
}

async fn list(pool: &PgPool) -> Result<()> {
    let operators = console::list(pool).await?;
    for operator in &operators {
        let may = if operator.may_act { "may act" } else { "may look" };
        let out = if operator.disabled { ", disabled" } else { "" };
        let since = operator.created_at.format("%F");
        let last = operator.signed_in_at.map_or_else(
            || "never signed in".to_owned(),
            |at| format!("signed in {}", at.format("%F %H:%M UTC")),
        );
        println!("{} {may}{out}, since {since}, {last}", operator.name);
    }
    println!("{} operators", operators.len());
    Ok(())
}

/// Reads a new password for `name`: typed twice at a terminal, or the first line of standard input.
fn new_password(name: &str) -> Result<String> {
    if !stdin().is_terminal() {
        return read_password();
    }
    let _echo_off = EchoOff::start().context("turning off the terminal's echo")?;
    eprint!("A password for {name}: ");
    let typed = read_password();
    eprintln!();
    eprint!("Repeat the password: ");
    let repeated = read_password();
    eprintln!();
    let (typed, repeated) = (typed?, repeated?);
    if typed != repeated {
        bail!("the passwords differ; nothing was changed");
    }
    Ok(typed)
}

fn read_password() -> Result<String> {
    let mut line = String::new();
    stdin().lock().take(MAX_LINE_LENGTH).read_line(&mut line).context("reading a password")?;
    let line = line.trim_end_matches(['\r', '\n']);
    if line.is_empty() {
        bail!("standard input contains no password");
    }
    Ok(line.to_owned())
}

/// Turns off the terminal's echo until it is dropped. Holds the settings to restore.
struct EchoOff(Termios);

impl EchoOff {
    fn start() -> rustix::io::Result<Self> {
        let before = tcgetattr(stdin())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self(before))
    }
}

impl Drop for EchoOff {
    fn drop(&mut self) {
        // An error means that the terminal is gone.
        let _gone = tcsetattr(stdin(), OptionalActions::Flush, &self.0);
    }
}
