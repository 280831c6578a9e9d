//! Checks that `.sqlx/` matches the migrations. The compiler checks statements only against `.sqlx/`,
//! never against a database, so a migration without `make queries` would otherwise show only at run
//! time.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr as _,
};

use serde::Deserialize;
use serde_json::Value;
use sqlx::{
    AssertSqlSafe, Connection as _, Executor as _, PgConnection, PgPool, SqlSafeStr as _,
    postgres::PgConnectOptions,
};

/// The tables of the first generation of read models.
const GENERATION: &str = "read_0001";

/// A file of `.sqlx/`.
#[derive(Deserialize)]
struct Checked {
    query: String,
    /// The columns, which of them may be null, and the parameters.
    describe: Value,
}

#[tokio::test]
async fn the_checked_queries_match_the_migrations() {
    let mut connection = migrated().await;
    let mut differing = Vec::new();
    for (file, checked) in checked() {
        let statement = AssertSqlSafe(checked.query.clone()).into_sql_str();
        let now = match connection.describe(statement).await {
            Ok(described) => serde_json::to_value(described).expect("a description is JSON"),
            Err(error) => error.to_string().into(),
        };
        if now != checked.describe {
            let (query, stored) = (checked.query, checked.describe);
            differing.push(format!("{file}: {query}\n  stored: {stored}\n  is:     {now}"));
        }
    }
    assert!(differing.is_empty(), "run `make queries`:\n{}", differing.join("\n"));
}

/// Returns a connection to a database with the services' tables, with the search path that they use.
async fn migrated() -> PgConnection {
    let database = testkit::postgres().await.database("checked_queries").await;
    let pool = PgPool::connect(database.plain_url()).await.expect("postgres answers");
    sync::migrate(&pool).await.expect("the ledger can be made");
    command::migrate(&pool).await.expect("the visitors' tables can be made");
    console::migrate(&pool).await.expect("the operators' tables can be made");
    projections::migrate(&pool).await.expect("the read models can be made");
    let options = PgConnectOptions::from_str(database.plain_url()).expect("an address");
    PgConnection::connect_with(&options.options([("search_path", GENERATION)]))
        .await
        .expect("postgres answers")
}

/// Returns the files with their names.
fn checked() -> Vec<(String, Checked)> {
    files(&workspace().join(".sqlx"))
        .filter(|file| file.extension().is_some_and(|extension| extension == "json"))
        .map(|file| {
            let text = fs::read_to_string(&file).expect("a file of .sqlx is readable");
            let checked = serde_json::from_str(&text).expect("a file of .sqlx is as sqlx wrote it");
            (file.file_name().expect("a file has a name").display().to_string(), checked)
        })
        .collect()
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is readable");
    entries.map(|entry| entry.expect("the folder is readable").path())
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
