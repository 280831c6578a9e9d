//! The checked-in OpenAPI document matches the code. `UPDATE_OPENAPI=1` regenerates it.

use std::{env, fs, path::Path};

#[test]
fn the_document_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let document = console::openapi().to_pretty_json().expect("the document is JSON") + "\n";
    if env::var_os("UPDATE_OPENAPI").is_some() {
        fs::write(&file, &document).expect("the document can be written");
    }
    let checked_in = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in == document,
        "openapi.json is not what the code says; `make types` writes it and the pages' types"
    );
}
