//! `almijara import prices`: what homes were offered at before this ledger knew of them.
//!
//! A price is called reduced only where the ledger holds a higher one. Who moves in brings the prices
//! that were asked before, with their dates, once.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use contracts::Reference;
use secrecy::SecretString;
use sync::EarlierPrice;

use crate::import;

/// The file beside a folder's content.
const OF_THE_CONTENT: &str = "earlier_prices.json";
/// The most euros of a price.
const MAX_EUROS: i64 = 1_000_000_000;

/// What `almijara import prices` takes.
#[derive(Clone, Debug, Args)]
pub struct PricesArgs {
    /// A list in JSON of reference, first day and euros: [{"ref": "AH-7", "from": "2026-02-12", "price": 420000}].
    file: PathBuf,
    /// Postgres, as the owner of the ledger.
    #[arg(
        long,
        env = "SYNC_DATABASE_URL",
        value_name = "SYNC_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: SecretString,
}

/// Records the prices of a file.
pub async fn prices(args: PricesArgs) -> Result<()> {
    let (listed, new) = record(&args.database_url, &args.file).await?;
    println!("{listed} earlier prices, {new} of them not known before");
    Ok(())
}

/// Records what the content in `folder` says of earlier prices, if it says anything.
pub async fn record_of(folder: &Path, database_url: &SecretString) -> Result<()> {
    let file = folder.join(OF_THE_CONTENT);
    if file.exists() {
        record(database_url, &file).await?;
    }
    Ok(())
}

/// Records the prices of `file` in the ledger at `database_url`; gives how many there are, and how many
/// were not known before.
async fn record(database_url: &SecretString, file: &Path) -> Result<(usize, u64)> {
    let prices = read(&import::file(file)?).with_context(|| file.display().to_string())?;
    let pool = runtime::postgres::connect(database_url, "earlier-prices", 1)?;
    sync::migrate(&pool).await?;
    let new = sync::record_earlier_prices(&pool, &prices).await?;
    Ok((prices.len(), new))
}

/// The prices of a list in JSON, each checked.
fn read(json: &[u8]) -> Result<Vec<EarlierPrice>> {
    let prices: Vec<EarlierPrice> = serde_json::from_slice(json)?;
    for EarlierPrice { reference, price, .. } in &prices {
        ensure!(Reference::is(reference), "`{reference}` is no reference: {}", Reference::WORDS);
        ensure!(
            (1..=MAX_EUROS).contains(price),
            "{reference}: {price} is no price from 1 to {MAX_EUROS}"
        );
    }
    Ok(prices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_that_can_t_have_been_asked_is_refused_by_name() {
        let right = r#"[{ "ref": "AH-7", "from": "2026-02-12", "price": 420000 }]"#;
        assert_eq!(read(right.as_bytes()).expect("a list").len(), 1);
        for (wrong, named) in [
            (right.replace("AH-7", "AH 7"), "AH 7"),
            (right.replace("420000", "0"), "AH-7: 0"),
            (right.replace("price", "prize"), "prize"),
            (right.replace("2026-02-12", "spring"), "line 1"),
            ("{}".to_owned(), "expected a sequence"),
        ] {
            let said = format!("{:#}", read(wrong.as_bytes()).expect_err(&wrong));
            assert!(said.contains(named), "{said}");
        }
    }
}
