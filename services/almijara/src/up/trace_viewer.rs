//! The trace viewer, a separate program that `make up` builds into the same folder.

use anyhow::{Context, Result};

use super::{
    State,
    children::{Program, Supervised},
    journal::Journal,
};

/// The running trace viewer.
pub struct TraceViewer {
    child: Supervised,
    otlp_port: u16,
    port: u16,
}

impl TraceViewer {
    /// Starts it. Returns `None` if it is not built.
    pub fn start(state: &mut State, journal: &Journal) -> Result<Option<Self>> {
        let program = std::env::current_exe().context("finding this program")?;
        let folder = program.parent().context("this program is in a folder")?;
        let file = folder.join("trace-viewer");
        if !file.exists() {
            return Ok(None);
        }
        let (otlp_port, port) = (state.port("otlp")?, state.port("traces")?);
        let program = Program::new(file, &[], folder)
            .env("OTLP_PORT", otlp_port.to_string())
            .env("PORT", port.to_string());
        let child = Supervised::spawn("trace-viewer", journal, move || program.start());
        Ok(Some(Self { child, otlp_port, port }))
    }

    /// Returns the address that spans are sent to.
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.otlp_port)
    }

    /// Returns the address where traces are shown.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the address of a single trace, with `{traceId}` as the placeholder for its id.
    pub fn trace_url(&self) -> String {
        format!("{}/trace/{{traceId}}", self.address())
    }

    /// Stops it.
    pub async fn stop(self, journal: &Journal) {
        self.child.stop(journal).await;
    }
}
