//! The pages under `docs/reference`: made from what the program knows, and held against it.
//!
//! `PLIMSOLL_WRITE=1 cargo test -p plimsoll reference` writes them anew.

mod charts;
mod configuration;
mod exit_codes;
mod kinds;
mod rules;

/// Every page by its name, with its text.
fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("charts.md", charts::page()),
        ("configuration.md", configuration::page()),
        ("exit-codes.md", exit_codes::page()),
        ("kinds.md", kinds::page()),
        ("plimsoll.schema.json", format!("{:#}\n", crate::config::schema())),
        ("rules.md", rules::page()),
    ]
}

/// A row of a table.
fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[test]
fn the_pages_say_what_the_program_knows() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for (name, text) in pages() {
        let path = folder.join(name);
        if std::env::var_os("PLIMSOLL_WRITE").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&path, &text).expect("a page");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{name} is out of date: PLIMSOLL_WRITE=1 cargo test -p plimsoll reference");
    }
}
