//! Checks that drafts are nowhere but in the content service.

use std::{collections::BTreeSet, fs};

use anyhow::{Context, Result, ensure};
use sqlx::{Connection, PgConnection};

use crate::stack::{Stack, spans::Spans, words::Words};

/// Accounts that together can read all tables of the roles.
const ACCOUNTS: [&str; 4] = [
    "SYNC_DATABASE_URL",
    "PROJECTIONS_DATABASE_URL",
    "COMMAND_DATABASE_URL",
    "CONSOLE_DATABASE_URL",
];
/// The roles with metrics.
const ROLES: [&str; 7] = ["sync", "projections", "query", "command", "preview", "site", "console"];
/// Folders that are not searched: the database's, whose tables are searched instead, and the content
/// service's.
const SKIPPED_FOLDERS: [&str; 2] = ["postgres", "directus"];

/// Fails if one of the words `drafted` is in a role's table, a stream, an index, a cache or a picture
/// folder, in a log line, a span or a metric, or on one of the pages `public`, in either language.
pub async fn ensure_words_are_nowhere(
    stack: &Stack,
    spans: &Spans,
    drafted: &[&str],
    public: &[&str],
) -> Result<()> {
    // The index has words in lower case.
    let as_written = drafted.iter().map(|word| (*word).to_owned());
    let words = Words::of(as_written.chain(drafted.iter().map(|word| word.to_lowercase())));
    ensure_not_in_tables(stack, &words).await?;
    ensure_not_in_folders(stack, &words)?;
    for role in ROLES {
        let port = stack.port_of(&format!("{role} health"))?;
        let figures = stack.client.get(format!("http://127.0.0.1:{port}/metrics")).send().await?;
        words.ensure_not_in(
            &format!("a figure of {role}"),
            &figures.error_for_status()?.text().await?,
        )?;
    }
    for page in public {
        for path in [(*page).to_owned(), format!("/es{}", page.trim_end_matches('/'))] {
            let (_, html) = stack.page_with_retry(&path).await?;
            ensure!(!html.is_empty(), "{path} says nothing");
            words.ensure_not_in(&path, &html)?;
        }
    }
    for word in drafted {
        let found = stack.api(&format!("/api/properties?q={word}")).await?;
        ensure!(found["total"] == 0, "the index finds {word}");
    }
    words.ensure_not_in_log(stack)?;
    words.ensure_not_in_spans(spans)
}

/// Fails if the draft's `page` is in the read API's list of addresses, or in a sitemap file for search
/// engines.
pub async fn ensure_not_in_sitemaps(stack: &Stack, page: &str) -> Result<()> {
    let listed = stack.api("/api/sitemap").await?;
    let addresses = listed["items"].as_array().context("addresses")?;
    let paths: Vec<&str> = addresses.iter().filter_map(|it| it["path"].as_str()).collect();
    ensure!(!paths.contains(&page), "the draft's address is listed");
    let (status, index) = stack.page_with_retry("/sitemap.xml").await?;
    ensure!(status == 200, "there is no sitemap: {status}");
    let files = index.split("<loc>").skip(1).filter_map(|rest| rest.split("</loc>").next());
    let mut all = String::new();
    for file in files {
        let path = file.find("/sitemaps/").map(|at| &file[at..]);
        let path = path.with_context(|| format!("{file} is no file of the sitemap"))?;
        let (status, xml) = stack.page_with_retry(path).await?;
        ensure!(status == 200, "{path}: {status}");
        ensure!(!xml.contains(page), "{path} has the draft's address");
        all.push_str(&xml);
    }
    // The check is meaningful only if the files have all public addresses.
    let missing = paths.iter().find(|path| !all.contains(&format!("{path}</loc>")));
    ensure!(missing.is_none(), "{missing:?} is in no file of {index}");
    Ok(())
}

async fn ensure_not_in_tables(stack: &Stack, words: &Words) -> Result<()> {
    let environment = stack.operator_environment()?;
    let (mut all, mut read) = (BTreeSet::new(), BTreeSet::new());
    for account in ACCOUNTS {
        let url = environment.get(account).with_context(|| format!("{account} is there"))?;
        let mut database = PgConnection::connect(url).await?;
        let tables: Vec<(String, bool)> = sqlx::query_as(
            "select format('%I.%I', schemaname, tablename),
                 has_schema_privilege(schemaname, 'usage')
                     and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')
             from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
        )
        .fetch_all(&mut database)
        .await?;
        for (table, is_readable) in tables {
            if is_readable && !read.contains(&table) {
                let counted =
                    format!("select count(*) from {table} as t where t::text like any($1)");
                let found: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(counted))
                    .bind(words.patterns())
                    .fetch_one(&mut database)
                    .await?;
                ensure!(found == 0, "{table} has a draft's word");
                read.insert(table.clone());
            }
            all.insert(table);
        }
    }
    ensure!(all == read, "nobody looked into {:?}", all.difference(&read));
    for schema in ["ledger.", "read.", "visitor.", "operator."] {
        ensure!(read.iter().any(|table| table.starts_with(schema)), "{schema} is not in {read:?}");
    }
    Ok(())
}

fn ensure_not_in_folders(stack: &Stack, words: &Words) -> Result<()> {
    let mut searched = BTreeSet::new();
    for entry in fs::read_dir(stack.data.path())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_of_roles = entry.file_type()?.is_dir() && !SKIPPED_FOLDERS.contains(&&*name);
        if is_of_roles && words.ensure_not_in_files(&entry.path())? > 0 {
            searched.insert(name);
        }
    }
    // Picture folders exist only after a picture was requested.
    for folder in ["nats", "index"] {
        ensure!(searched.contains(folder), "no file of {folder} was in {searched:?}");
    }
    Ok(())
}
