//! `$(NAME)` in a text (`filters/refvar/expand.go`).

/// What a text becomes: text, or the value of the variable that it names alone.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Replaced {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Replaced {
    fn words(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Bool(value) => value.to_string(),
        }
    }
}

/// A text with its variables replaced; those that nobody knows stay, and `$$` is `$`.
pub(super) fn expand<'v>(text: &str, value: impl Fn(&str) -> Option<&'v Replaced>) -> Replaced {
    let mut written = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$').filter(|at| at + 1 < rest.len()) {
        let (before, after) = rest.split_at(at);
        written.push_str(before);
        let after = after.get(1..).unwrap_or_default();
        if let Some(more) = after.strip_prefix('$') {
            written.push('$');
            rest = more;
        } else if let Some((name, more)) = after.strip_prefix('(').and_then(|inside| inside.split_once(')')) {
            let found = value(name);
            if let (Some(found), true) = (found, text == format!("$({name})")) {
                return found.clone();
            }
            written.push_str(&found.map_or_else(|| format!("$({name})"), Replaced::words));
            rest = more;
        } else {
            // No variable: the sign and the byte behind it stay.
            let width = after.chars().next().map_or(0, char::len_utf8);
            written.push('$');
            written.push_str(after.get(..width).unwrap_or_default());
            rest = after.get(width..).unwrap_or_default();
        }
    }
    written.push_str(rest);
    Replaced::Text(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_and_others_stay() {
        let port = Replaced::Int(80);
        let name = Replaced::Text("web".to_owned());
        let value = |asked: &str| match asked {
            "PORT" => Some(&port),
            "NAME" => Some(&name),
            _ => None,
        };
        let text = |text: &str| Replaced::Text(text.to_owned());
        assert_eq!(expand("$(PORT)", value), port);
        assert_eq!(expand("http://$(NAME):$(PORT)/", value), text("http://web:80/"));
        assert_eq!(expand("$(OTHER) $$(NAME) $x $", value), text("$(OTHER) $(NAME) $x $"));
        assert_eq!(expand("$(NAME", value), text("$(NAME"));
    }
}
