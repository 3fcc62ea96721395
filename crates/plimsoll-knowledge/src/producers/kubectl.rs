//! What `kubectl create` makes in a container: Secrets, ConfigMaps and ServiceAccounts under a name that is written out.
//!
//! With `--dry-run` nothing is made, unless the same container applies what it reads from its standard input.

use super::command::{Command, is_plain, last_part};
use crate::products::Product;

/// What the commands of a container create.
pub(super) fn products(commands: &[Command<'_>]) -> Vec<Product> {
    let applies = commands.iter().any(|command| is_applied_from_input(&command.words));
    commands.iter().filter_map(|command| product(command, applies)).collect()
}

fn product(command: &Command<'_>, applies: bool) -> Option<Product> {
    let (program, words) = command.words.split_first()?;
    let is_tried = |word: &String| word.starts_with("--dry-run") && word != "--dry-run=none";
    if !is_kubectl(program) || words.iter().any(is_tried) && !applies {
        return None;
    }
    let mut namespace = command.pods.namespace();
    let mut plain = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word.strip_prefix("--namespace=") {
            Some(said) => namespace = said,
            None if matches!(word, "-n" | "--namespace") => namespace = words.next()?,
            None if word.starts_with('-') => {}
            None => plain.push(word),
        }
    }
    let (kind, name) = match plain.as_slice() {
        ["create", "secret" | "secrets", "generic" | "tls" | "docker-registry", name, ..] => {
            ("Secret", *name)
        }
        ["create", "configmap" | "configmaps" | "cm", name, ..] => ("ConfigMap", *name),
        ["create", "serviceaccount" | "sa", name, ..] => ("ServiceAccount", *name),
        _ => return None,
    };
    (is_plain(name) && is_plain(namespace)).then(|| Product::new(kind, namespace, name, None))
}

fn is_applied_from_input(words: &[String]) -> bool {
    let is = |wanted: &str| words.iter().any(|word| word == wanted);
    words.first().is_some_and(|program| is_kubectl(program))
        && (is("apply") || is("replace") || is("create"))
        && (is("-") || is("-f-") || is("--filename=-"))
}

fn is_kubectl(program: &str) -> bool {
    matches!(last_part(program), "kubectl" | "oc")
}

#[cfg(test)]
mod tests {
    use crate::products::Product;
    use crate::read::pods::Pods;
    use crate::sample;
    use serde_json::json;

    fn made(command: &[&str]) -> Vec<String> {
        let variables = json!([{"name": "TOKEN", "value": "shop-token"}]);
        let container = json!({"name": "make", "image": "kubectl", "command": command, "env": variables});
        let job = sample::object(&json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "make", "namespace": "shop"},
            "spec": {"template": {"spec": {"containers": [container]}}},
        }));
        let pods = Pods::of(&job).expect("a Job makes pods");
        super::super::products(&pods).iter().map(Product::told).collect()
    }

    #[test]
    fn what_is_created_has_the_name_behind_its_kind() {
        let direct =
            ["kubectl", "create", "secret", "generic", "--from-literal=a=b", "$(TOKEN)", "-n", "there"];
        assert_eq!(made(&direct), ["Secret/there/shop-token"]);
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(made(&["/bin/sh", "-ec", text]), expected, "{text}");
        };
        check("set -x\nkubectl create configmap a \\\n  --from-file=x", &["ConfigMap/shop/a"]);
        check("kubectl get secret a || kubectl -n b create secret tls a --cert=c --key=k", &["Secret/b/a"]);
        check("if true; then kubectl create sa ${TOKEN}; fi", &["ServiceAccount/shop/shop-token"]);
        check(
            "kubectl create secret generic a --from-literal=p=\"$(openssl rand -hex 8)\" --namespace=b",
            &["Secret/b/a"],
        );
        check(
            "kubectl create secret generic a --dry-run=client -o yaml | kubectl apply -f -",
            &["Secret/shop/a"],
        );
    }

    #[test]
    fn nothing_is_made_of_what_is_not_written_out() {
        let check = |text: &str| assert!(made(&["bash", "-c", text]).is_empty(), "{text}");
        check("kubectl create secret generic \"$NAME\"");
        check("kubectl create secret generic a -n $(cat /namespace)");
        check("kubectl create secret generic a --dry-run=client -o yaml");
        check("echo kubectl create secret generic a");
        check("kubectl get secret generic a");
    }
}
