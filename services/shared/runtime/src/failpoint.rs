//! Fail points: named steps at which a test injects a failure. They exist in test builds only: a
//! dev-dependency enables the feature `failpoints`, and without it a step compiles to nothing.

use std::io;

/// Configures fail points from the environment, in the syntax of the crate `fail`:
/// `FAILPOINTS=projections.commit=2*return;sync.record=sleep(500)`. They are active until the returned
/// scenario is dropped.
pub fn failpoints_from_environment() -> Option<fail::FailScenario<'static>> {
    fail::has_failpoints().then(fail::FailScenario::setup)
}

/// Runs the fail point `step`, named `<service>.<what comes next>`. Configured as `return`, it fails
/// like a dropped connection; as `return(exit)`, it exits the process immediately with code 70.
pub fn failpoint(step: &'static str) -> io::Result<()> {
    fail::fail_point!(step, |argument| {
        tracing::warn!(step, "a failpoint fails, as configured");
        if argument.as_deref() == Some("exit") {
            std::process::exit(70);
        }
        Err(io::Error::new(io::ErrorKind::ConnectionReset, format!("the failpoint {step}")))
    });
    let _ = step;
    Ok(())
}
