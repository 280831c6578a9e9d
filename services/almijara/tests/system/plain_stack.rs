//! Tests that need only a default stack. They share one, because a start takes longer than most of them.

use anyhow::{Context, Result};

use crate::{
    history, pages,
    stack::{Options, Stack},
    upgrade,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_default_stack_passes_the_tests_that_share_it() -> Result<()> {
    let stack = Stack::start_with_sample(Options::default()).await?;
    stack.wait_until_idle().await?;
    history::the_api_has_the_team_all_addresses_and_redirects(&stack)
        .await
        .context("what the API knows")?;
    pages::cached_pages_are_served_without_the_renderer(&stack)
        .await
        .context("without its renderer")?;
    // This also verifies the stack at its end.
    upgrade::a_query_node_is_ready_when_the_read_models_have_its_form(&stack)
        .await
        .context("with read models of another form")?;
    stack.stop().await?;
    Ok(())
}
