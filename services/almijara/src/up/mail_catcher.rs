//! The mail catcher, a separate program that `make up` builds into the same folder.

use anyhow::{Context, Result};

use super::{
    State,
    children::{Program, Supervised},
    journal::Journal,
};

/// The running mail catcher.
pub struct MailCatcher {
    child: Supervised,
    smtp_port: u16,
    port: u16,
}

impl MailCatcher {
    /// Starts it. Returns `None` if it is not built.
    pub fn start(state: &mut State, journal: &Journal) -> Result<Option<Self>> {
        let program = std::env::current_exe().context("finding this program")?;
        let folder = program.parent().context("this program is in a folder")?;
        let file = folder.join("mail-catcher");
        if !file.exists() {
            return Ok(None);
        }
        let (smtp_port, port) = (state.port("smtp")?, state.port("mail")?);
        let program = Program::new(file, &[], folder)
            .env("SMTP_PORT", smtp_port.to_string())
            .env("PORT", port.to_string());
        let child = Supervised::spawn("mail-catcher", journal, move || program.start());
        Ok(Some(Self { child, smtp_port, port }))
    }

    /// Returns the address that mail is sent to.
    pub fn smtp_url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.smtp_port)
    }

    /// Returns the address where mail is shown.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Stops it.
    pub async fn stop(self, journal: &Journal) {
        self.child.stop(journal).await;
    }
}
