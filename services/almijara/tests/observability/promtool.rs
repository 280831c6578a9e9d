//! The rules as Prometheus reads them: `promtool`, of Debian's package `prometheus`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{dashboards, repository};

/// Where `deploy/prerequisites.sh test` puts it, or where the machine has it.
fn promtool() -> PathBuf {
    let fetched = repository("target/prometheus/usr/bin/promtool");
    if fetched.exists() { fetched } else { PathBuf::from("promtool") }
}

fn run(arguments: &[&str], folder: &Path) {
    let ran = Command::new(promtool()).args(arguments).current_dir(folder).output();
    let ran =
        ran.expect("promtool runs: `make test` fetches it, or install the package prometheus");
    let said = [ran.stdout, ran.stderr].concat();
    assert!(ran.status.success(), "promtool {arguments:?}: {}", String::from_utf8_lossy(&said));
}

#[test]
fn the_rules_pass_their_unit_tests() {
    let folder = repository("deploy/observability/rules");
    run(&["check", "rules", "service-levels.yaml", "causes.yaml"], &folder);
    run(&["test", "rules", "service-levels.test.yaml", "causes.test.yaml"], &folder);
}

#[test]
fn the_configuration_is_one() {
    run(&["check", "config", "prometheus.yaml"], &repository("deploy/observability"));
}

#[test]
fn the_dashboards_ask_what_can_be_asked() {
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
