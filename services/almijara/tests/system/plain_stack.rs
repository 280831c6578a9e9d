//! What a stack with nothing particular is enough for: one after another, as to start one takes longer
//! than most of them.

use anyhow::{Context, Result};

use crate::{
    history, pages,
    stack::{Options, Stack},
    upgrade,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_stack_answers_outlives_its_renderer_and_fills_another_form() -> Result<()> {
    let stack = Stack::start_with_sample(Options::default()).await?;
    stack.wait_at_rest().await?;
    history::the_api_knows_the_team_every_address_and_what_has_moved(&stack)
        .await
        .context("what the API knows")?;
    pages::the_site_outlives_its_renderer(&stack).await.context("without its renderer")?;
    // It verifies the stack in the end.
    upgrade::a_query_node_is_ready_when_the_read_models_have_its_form(&stack)
        .await
        .context("with read models of another form")?;
    stack.stop().await?;
    Ok(())
}
