//! URLs, taken apart and put together.

use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Map, Value};
use std::fmt::Write as _;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("urlParse", &[Parameter::Text], url_parse),
    Function::new("urlJoin", &[Parameter::Map], url_join),
];

fn url_parse(call: &mut Call<'_>) -> Outcome {
    let text = call.str(0);
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let scheme_length = rest.find(':').filter(|at| is_scheme(rest.get(..*at).unwrap_or_default()));
    let (scheme, rest) = match scheme_length {
        Some(at) => (rest.get(..at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default()),
        None => ("", rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(behind) => behind.split_at(behind.find('/').unwrap_or(behind.len())),
        None => ("", rest),
    };
    let is_opaque = !scheme.is_empty() && !rest.starts_with('/');
    let (opaque, path) = if is_opaque { (rest, "") } else { ("", path) };
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let hostname = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let hostname = hostname.trim_start_matches('[').trim_end_matches(']');
    let part = Value::from;
    Ok(Map::of_values([
        ("scheme", Value::from(scheme.to_lowercase())),
        ("host", part(host)),
        ("hostname", part(hostname)),
        ("path", part(path)),
        ("query", part(query)),
        ("opaque", part(opaque)),
        ("fragment", part(fragment)),
        ("userinfo", part(user)),
    ])
    .into())
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn url_join(call: &mut Call<'_>) -> Outcome {
    let part = |name: &str| -> Result<String, String> {
        match call.map(0).and_then(|map| map.get(name)).map(|item| item.value) {
            None => Ok(String::new()),
            Some(Value::Text(text)) => Ok(text.to_string()),
            Some(other) => {
                let kind = other.kind().name();
                Err(format!("unable to parse {name} key, must be of type string, but {kind} found"))
            }
        }
    };
    let (scheme, host, path, user) = (part("scheme")?, part("host")?, part("path")?, part("userinfo")?);
    let mut url = if scheme.is_empty() { String::new() } else { format!("{scheme}:") };
    let opaque = part("opaque")?;
    if opaque.is_empty() {
        if !scheme.is_empty() || !host.is_empty() || !user.is_empty() {
            url.push_str(if host.is_empty() && path.is_empty() && user.is_empty() { "" } else { "//" });
        }
        if !user.is_empty() {
            let _ = write!(url, "{user}@");
        }
        url.push_str(&host);
        if !path.is_empty() && !path.starts_with('/') && !host.is_empty() {
            url.push('/');
        }
        url.push_str(&path);
    } else {
        url.push_str(&opaque);
    }
    for (sign, name) in [('?', "query"), ('#', "fragment")] {
        let text = part(name)?;
        if !text.is_empty() {
            url.push(sign);
            url.push_str(&text);
        }
    }
    Ok(url.into())
}
