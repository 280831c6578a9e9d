//! The pages that a visitor gets without JavaScript, and starts and stops of the stack.

use anyhow::{Context, Result, ensure};

use crate::stack::{Options, Stack};

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_complete_in_html_in_both_languages() -> Result<()> {
    // Requests within the machine must ignore a configured proxy.
    let options = Options::default().with("HTTP_PROXY", "http://127.0.0.1:9").with("NO_PROXY", "");
    let stack = Stack::start(options).await?;
    // Waits for all homes, because the first page is served before the last one is read.
    stack.verify().await?;

    for (path, language, words) in [
        ("/property-for-sale", "en", "Search our properties for sale"),
        ("/es/property-for-sale", "es", "Busque entre nuestros inmuebles en venta"),
    ] {
        let (status, html) = stack.page_with_retry(path).await?;
        ensure!(status == 200, "{path}: {status}");
        ensure!(html.contains(&format!("<html lang=\"{language}")), "{path} is not in {language}");
        ensure!(html.contains(words), "{path} does not say {words}");
        let links = html.matches("/AH-").count();
        ensure!(links >= 24, "{path} shows {links} links to properties");
        for relation in ["canonical", "alternate"] {
            ensure!(html.contains(&format!("rel=\"{relation}\"")), "{path} has no {relation} link");
        }
        for alternate in ["en-GB", "es-ES", "x-default"] {
            ensure!(html.contains(alternate), "{path} names no {alternate} alternate");
        }
    }

    let (status, _) = stack.page_with_retry("/property-for-sale/nerja/AH-0000").await?;
    ensure!(status == 404, "an unknown reference answers {status}");
    let (status, html) = stack.page_with_retry("/no-such-page").await?;
    ensure!(status == 404 && html.contains("Page not found"), "an unknown page answers {status}");
    the_renderer_serves_the_files_of_its_build(&stack).await?;
    a_second_start_uses_the_existing_data(stack).await
}

/// A site of another build requests them from it.
async fn the_renderer_serves_the_files_of_its_build(stack: &Stack) -> Result<()> {
    let (_, html) = stack.page_with_retry("/").await?;
    let mut words = html.split('"');
    let file = words.find(|word| word.starts_with("/assets/")).context("the page needs a file")?;
    let renderer = format!("http://127.0.0.1:{}", stack.port_of("renderer")?);
    let answer = stack.client.get(format!("{renderer}{file}")).send().await?;
    ensure!(answer.status() == 200, "{file}: {}", answer.status());
    ensure!(answer.text().await? == stack.page(file).await?.1, "{file} is another there");
    let unknown = stack.client.get(format!("{renderer}/assets/none.js")).send().await?;
    ensure!(unknown.status() == 404, "an unknown file answers {}", unknown.status());
    Ok(())
}

/// A second start continues with the data of the first.
async fn a_second_start_uses_the_existing_data(stack: Stack) -> Result<()> {
    stack.wait_until_idle().await?;
    let before = stack.api("/api/properties").await?["sequence"].clone();
    let data = stack.stop().await?;
    let started = std::time::Instant::now();
    let again = Stack::start_in(data, Options::default()).await?;
    println!("the second start took {:?}", started.elapsed());
    let after = again.api("/api/properties").await?["sequence"].clone();
    ensure!(before == after, "the log went from {before} to {after} although nothing changed");
    again.stop().await?;
    Ok(())
}

/// Needs an idle stack, because each new home purges the list from the cache.
pub async fn cached_pages_are_served_without_the_renderer(stack: &Stack) -> Result<()> {
    let cached = "/property-for-sale";
    ensure!(stack.page_with_retry(cached).await?.0 == 200);
    // Stopped rather than killed, so that `up` does not start it again.
    stack.signal_with_children("server.js", rustix::process::Signal::STOP)?;
    ensure!(stack.page(cached).await?.0 == 200, "a cached page is not served");
    let response = stack.client.get(stack.url("/property-for-sale?minBedrooms=5")).send().await?;
    ensure!(response.status() == 503, "a page that is not cached answers {}", response.status());
    ensure!(response.headers().contains_key("retry-after"), "no Retry-After");
    stack.signal_with_children("server.js", rustix::process::Signal::CONT)?;
    stack
        .wait_for_page("/property-for-sale?minBedrooms=5", "the list again", |status, _| {
            status == 200
        })
        .await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stack_stops_gracefully_at_any_step() -> Result<()> {
    let mut data = tempfile::TempDir::with_prefix("almijara-stack-")?;
    for step in [
        "starting Postgres and NATS",
        "starting the content pack",
        "waiting for the first page",
        " served /",
        "Ctrl-C stops it",
    ] {
        println!("stopping at {step:?}");
        let stack = Stack::start_until(step, data, Options::default()).await?;
        let printed = stack.printed();
        data = stack.stop().await?;
        let lines = printed.lock().expect("nobody panics with it").join("\n");
        ensure!(!lines.contains("and was killed"), "{lines}");
    }
    Ok(())
}
