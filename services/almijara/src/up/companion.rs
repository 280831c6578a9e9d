//! The programs that show developers what the stack sends: the mail catcher and the trace viewer. `make up`
//! builds them into the same folder.

use anyhow::{Context, Result};

use super::{
    State,
    children::{Program, Supervised},
    journal::Journal,
    names::PortName,
};

/// A program that takes something on one port and shows it on another.
pub struct CompanionProgram {
    name: &'static str,
    /// The variable of the port that it takes things on, and that port.
    takes: (&'static str, PortName),
    /// The port that it shows them on.
    shows: PortName,
}

/// The program that takes and shows mail.
pub const MAIL_CATCHER: CompanionProgram = CompanionProgram {
    name: "mail-catcher",
    takes: ("SMTP_PORT", PortName::Smtp),
    shows: PortName::Mail,
};
/// The program that takes and shows spans.
pub const TRACE_VIEWER: CompanionProgram = CompanionProgram {
    name: "trace-viewer",
    takes: ("OTLP_PORT", PortName::Otlp),
    shows: PortName::Traces,
};

/// A running companion.
pub struct Companion {
    child: Supervised,
    takes_port: u16,
    shows_port: u16,
}

impl Companion {
    /// Starts it. Returns `None` if it is not built.
    pub fn start(
        companion: &CompanionProgram,
        state: &mut State,
        journal: &Journal,
    ) -> Result<Option<Self>> {
        let program = std::env::current_exe().context("finding this program")?;
        let folder = program.parent().context("this program is in a folder")?;
        let file = folder.join(companion.name);
        if !file.exists() {
            return Ok(None);
        }
        let (variable, takes) = companion.takes;
        let (takes_port, shows_port) = (state.port(takes)?, state.port(companion.shows)?);
        let program = Program::new(file, &[], folder)
            .env(variable, takes_port.to_string())
            .env("PORT", shows_port.to_string());
        let child = Supervised::spawn(companion.name, journal, move || program.start());
        Ok(Some(Self { child, takes_port, shows_port }))
    }

    /// Returns the port that it takes things on.
    pub const fn takes_port(&self) -> u16 {
        self.takes_port
    }

    /// Returns the address where it shows them.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.shows_port)
    }

    /// Stops it.
    pub async fn stop(self, journal: &Journal) {
        self.child.stop(journal).await;
    }
}
