//! `almijara consents`: lists who agreed to receive news and offers.

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::databases::VisitorsUrl;

/// What to do about what visitors agreed to.
#[derive(Clone, Debug, Args)]
pub struct ConsentsArgs {
    #[command(flatten)]
    visitors: VisitorsUrl,
    #[command(subcommand)]
    action: ConsentAction,
}

#[derive(Clone, Debug, Subcommand)]
enum ConsentAction {
    /// Lists who has agreed to receive news and offers: address, language and day, one per line.
    List,
}

/// Prints who wants news and offers. The count goes to standard error, so that every line of standard
/// output is a visitor.
pub async fn consents(args: ConsentsArgs) -> Result<()> {
    let ConsentsArgs { visitors, action: ConsentAction::List } = args;
    let pool = runtime::postgres::connect(&visitors.visitors_url, "consents", 1)?;
    let readers = command::mailing_list(&pool).await?;
    for reader in &readers {
        println!("{} {} {}", reader.email, reader.locale, reader.given_at.format("%F"));
    }
    eprintln!("{} visitors want news and offers", readers.len());
    Ok(())
}
