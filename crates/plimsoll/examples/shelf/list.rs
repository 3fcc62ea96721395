//! Writes the list of all stand-ins with their files, from what lies in the folder of the shelf.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// Writes the list.
pub(crate) fn write() -> io::Result<()> {
    let mut text = "//! Every stand-in and its files, as `cargo xtask charts outline` lists them.\n\n\
        use plimsoll_model::StandIn;\n\npub(super) static SHELF: &[StandIn] = &[\n"
        .to_owned();
    for folder in crate::outline::folders(&crate::shelf()) {
        let mut files = Vec::new();
        files_below(&folder, &folder, &mut files);
        files.sort_by_key(|file| (file != "Chart.yaml", file != "values.yaml", file.clone()));
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files: Vec<String> = files.into_iter().map(|file| format!("\"{file}\"")).collect();
        let _ = writeln!(text, "    stand_in!(\"{name}\": {}),", files.join(", "));
    }
    text.push_str("];\n");
    fs::write(crate::shelf().join("../../src/shelf/list.rs"), text)
}

fn files_below(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(root, &path, found);
        } else if let Ok(below) = path.strip_prefix(root) {
            found.push(below.to_string_lossy().into_owned());
        }
    }
}
