//! `almijara operator`: who may use the console.

use std::io::{BufRead as _, IsTerminal as _, Read as _, stdin};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use console::operators::NewCredentials;
use sqlx::PgPool;

use crate::databases::OperatorsUrl;

/// The longest line that is read as a password, in bytes.
const MAX_LINE_LENGTH: u64 = 4_096;

/// What to do about operators.
#[derive(Clone, Debug, Args)]
pub struct OperatorArgs {
    #[command(flatten)]
    operators: OperatorsUrl,
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
    let pool = runtime::postgres::connect(&args.operators.operators_url, "operator", 1)?;
    console::migrate(&pool).await?;
    match args.action {
        OperatorAction::Add { name, may_act } => {
            let credentials =
                console::operators::add(&pool, &name, new_password(&name)?, may_act).await?;
            print_enrolment(&name, &credentials);
        }
        OperatorAction::Reset { name } => {
            let credentials = console::operators::reset(&pool, &name, new_password(&name)?).await?;
            print_enrolment(&name, &credentials);
        }
        OperatorAction::List => list(&pool).await?,
        OperatorAction::Disable { name } => {
            console::operators::set_enabled(&pool, &name, false).await?;
            println!("{name} is disabled");
        }
        OperatorAction::Enable { name } => {
            console::operators::set_enabled(&pool, &name, true).await?;
            println!("{name} may sign in again");
        }
        OperatorAction::Remove { name } => {
            console::operators::remove(&pool, &name).await?;
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
    let operators = console::operators::list(pool).await?;
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
    let ask = |prompt: String| rpassword::prompt_password(prompt).context("reading a password");
    let password = if stdin().is_terminal() {
        let typed = ask(format!("A password for {name}: "))?;
        if typed != ask("Repeat the password: ".to_owned())? {
            bail!("the passwords differ; nothing was changed");
        }
        typed
    } else {
        let mut line = String::new();
        let read = stdin().lock().take(MAX_LINE_LENGTH).read_line(&mut line);
        read.context("reading a password")?;
        line.trim_end_matches(['\r', '\n']).to_owned()
    };
    if password.is_empty() {
        bail!("standard input contains no password");
    }
    Ok(password)
}
