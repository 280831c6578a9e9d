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
/// like a dropped connection; as `return(FILE)`, it exits the process immediately with code 70, unless
/// FILE shows that a process has done so before.
pub fn failpoint(step: &'static str) -> io::Result<()> {
    fail::fail_point!(step, |file: Option<String>| {
        if let Some(file) = file {
            if std::fs::File::create_new(file).is_err() {
                return Ok(());
            }
            tracing::warn!(step, "a failpoint exits the process, as configured");
            std::process::exit(70);
        }
        tracing::warn!(step, "a failpoint fails, as configured");
        Err(io::Error::new(io::ErrorKind::ConnectionReset, format!("the failpoint {step}")))
    });
    let _ = step;
    Ok(())
}
