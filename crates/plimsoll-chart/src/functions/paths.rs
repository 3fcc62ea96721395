//! Paths with slashes, as Go's `path` takes them apart.

use crate::template::function::{Call, Function, Outcome, Parameter};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("base", &[Parameter::Text], |call| Ok(base(call.str(0)).into())),
    Function::new("dir", &[Parameter::Text], |call| Ok(dir(call.str(0)).into())),
    Function::new("clean", &[Parameter::Text], |call| Ok(clean(call.str(0)).into())),
    Function::new("ext", &[Parameter::Text], ext),
    Function::new("isAbs", &[Parameter::Text], |call| Ok(call.str(0).starts_with('/').into())),
    Function::new("osBase", &[Parameter::Text], |call| Ok(base(call.str(0)).into())),
    Function::new("osDir", &[Parameter::Text], |call| Ok(dir(call.str(0)).into())),
    Function::new("osClean", &[Parameter::Text], |call| Ok(clean(call.str(0)).into())),
    Function::new("osExt", &[Parameter::Text], ext),
    Function::new("osIsAbs", &[Parameter::Text], |call| Ok(call.str(0).starts_with('/').into())),
];

/// The last part of a path.
pub(crate) fn base(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" if path.is_empty() => ".",
        "" => "/",
        path => path.rsplit('/').next().unwrap_or(path),
    }
}

fn dir(path: &str) -> String {
    clean(path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or_default())
}

fn ext(call: &mut Call<'_>) -> Outcome {
    let name = call.str(0).rsplit('/').next().unwrap_or_default();
    Ok(name.rfind('.').and_then(|at| name.get(at..)).unwrap_or_default().into())
}

/// The shortest path that leads to the same place.
fn clean(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    match (is_absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}
