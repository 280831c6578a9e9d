//! Checks rules and configuration with `promtool`, from Debian's package `prometheus`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{dashboards, repository};

/// Returns the `promtool` that `deploy/prerequisites.sh test` installs, or else the machine's own.
fn promtool() -> PathBuf {
    let fetched = repository("target/prometheus/usr/bin/promtool");
    if fetched.exists() { fetched } else { PathBuf::from("promtool") }
}

fn run(arguments: &[&str], folder: &Path) {
    let output = Command::new(promtool()).args(arguments).current_dir(folder).output();
    let output =
        output.expect("promtool runs: `make test` fetches it, or install the package prometheus");
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "promtool {arguments:?}: {}", String::from_utf8_lossy(&text));
}

#[test]
fn the_rules_pass_their_unit_tests() {
    let folder = repository("deploy/observability/rules");
    run(&["check", "rules", "service-levels.yaml", "causes.yaml"], &folder);
    run(&["test", "rules", "service-levels.test.yaml", "causes.test.yaml"], &folder);
}

#[test]
fn the_configuration_is_valid() {
    run(&["check", "config", "prometheus.yaml"], &repository("deploy/observability"));
}

#[test]
fn the_queries_of_the_dashboards_are_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rules = String::from("groups:\n- name: dashboards\n  rules:\n");
    for (number, expression) in dashboards::expressions().into_iter().enumerate() {
        let expression = expression.replace("$__rate_interval", "5m");
        let rule = format!("  - record: asked:{number}\n    expr: |-\n      {expression}\n");
        rules.push_str(&rule);
    }
    fs::write(folder.path().join("asked.yaml"), rules).expect("a file");
    run(&["check", "rules", "asked.yaml"], folder.path());
}
