//! The running content service of `almijara up`.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::{Journal, UpArgs, children::Supervised};

/// The running content service.
pub struct Content {
    child: Supervised,
    url: String,
    has_studio: bool,
    addresses: Vec<(String, String)>,
}

impl Content {
    pub(super) const fn new(
        child: Supervised,
        url: String,
        has_studio: bool,
        addresses: Vec<(String, String)>,
    ) -> Self {
        Self { child, url, has_studio, addresses }
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
