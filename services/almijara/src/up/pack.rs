//! The built-in content pack as the content service.

use anyhow::Result;

use super::{
    Stack, UpArgs,
    children::Supervised,
    content::{Content, content_folder},
    names::{PortName, Role, SecretName},
    role::role,
};

/// Starts the pack on the folder of the sample content.
pub fn start(args: &UpArgs, stack: &mut Stack, webhook: &str) -> Result<Content> {
    stack.journal.step("starting the content pack");
    let folder = content_folder(args)?;
    let port = stack.state.port(PortName::Role(Role::ContentPack))?;
    let program = role(Role::ContentPack, stack)?
        .env("CONTENT_DIR", folder.display().to_string())
        .env("CONTENT_TOKEN", stack.state.secret(SecretName::ContentToken)?)
        .env("WEBHOOK_URL", webhook)
        .env("WEBHOOK_SECRET", stack.state.secret(SecretName::WebhookSecret)?)
        .env("PORT", port.to_string());
    let child = Supervised::spawn("content", &stack.journal, move || program.start());
    let addresses = vec![("content".to_owned(), folder.display().to_string())];
    Ok(Content::new(child, format!("http://127.0.0.1:{port}"), false, addresses))
}
