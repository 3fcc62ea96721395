//! The official JSON schema of SARIF 2.1.0, out of the package `serde-sarif`, which carries it.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Says what of a text is not SARIF.
pub(crate) fn faults(text: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(text).expect("JSON");
    VALIDATOR.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

static VALIDATOR: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::validator_for(&schema()).expect("a schema"));

fn schema() -> Value {
    // Of packages for other platforms nothing is there on a machine that has only built this.
    let metadata =
        cargo(&["metadata", "--format-version=1", "--offline", "--locked", "--filter-platform", &host()]);
    let metadata: Value = serde_json::from_str(&metadata).expect("what cargo knows of the packages");
    let packages = metadata["packages"].as_array().expect("packages");
    let carrier = packages.iter().find(|package| package["name"] == "serde-sarif").expect("the package");
    let manifest = Path::new(carrier["manifest_path"].as_str().expect("a path"));
    let text =
        std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("the schema");
    // One pattern of the schema, for a field that is not written here, has a bracket too many; validators that know
    // regular expressions refuse it.
    serde_json::from_str(&text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$")).expect("JSON")
}

/// The platform that cargo builds for.
fn host() -> String {
    let version = cargo(&["version", "--verbose"]);
    version.lines().find_map(|line| line.strip_prefix("host: ")).expect("the platform").to_owned()
}

fn cargo(arguments: &[&str]) -> String {
    let command =
        Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let output = command.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_schema_tells_sarif_from_other_things() {
    assert_eq!(faults(r#"{"version": "2.1.0", "runs": []}"#), [] as [&str; 0]);
    assert_ne!(faults(r#"{"version": "2.1.0", "runs": [{"results": []}]}"#), [] as [&str; 0]);
}
