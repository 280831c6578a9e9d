//! A role as a process of this program.

use anyhow::{Context, Result};

use super::{
    Stack,
    children::Program,
    names::{PortName, Role, SecretName},
};

/// Returns this program as `role`, with its own admin token if it takes admin calls.
pub fn role(role: Role, stack: &mut Stack) -> Result<Program> {
    let program = std::env::current_exe().context("finding this program")?;
    let health_port = stack.state.port(PortName::Health(role))?;
    let mut program = Program::new(program, &[role.name()], &stack.folder);
    if Role::WITH_ADMIN_CALLS.contains(&role) {
        program = program.env("ADMIN_TOKEN", stack.state.secret(SecretName::AdminToken(role))?);
    }
    Ok(program
        .env("LOG_FORMAT", "json")
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &stack.otlp_endpoint)
        .env("OTEL_BSP_SCHEDULE_DELAY", "1000")
        .env("HOST", "127.0.0.1")
        .env("HEALTH_PORT", health_port.to_string()))
}
