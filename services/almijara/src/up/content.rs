//! The content service of `almijara up`: the built-in pack, or a real Directus.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{Journal, Servers, Stack, UpArgs, children::Supervised, directus, roles::role};

/// Which content service runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentService {
    /// The built-in content service, which serves a folder of JSON and pictures.
    Pack,
    /// A real Directus.
    Directus,
}

impl ContentService {
    /// Returns its name, as in the variable `CONTENT`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pack => "pack",
            Self::Directus => "directus",
        }
    }
}

/// The running content service.
pub struct Content {
    child: Supervised,
    url: String,
    has_studio: bool,
    addresses: Vec<(String, String)>,
}

impl Content {
    /// Starts the requested one, and waits until it has its content.
    pub async fn start(
        args: &UpArgs,
        stack: &mut Stack,
        servers: &Servers,
        webhook_port: u16,
        shutdown: &CancellationToken,
    ) -> Result<Self> {
        let webhook = args
            .webhook_url
            .clone()
            .unwrap_or_else(|| format!("http://127.0.0.1:{webhook_port}/webhooks/content"));
        match args.content {
            ContentService::Pack => Self::pack(args, stack, &webhook),
            ContentService::Directus => {
                directus::start(args, stack, servers, &webhook, shutdown).await
            }
        }
    }

    pub(super) const fn new(
        child: Supervised,
        url: String,
        has_studio: bool,
        addresses: Vec<(String, String)>,
    ) -> Self {
        Self { child, url, has_studio, addresses }
    }

    fn pack(args: &UpArgs, stack: &mut Stack, webhook: &str) -> Result<Self> {
        stack.journal.step("starting the content pack");
        let folder = content_folder(args)?;
        let port = stack.state.port("content")?;
        let program = role("content-pack", stack)?
            .env("CONTENT_DIR", folder.display().to_string())
            .env("CONTENT_TOKEN", stack.state.secret("content token")?)
            .env("WEBHOOK_URL", webhook)
            .env("WEBHOOK_SECRET", stack.state.secret("webhook secret")?)
            .env("PORT", port.to_string());
        let child = Supervised::spawn("content", &stack.journal, move || program.start());
        let addresses = vec![("content".to_owned(), folder.display().to_string())];
        Ok(Self::new(child, format!("http://127.0.0.1:{port}"), false, addresses))
    }

    /// Returns its address, for sync and the site.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Returns whether roles may write to it what people read in its Studio: enquiries and the live status.
    /// The pack is a folder that only people write to.
    pub const fn has_studio(&self) -> bool {
        self.has_studio
    }

    /// Returns the rows about it in the table of addresses: name and address or sign-in.
    pub fn addresses(&self) -> Vec<(String, String)> {
        self.addresses.clone()
    }

    /// Stops it.
    pub async fn stop(self, journal: &Journal) {
        self.child.stop(journal).await;
    }
}

/// Returns the absolute path of the sample content's folder.
pub(super) fn content_folder(args: &UpArgs) -> Result<PathBuf> {
    args.content_dir.canonicalize().with_context(|| {
        format!("the content folder {} does not exist", args.content_dir.display())
    })
}
