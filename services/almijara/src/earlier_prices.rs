//! `almijara import prices`: records what homes were offered at before this ledger knew of them.
//!
//! A price is called reduced only if the ledger has a higher one before it. So an agency that moves to
//! Almijara imports its earlier prices once, with their dates.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use contracts::Reference;
use secrecy::SecretString;
use sync::{EarlierPrice, Ledger};

use crate::{databases::LedgerUrl, import};

/// The name of the file with earlier prices in a content folder.
const FILE_NAME: &str = "earlier_prices.json";
/// The highest valid price, in euros.
const MAX_EUROS: i64 = 1_000_000_000;

/// What `almijara import prices` takes.
#[derive(Clone, Debug, Args)]
pub struct PricesArgs {
    /// A JSON list of references, each with a price in euros and its first day: [{"ref": "AH-7",
    /// "from": "2026-02-12", "price": 420000}].
    file: PathBuf,
    #[command(flatten)]
    ledger: LedgerUrl,
}

/// Records the prices in a file.
pub async fn prices(args: PricesArgs) -> Result<()> {
    let (listed, new) = record(&args.ledger.ledger_url, &args.file).await?;
    println!("{listed} earlier prices, {new} of them new");
    Ok(())
}

/// Records the earlier prices in the content folder `folder`, if it has any.
pub async fn record_from_folder(folder: &Path, database_url: &SecretString) -> Result<()> {
    let file = folder.join(FILE_NAME);
    if file.exists() {
        record(database_url, &file).await?;
    }
    Ok(())
}

/// Records the prices in `file` in the ledger at `database_url`. Returns how many there are, and how many
/// of them are new.
async fn record(database_url: &SecretString, file: &Path) -> Result<(usize, u64)> {
    let prices = parse(&import::read_file(file)?).with_context(|| file.display().to_string())?;
    let pool = runtime::postgres::connect(database_url, "earlier-prices", 1)?;
    sync::migrate(&pool).await?;
    let new = Ledger::new(pool).record_earlier_prices(&prices).await?;
    Ok((prices.len(), new))
}

/// Parses and checks a JSON list of prices.
fn parse(json: &[u8]) -> Result<Vec<EarlierPrice>> {
    let prices: Vec<EarlierPrice> = serde_json::from_slice(json)?;
    for EarlierPrice { reference, price, .. } in &prices {
        ensure!(
            Reference::is_valid(reference),
            "`{reference}` is not a valid reference: {}",
            Reference::DESCRIPTION
        );
        ensure!(
            (1..=MAX_EUROS).contains(price),
            "{reference}: {price} is not a price from 1 to {MAX_EUROS} euros"
        );
    }
    Ok(prices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_price_is_named_in_the_error() {
        let valid = r#"[{ "ref": "AH-7", "from": "2026-02-12", "price": 420000 }]"#;
        assert_eq!(parse(valid.as_bytes()).expect("a list").len(), 1);
        for (invalid, named) in [
            (valid.replace("AH-7", "AH 7"), "AH 7"),
            (valid.replace("420000", "0"), "AH-7: 0"),
            (valid.replace("price", "prize"), "prize"),
            (valid.replace("2026-02-12", "spring"), "line 1"),
            ("{}".to_owned(), "expected a sequence"),
        ] {
            let error = format!("{:#}", parse(invalid.as_bytes()).expect_err(&invalid));
            assert!(error.contains(named), "{error}");
        }
    }
}
