//! Steps of the flow at which a test has something go wrong. Only tests are built with them: the
//! feature `failpoints` is asked for by a dev-dependency, and without it a step is no code at all.

use std::io;

/// Reads from the environment what is to go wrong, in the syntax of the crate `fail`:
/// `FAILPOINTS=projections.commit=2*return;sync.record=sleep(500)`. It ends with what it returns.
pub fn failpoints_from_environment() -> Option<fail::FailScenario<'static>> {
    fail::has_failpoints().then(fail::FailScenario::setup)
}

/// The step called `step`, as `<service>.<what comes next>`. Told to `return`, it fails as a cut
/// connection would; told to `return(exit)`, the process ends there and then, with the code 70.
pub fn failpoint(step: &'static str) -> io::Result<()> {
    fail::fail_point!(step, |told| {
        tracing::warn!(step, "a failpoint was told to fail");
        if told.as_deref() == Some("exit") {
            std::process::exit(70);
        }
        Err(io::Error::new(io::ErrorKind::ConnectionReset, format!("the failpoint {step}")))
    });
    let _ = step;
    Ok(())
}
