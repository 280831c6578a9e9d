//! That what is drafted is nowhere but in the content service.

use std::{collections::BTreeSet, fs};

use anyhow::{Context, Result, ensure};
use sqlx::{Connection, PgConnection};

use crate::stack::{Stack, spans::Spans, words::Words};

/// Who together may read all that roles keep.
const ACCOUNTS: [&str; 4] = [
    "SYNC_DATABASE_URL",
    "PROJECTIONS_DATABASE_URL",
    "COMMAND_DATABASE_URL",
    "CONSOLE_DATABASE_URL",
];
/// Each has figures of its own.
const ROLES: [&str; 7] = ["sync", "projections", "query", "command", "preview", "site", "console"];
/// What is the database's own, whose tables are read, and the content service's.
const OTHERS_FOLDERS: [&str; 2] = ["postgres", "directus"];

/// Fails where one of the words `drafted` is in a table of ours, in a stream, an index, a cache or a
/// picture folder, in a line of the log, a span or a figure, or on one of the pages `public`, in either
/// language.
pub async fn look(stack: &Stack, spans: &Spans, drafted: &[&str], public: &[&str]) -> Result<()> {
    // In the index words are in small letters.
    let letters = drafted.iter().map(|word| (*word).to_owned());
    let words = Words::of(letters.chain(drafted.iter().map(|word| word.to_lowercase())));
    in_no_table(stack, &words).await?;
    in_no_folder(stack, &words)?;
    for role in ROLES {
        let port = stack.port_of(&format!("{role} health"))?;
        let figures = stack.client.get(format!("http://127.0.0.1:{port}/metrics")).send().await?;
        words.not_in(&format!("a figure of {role}"), &figures.error_for_status()?.text().await?)?;
    }
    for page in public {
        for path in [(*page).to_owned(), format!("/es{}", page.trim_end_matches('/'))] {
            let (_, html) = stack.page_had(&path).await?;
            ensure!(!html.is_empty(), "{path} says nothing");
            words.not_in(&path, &html)?;
        }
    }
    for word in drafted {
        let found = stack.api(&format!("/api/properties?q={word}")).await?;
        ensure!(found["total"] == 0, "the index finds {word}");
    }
    words.in_no_line(stack)?;
    words.in_no_span(spans)
}

/// Fails where the read API's list of addresses has the draft's `page`, or one of the files that search
/// engines are given.
pub async fn on_no_sitemap(stack: &Stack, page: &str) -> Result<()> {
    let listed = stack.api("/api/sitemap").await?;
    let addresses = listed["items"].as_array().context("addresses")?;
    let paths: Vec<&str> = addresses.iter().filter_map(|it| it["path"].as_str()).collect();
    ensure!(!paths.contains(&page), "the draft's address is listed");
    let (status, index) = stack.page_had("/sitemap.xml").await?;
    ensure!(status == 200, "there is no sitemap: {status}");
    let files = index.split("<loc>").skip(1).filter_map(|rest| rest.split("</loc>").next());
    let mut all = String::new();
    for file in files {
        let path = file.find("/sitemaps/").map(|at| &file[at..]);
        let path = path.with_context(|| format!("{file} is no file of the sitemap"))?;
        let (status, xml) = stack.page_had(path).await?;
        ensure!(status == 200, "{path}: {status}");
        ensure!(!xml.contains(page), "{path} has the draft's address");
        all.push_str(&xml);
    }
    // They are the right files: they have the homes that are public.
    let missing = paths.iter().find(|path| !all.contains(&format!("{path}</loc>")));
    ensure!(missing.is_none(), "{missing:?} is in no file of {index}");
    Ok(())
}

async fn in_no_table(stack: &Stack, words: &Words) -> Result<()> {
    let environment = stack.operators_environment()?;
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

fn in_no_folder(stack: &Stack, words: &Words) -> Result<()> {
    let mut looked_through = BTreeSet::new();
    for entry in fs::read_dir(stack.data.path())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = entry.file_type()?.is_dir() && !OTHERS_FOLDERS.contains(&&*name);
        if is_ours && words.in_no_file(&entry.path())? > 0 {
            looked_through.insert(name);
        }
    }
    // Pictures are there once somebody has seen one.
    for folder in ["nats", "index"] {
        ensure!(looked_through.contains(folder), "no file of {folder} was in {looked_through:?}");
    }
    Ok(())
}
